import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/persistence/package-root.js';

const root = packageRoot();

/** Every page that people read, by its path. */
export const pages: ReadonlyMap<string, string> = new Map(
  [
    ...readdirSync(root).filter((file) => file.endsWith('.md')),
    ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => join('docs', file)),
  ].map((path) => [path, readFileSync(join(root, path), 'utf8')]),
);

/** The blocks of code whose fence has the tag, as in "```sh test:reports", in the order of the page: it may be any page. */
export function taggedBlocks(tag: string): string[] {
  const fence = new RegExp(`^ *\`\`\`\\w+ test:${tag}\\n([^]*?)^ *\`\`\`$`, 'gm');
  const found = [...pages.values()].flatMap((page) => [...page.matchAll(fence)].map(([, block = '']) => block));
  if (found.length === 0) throw new Error(`no document has a block of code with the tag test:${tag}`);
  return found;
}

/** The words after `npm run ops -- <command>` of each such line in the blocks with this tag. */
export function opsCommands(tag: string, command: string): string[] {
  const line = new RegExp(`^npm run (?:--silent )?ops -- ${command}\\b ?(.*)$`, 'gm');
  return taggedBlocks(tag).flatMap((block) => [...block.matchAll(line)].map(([, words = '']) => words));
}

/** The words of a line as a shell reads them. */
export function shellWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);
}
