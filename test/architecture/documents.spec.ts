import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../src/persistence/package-root.js';

const root = packageRoot();
const documents = [
  ...readdirSync(root).filter((file) => file.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { encoding: 'utf8', recursive: true })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];

function text(document: string): string {
  return readFileSync(join(root, document), 'utf8');
}

function all(document: string, pattern: RegExp): string[] {
  return [...text(document).matchAll(pattern)].flatMap((match) => match[1] ?? []);
}

describe.each(documents)('%s', (document) => {
  it('names only npm scripts that exist', () => {
    const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };
    const named = all(document, /npm run (?:--silent |-s )?([a-z][a-z:-]*)/g);
    expect(named.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
  });

  it('names only files of the project that exist', () => {
    const named = all(
      document,
      /`((?:src|packages|adapter-tools|ops|test|docs|sandbox|prisma|scripts)\/[\w./-]+\.[a-z]+)`/g,
    );
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('links only to files that exist', () => {
    const folder = join(root, dirname(document));
    const linked = all(document, /\]\((?!https?:|#)([^)#]+)/g);
    expect(linked.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
  });
});
