import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { packageRoot } from '../../src/persistence/package-root.js';

const page = readFileSync(join(packageRoot(), 'docs/bank/port.md'), 'utf8');

/** The names that a module exports, types included. */
function exportsOf(file: string): string[] {
  const path = join(packageRoot(), file);
  const { NodeNext } = ts.ModuleKind;
  const program = ts.createProgram([path], {
    module: NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    noLib: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(path) as ts.SourceFile) as ts.Symbol;
  return checker.getExportsOfModule(module).map(({ name }) => name);
}

/** The names in the first column of the table that follows the sentence. */
function namesAfter(sentence: string): string[] {
  const [, rest = ''] = page.split(`${sentence}\n\n`);
  const [table = ''] = rest.split('\n\n');
  return table
    .split('\n')
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
}

describe('docs/bank/port.md lists every export', () => {
  it.each([
    ['These are the exports of `account-information-core-adapter`:', 'packages/core-adapter/published-port.ts'],
    ['These are the exports of its entry `kit`:', 'packages/adapter-kit/adapter-kit.ts'],
  ])('%s', (sentence, file) => {
    expect(namesAfter(sentence).toSorted()).toEqual(exportsOf(file).toSorted());
  });
});
