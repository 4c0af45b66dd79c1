import { describe, expect, it } from '@jest/globals';
import { ESLint, Linter } from 'eslint';
import { join } from 'node:path';
import tseslint from 'typescript-eslint';

const root = join(import.meta.dirname, '../..');
const eslint = new ESLint({ cwd: root });

/** The habits that dependency-cruiser cannot see. They need no types, so they are checked without a program. */
const habits = [
  'no-restricted-properties',
  'no-restricted-imports',
  'no-restricted-syntax',
  'no-console',
  'max-lines',
  'max-lines-per-function',
  '@typescript-eslint/max-params',
];

/** The habits that `code` breaks as the content of `file`. */
async function broken(file: string, code: string): Promise<string[]> {
  const config = (await eslint.calculateConfigForFile(join(root, file))) as Linter.Config;
  const rules = Object.fromEntries(Object.entries(config.rules ?? {}).filter(([name]) => habits.includes(name)));
  const parser = tseslint.parser as Linter.Parser;
  const plugins = { '@typescript-eslint': tseslint.plugin as ESLint.Plugin };
  const messages = new Linter().verify(
    code,
    [{ files: ['**/*.ts'], languageOptions: { parser }, plugins, rules }],
    file,
  );
  return messages.map(({ ruleId, message }) => ruleId ?? message);
}

describe('the lint rules', () => {
  it.each([
    ['src/server/a.ts', 'export const port = process.env.PORT;', 'no-restricted-properties'],
    ['src/server/a.ts', "import { env } from 'node:process';", 'no-restricted-imports'],
    ['src/main.ts', 'export const port = process.env.PORT;', 'no-restricted-properties'],
    ['sandbox/bank/server.ts', "export const port = process['env']['PORT'];", 'no-restricted-properties'],
    ['src/consents/a.ts', 'export const now = new Date();', 'no-restricted-syntax'],
    ['src/consents/a.ts', 'export const now = Date.now();', 'no-restricted-syntax'],
    ['src/consents/a.ts', 'export const clock = { now: Date.now };', 'no-restricted-syntax'],
    ['src/consents/a.ts', 'export const text = Date();', 'no-restricted-syntax'],
    ['test/consents/a.spec.ts', 'export const now = Date.now();', 'no-restricted-syntax'],
    ['src/server/a.ts', "console.log('hello');", 'no-console'],
  ])('refuse in %s: %s', async (file, code, rule) => {
    expect(await broken(file, code)).toEqual([rule]);
  });

  it.each([
    ['src/config/environment.ts', 'export const port = process.env.PORT;'],
    ['src/clock/clock.ts', 'export const now = Date.now();'],
    ['src/consents/a.ts', 'export const then = (ms: number) => new Date(ms);'],
    ['src/main.ts', "console.error('cannot start');"],
    ['sandbox/cli/main.ts', "console.log('{}');"],
  ])('allow in %s: %s', async (file, code) => {
    expect(await broken(file, code)).toEqual([]);
  });

  it('refuse a file of more than 250 lines and a function of more than 40, but in a spec', async () => {
    const file = (lines: number): string => 'export {};\n'.repeat(lines).trimEnd();
    const functionOf = (lines: number): string => `export function long() {${'\n'.repeat(lines - 1)}}`;
    for (const path of ['packages/adapter-kit/checks/a.ts', 'src/core-banking/adapters/ledger/a.ts']) {
      expect(await broken(path, file(251))).toEqual(['max-lines']);
      expect(await broken(path, functionOf(41))).toEqual(['max-lines-per-function']);
      expect(await broken(path, file(250))).toEqual([]);
      expect(await broken(path, functionOf(40))).toEqual([]);
    }
    expect(await broken('src/core-banking/a.spec.ts', file(251))).toEqual([]);
  });

  it('refuse a constructor and a function of more than eight parameters, but in a spec', async () => {
    const parameters = (count: number): string =>
      Array.from({ length: count }, (_none, index) => `p${index}: A`).join();
    const classOf = (count: number): string => `export class Large { constructor(${parameters(count)}) {} }`;
    const functionOf = (count: number): string => `export function large(${parameters(count)}) {}`;
    for (const path of ['src/boot/a.ts', 'packages/adapter-kit/a.ts', 'adapter-tools/a.ts', 'sandbox/bank/a.ts'])
      for (const code of [classOf, functionOf]) {
        expect(await broken(path, code(9))).toEqual(['@typescript-eslint/max-params']);
        expect(await broken(path, code(8))).toEqual([]);
      }
    expect(await broken('src/boot/a.spec.ts', classOf(9))).toEqual([]);
  });
});
