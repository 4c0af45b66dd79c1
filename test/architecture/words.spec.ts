import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../src/persistence/package-root.js';

const root = packageRoot();

const documents = ['.', 'docs'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file)),
);

const sources = ['src', 'sandbox', 'packages', 'adapter-tools', 'test', 'scripts'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|js|mjs|cjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)),
);

/** The text of a document without its code and headings, each paragraph, list item and cell of a table on its own line. */
function proseOf(document: string): string[] {
  return document
    .replace(/^```[^]*?^```$/gm, '')
    .replace(/^#.*$/gm, '')
    .split(/\n\s*\n|^\s*(?:[-*]|\d+\.) |\|/gm)
    .map((part) => part.replace(/\s+/g, ' ').trim());
}

/** Each comment of a source on one line, without its asterisks and tags. */
function commentsOf(source: string): string[] {
  const comments = source.matchAll(/\/\*[^]*?\*\/|(?<=^|[\s;,{(])\/\/ .*(?:\n\s*\/\/ .*)*/gm);
  return [...comments].flatMap(([comment]) =>
    comment
      .replace(/^\/\*\*?|\*\/$/g, '')
      .replace(/^\s*(?:\*|\/\/) ?/gm, '')
      .split(/^\s*(?:@param \w+|@\w+|-) /gm)
      .map((part) => part.replace(/\s+/g, ' ').trim()),
  );
}

/** The sentences whose subject is a clause: the reader meets the actor late or never. A question may start so. */
function hiddenActors(text: string): string[] {
  const sentences = text.matchAll(/(?<=^|[.:;!?] )((?:What|Who|Whoever|Whatever|Whichever) [^.?!]*[.?!]?)/g);
  return [...sentences].flatMap(([, sentence = '']) => (sentence.endsWith('?') ? [] : [sentence]));
}

/** The citations by a number that only a document outside of the repository has. A published standard may be cited. */
function outsideCitations(text: string): string[] {
  const numbered = text.matchAll(
    /(?<!(?:RFC \d+|X\.\d+|ETSI TS [\d ]*\d|FAPI 1.0 Advanced|FAPI 2.0 Security Profile|OpenID Connect Core 1.0|Content Security Policy Level 3),? )\b(?:[Ss]ections? \d[\d.]*|[Cc]hecks? \d+|[Dd]ecisions? \d+|standard-facts|design\.md)/g,
  );
  return [...numbered].map(([citation]) => citation);
}

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

describe('the words of the project', () => {
  it.each(documents)('%s names the actor of each sentence and cites by name', (document) => {
    const prose = proseOf(read(document));
    expect(prose.flatMap(hiddenActors)).toEqual([]);
    expect(prose.flatMap(outsideCitations)).toEqual([]);
  });

  it('comments name the actor of each sentence', () => {
    const found = sources.flatMap((file) =>
      commentsOf(read(file))
        .flatMap(hiddenActors)
        .map((sentence) => `${file}: ${sentence}`),
    );
    expect(found).toEqual([]);
  });

  it('comments cite the repository and published standards, by name', () => {
    const found = sources.flatMap((file) =>
      commentsOf(read(file))
        .flatMap(outsideCitations)
        .map((citation) => `${file}: ${citation}`),
    );
    expect(found).toEqual([]);
  });

  it('are found where they hide the actor, in comments and in documents', () => {
    const words = ['Wh', 'o asks is told. Wh', 'at is meant? Wh', 'atever is late is left out.'].join('');
    const hidden = ['Who asks is told.', 'Whatever is late is left out.'];
    for (const comment of [`/** ${words} */`, `x(); // ${words}`, `/**\n * A rule.\n * @param x ${words}\n */`])
      expect(commentsOf(comment).flatMap(hiddenActors)).toEqual(hidden);
    for (const prose of [words, `- ${words}`, `| ${words} | b |`, `A rule. ${words}`])
      expect(proseOf(prose).flatMap(hiddenActors)).toEqual(hidden);
    expect(proseOf(`\`\`\`\n${words}\n\`\`\``).flatMap(hiddenActors)).toEqual([]);
  });

  it('are found where they cite what a reader does not have', () => {
    expect(outsideCitations('As section 2.1 and Check 4 say (standard-facts).')).toEqual([
      ...['section 2.1', 'Check 4', 'standard-facts'],
    ]);
    expect(outsideCitations('RFC 6265, section 5.1.4, and docs/specification.md, section "Party"')).toEqual([]);
  });
});
