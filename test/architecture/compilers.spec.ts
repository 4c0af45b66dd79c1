import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../src/persistence/package-root.js';
import { compilerOf, runNode } from '../adapter-tools/temporary-tree.js';

/** A program that the checks must refuse, the setting of tsconfig.json that refuses it, and the number of the error. */
const wrong: readonly (readonly [setting: string, error: string, program: string])[] = [
  ['lib', 'TS2550', "export const clean = 'a'.isWellFormed();"],
  ['module', 'TS2835', "export { fine } from './fine';"],
  ['types', 'TS2593', "describe('a global of a test runner', () => undefined);"],
  ['noImplicitAny', 'TS7006', 'export const same = (value) => value;'],
  ['strictNullChecks', 'TS18047', 'export const length = (text: string | null) => text.length;'],
  ['strictPropertyInitialization', 'TS2564', 'export class Account { id: string; }'],
  ['strictFunctionTypes', 'TS2322', 'export const f: (x: unknown) => void = (x: string) => void x;'],
  ['useUnknownInCatchVariables', 'TS18046', 'try { void 0; } catch (error) { error.message; } export {};'],
  ['noUncheckedIndexedAccess', 'TS2322', 'export const first = (all: string[]): string => all[0];'],
  ['noImplicitOverride', 'TS4114', 'class A { m() {} } export class B extends A { m() {} }'],
  [
    'noFallthroughCasesInSwitch',
    'TS7029',
    'export function f(n: 1 | 2) { switch (n) { case 1: f(2); case 2: f(1); } }',
  ],
  ['isolatedModules', 'TS2748', 'declare const enum Ambient { A } export const value = Ambient.A;'],
  ['verbatimModuleSyntax', 'TS1484', "import { Type } from './fine.js'; export const value: Type = 1;"],
  ['experimentalDecorators', 'TS1239', 'const d = (_: string) => {}; export class A { constructor(@d _: Date) {} }'],
];

describe('the compiler of `npm run check:types`', () => {
  let folder: string;
  let said: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'compilers-'));
    await symlink(join(packageRoot(), 'node_modules'), join(folder, 'node_modules'));
    const settings = {
      extends: join(packageRoot(), 'tsconfig.json'),
      compilerOptions: { rootDir: '.' },
      include: ['.'],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'fine.ts'), 'export type Type = number; export const fine = 1;');
    for (const [setting, , program] of wrong) await writeFile(join(folder, `${setting}.ts`), program);
    ({ said } = await runNode(folder, compilerOf('tsconfig.json')));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each(wrong)('keeps %s: %s', (setting, error) => {
    const errors = [...said.matchAll(/^(\w+)\.ts\(.*\): error (TS\d+)/gm)];
    expect(errors.flatMap(([, file, number]) => (file === setting ? [number] : []))).toEqual([error]);
  });

  it('refuses nothing else', () => {
    expect(said).not.toContain('fine.ts(');
  });
});

it.each([
  ['typescript', /^6\./],
  ['typescript-7', /^7\./],
])('%s is installed: the first for programs that need its functions, the second to compile', async (name, version) => {
  const manifest = await readFile(join(packageRoot(), 'node_modules', name, 'package.json'), 'utf8');
  expect(JSON.parse(manifest)).toEqual(expect.objectContaining({ version: expect.stringMatching(version) }));
});
