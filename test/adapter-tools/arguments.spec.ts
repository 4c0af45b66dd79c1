import { describe, expect, it } from '@jest/globals';
import { readArguments } from '../../adapter-tools/arguments.js';
import { kitOf } from '../../adapter-tools/kits.js';
import { coreKind } from '../../adapter-tools/adapter-kind.js';
import { newAdapter } from '../../adapter-tools/new-adapter.js';
import { packageRoot } from '../../src/persistence/package-root.js';

describe('the command line of the adapter tools', () => {
  it.each([
    ['', { name: 'help' }],
    ['help', { name: 'help' }],
    ['report', { name: 'report', adapter: undefined }],
    ['report ../my-core', { name: 'report', adapter: '../my-core' }],
    ['new my-core', { name: 'new', adapter: 'my-core' }],
    ['check ledger', { name: 'check', adapter: 'ledger' }],
    ['preview ledger --customer C1', { name: 'preview', adapter: 'ledger', customer: 'C1' }],
    [
      'preview ledger --customer C1 --account A1 --read balances',
      { name: 'preview', adapter: 'ledger', customer: 'C1', account: 'A1', read: 'balances' },
    ],
  ])('reads "%s"', (line, command) => {
    expect(readArguments(line.split(' ').filter(Boolean))).toEqual(command);
  });

  it.each([
    ['new', 'new needs the name of an adapter'],
    ['preview ledger', '--customer REF: say whose accounts'],
    [
      'preview ledger --customer C1 --read money',
      expect.stringMatching(/^--read money is not known: say one of account, /),
    ],
    ['juggle ledger', 'juggle is not a command; see `npm run adapter -- help`'],
    ['check ledger twice', 'twice: not understood; see `npm run adapter -- help`'],
    ['check ledger --loud', expect.stringMatching(/^Unknown option '--loud'/)],
  ])('refuses "%s"', (line, message) => {
    expect(() => readArguments(line.split(' '))).toThrow(expect.objectContaining({ name: 'ToolError', message }));
  });

  it.each(['My', '../up', 'a--b', '-a', 'a b', '1a', ''])('makes no adapter by the name of "%s"', async (name) => {
    await expect(newAdapter(packageRoot(), name, coreKind)).rejects.toThrow(`"${name}" is no name for an adapter`);
  });

  it('finds no kit of an adapter that is not there, and says how to make one', async () => {
    await expect(kitOf('elsewhere')).rejects.toThrow('npm run adapter -- new elsewhere');
  });
});
