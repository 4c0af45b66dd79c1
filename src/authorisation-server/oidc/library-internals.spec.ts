import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../persistence/package-root.js';

const source = readFileSync(join(import.meta.dirname, 'library-internals.ts'), 'utf8');
const library = join(packageRoot(), 'node_modules', 'oidc-provider');
const lineOf = (path: string, line: number): string | undefined =>
  readFileSync(join(library, path), 'utf8').split('\n')[line - 1]?.trim();

/** The library's text at each place that the file links to. */
const relied: readonly (readonly [place: string, text: string])[] = [
  ['lib/provider.js#L195', 'cookieName(type) {'],
  ['lib/actions/authorization/resume.js#L18', "ctx.oidc.provider.cookieName('resume'),"],
  ['lib/models/interaction.js#L68', "'parJti',"],
  ['lib/actions/authorization/respond.js#L39', "if (!out.id_token && !responseMode.includes('jwt')) {"],
  ['lib/actions/authorization/respond.js#L43', "ctx.oidc.provider.emit('authorization.success', ctx, out);"],
];

describe('library-internals.ts', () => {
  it('names the installed version', () => {
    const { version } = createRequire(import.meta.url)(join(library, 'package.json')) as { version: string };
    const tags = [...source.matchAll(/node-oidc-provider\/blob\/v([\d.]+)\//g)].map(([, tag]) => tag);
    expect(new Set(tags)).toEqual(new Set([version]));
  });

  it('links to every place that is checked here, and to no other', () => {
    const linked = [...source.matchAll(/node-oidc-provider\/blob\/v[\d.]+\/(\S+)/g)].map(([, place]) => place);
    expect(linked).toEqual(relied.map(([place]) => place));
  });

  it.each(relied)('finds at %s the text that it relies on', (place, text) => {
    const [path = '', line] = place.split('#L');
    expect(lineOf(path, Number(line))).toBe(text);
  });
});
