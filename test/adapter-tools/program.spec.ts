import { describe, expect, it } from '@jest/globals';
import { adapterProgram } from '../../adapter-tools/program.js';
import { kitOf } from '../../adapter-tools/kits.js';
import { coreKind } from '../../adapter-tools/adapter-kind.js';
import { newAdapter } from '../../adapter-tools/new-adapter.js';
import { runCommandLine } from '../../src/command-line/command-line.js';
import { packageRoot } from '../../src/persistence/package-root.js';

/** The commands that would be carried out, and the lines that the person sees. */
async function typed(line: string): Promise<{ code: number; carriedOut: unknown[]; said: string[] }> {
  const carriedOut: unknown[] = [];
  const said: string[] = [];
  const action =
    (name: string) =>
    (...words: unknown[]) => {
      carriedOut.push([name, ...words]);
      return Promise.resolve();
    };
  const code = await runCommandLine(
    () =>
      adapterProgram({
        new: action('new'),
        newSignOn: action('new-sign-on'),
        check: action('check'),
        preview: action('preview'),
      }),
    line.split(' ').filter(Boolean),
    (text) => said.push(text),
    (complaint) => said.push(complaint),
  );
  return { code, carriedOut, said };
}

describe('the command line of the adapter tools', () => {
  it.each([
    ['new my-core', ['new', 'my-core', undefined]],
    ['new-sign-on my-bank --into ../my-bank', ['new-sign-on', 'my-bank', '../my-bank']],
    ['check ../my-core', ['check', '../my-core']],
    ['preview ledger --customer C1', ['preview', 'ledger', { customer: 'C1', rows: 3, api: 'v3.1' }]],
    [
      'preview ledger --customer C1 --account A1 --read balances --rows 12',
      ['preview', 'ledger', { customer: 'C1', account: 'A1', read: 'balances', rows: 12, api: 'v3.1' }],
    ],
  ])('carries out "%s"', async (line, command) => {
    expect(await typed(line)).toEqual({ code: 0, carriedOut: [command], said: [] });
  });

  it('shows its commands', async () => {
    const { code, said } = await typed('help');
    expect([code, said]).toEqual([0, (await typed('--help')).said]);
    for (const form of ['new <NAME>', 'check <NAME>', 'preview <NAME> --customer <REF>'])
      expect(said[0]).toContain(`\n  ${form} `);
  });

  it.each([
    ['', 'name a command: new, new-sign-on, check, preview'],
    ['new', "missing required argument 'NAME'"],
    ['preview ledger', "required option '--customer <REF>' not specified"],
    ['preview ledger --customer C1 --read money', 'Allowed choices are account, '],
    ['preview ledger --customer C1 --rows 0', 'It is a number from 1 to 99999'],
    ['juggle ledger', "unknown command 'juggle'"],
    ['check ledger twice', "too many arguments for 'check'"],
    ['check ledger --loud', "unknown option '--loud'"],
  ])('refuses "%s"', async (line, message) => {
    const { code, carriedOut, said } = await typed(line);
    expect([code, carriedOut, said]).toEqual([2, [], [expect.stringContaining(message)]]);
    expect(said[0]).toMatch(/, see: npm run adapter -- .*--help$/);
  });

  it.each(['My', '../up', 'a--b', '-a', 'a b', '1a', ''])('makes no adapter by the name of "%s"', async (name) => {
    await expect(newAdapter(packageRoot(), name, coreKind)).rejects.toThrow(`"${name}" is not a name for an adapter`);
  });

  it('finds no kit of an adapter that is not there, and says how to make one', async () => {
    await expect(kitOf('elsewhere')).rejects.toThrow('npm run adapter -- new elsewhere');
  });
});
