// Nightly: it needs curl, openssl and python3.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readableOf } from '../../sandbox/actions/program-settings.js';
import { sandboxProgram } from '../../sandbox/cli/program.js';
import { newTpp, type NewTppWords } from '../../sandbox/cli/values.js';
import type { TppFolder } from '../../sandbox/new-tpps/tpp-folder.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { TppSetting } from '../sandbox/tpp-setting.js';

const page = readFileSync(join(packageRoot(), 'docs/tpp/first-tpp.md'), 'utf8');
/** The programs of the page, each with the command in its first line. */
const programs = [...page.matchAll(/^```\w+\n(?:#|\/\/) Run it with: (.+)\n[^]*?^```$/gm)].map(([block, command]) => ({
  command: command ?? '',
  text: block.replace(/^.*\n/, '').replace(/```$/, ''),
}));

const isThere = (program: string): boolean => spawnSync(program, ['--version']).status === 0;
const withPython = isThere('python3') ? it : it.skip;
// eslint-disable-next-line no-console -- the reader of the output must know the samples that did not run
if (withPython === it.skip) console.warn('python3 is absent: the Python program of docs/tpp/first-tpp.md is NOT tried');

/** The options of the command `tpp new` with these words, which is not carried out. */
function wordsOfNewTpp(words: readonly string[]): NewTppWords {
  const unused = (): never => {
    throw new Error('the command must not be carried out');
  };
  const program = sandboxProgram({ stack: unused, answer: unused, note: unused });
  const command = program.commands
    .find((each) => each.name() === 'tpp')
    ?.commands.find((each) => each.name() === 'new')
    ?.action(() => undefined);
  program.parse(words, { from: 'user' });
  return command?.opts() as NewTppWords;
}

describe('docs/tpp/first-tpp.md', () => {
  let setting: TppSetting;
  let tpp: TppFolder;
  beforeAll(async () => {
    setting = await TppSetting.start();
    const words = /-- (tpp new .+)$/m.exec(page)?.[1]?.match(/"[^"]+"|\S+/g) ?? [];
    const given = newTpp(wordsOfNewTpp(words.map((word) => word.replaceAll('"', ''))));
    tpp = await setting.make(given.name, given);
    for (const { command: line, text } of programs)
      await writeFile(join(tpp.folder, line.split(' ').at(-1) ?? ''), text);
  });
  afterAll(() => setting.close());

  function runAsPrinted(words: readonly string[]) {
    return setting.run(tpp, words, async (address, answer) => {
      answer((await setting.approve(address, tpp)).href);
    });
  }

  async function readsEverything(command: string): Promise<void> {
    const { code, said } = await runAsPrinted(command.split(' '));
    expect([code, code === 0 ? '' : said]).toEqual([0, '']);
    const answers = [...said.matchAll(/\/accounts\/([\w-]+)\/([\w-]+) (\{.+)$/gm)];
    for (const [, , , json] of answers)
      expect(JSON.parse(json ?? '')).toMatchObject({ Data: {}, Links: { Self: expect.any(String) }, Meta: {} });
    const read = answers.map(([, account, resource]) => `${account} ${resource}`);
    const accounts = [...new Set(answers.map(([, account]) => account))];
    expect(accounts).toHaveLength(5);
    const { resources } = await readableOf(setting.running);
    expect(read).toEqual(accounts.flatMap((id) => resources.map((resource) => `${id} ${resource}`)));
  }

  it('names the folder that the command writes, and has a program for each of two languages', () => {
    expect(page).toContain(`cd data/tpps/${basename(tpp.folder)}\n`);
    expect(programs.map(({ command }) => command.split(' ')[0])).toEqual(['bash', 'python3']);
  });

  for (const { command } of programs)
    (command.startsWith('python3') ? withPython : it)(
      `has the command ${command}, which without changes reads every resource of every account`,
      () => readsEverything(command),
    );

  withPython(
    'has a Python program that refreshes, and whose earlier tokens end when the customer authenticates again',
    async () => {
      const { said } = await runAsPrinted(['python3', 'first-tpp.py']);
      for (const outcome of [
        'The refresh token stayed the same: True',
        'The new token reads: True',
        'The earlier token: 401 Bearer realm="account-information", error="invalid_token", error_description="a later authorisation',
        'The earlier refresh token: 400 {"error":"invalid_grant"',
        'Use the tokens of the later authorisation',
      ])
        expect(said).toContain(outcome);
    },
  );
});
