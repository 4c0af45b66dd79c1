import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../src/persistence/package-root.js';
import { pages } from '../support/documents.js';

const root = packageRoot();
function all(document: string, pattern: RegExp): string[] {
  return [...(pages.get(document) ?? '').matchAll(pattern)].flatMap((match) => match[1] ?? []);
}

/** The names by which links know the headings of a page. */
function anchorsOf(page: string): string[] {
  return all(page, /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe.each([...pages.keys()])('%s', (document) => {
  it('names only npm scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
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

  it('links only to headings that exist', () => {
    const linked = all(document, /\]\((?!https?:)([^)\s]*#[^)]+)\)/g);
    const missing = linked.filter((link) => {
      const [page = '', heading = ''] = link.split('#');
      return !anchorsOf(page === '' ? document : join(dirname(document), page)).includes(heading);
    });
    expect(missing).toEqual([]);
  });
});

it('each block of code that has a tag is read by a test', () => {
  const tags = [...pages.values()].flatMap((page) =>
    [...page.matchAll(/^ *```.* test:(\S+)$/gm)].map(([, tag]) => tag),
  );
  const specs = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.spec.ts'))
    .map((file) => readFileSync(join(root, 'test', file), 'utf8'))
    .join('\n');
  expect(tags.filter((tag) => !specs.includes(`'${tag}'`))).toEqual([]);
});
