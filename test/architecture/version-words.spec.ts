import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../src/persistence/package-root.js';
import { versionNames } from '../../src/versions/versions.js';

/** Words that one version alone says. */
const words: Readonly<Record<(typeof versionNames)[number], RegExp>> = {
  'v3.1':
    /UK\.OBIE\.(?:Field|Header|Resource|Reauthenticate|UnexpectedError)|'(?:Interim|Closing)(?:Booked|Available)'|AwaitingAuthorisation|AccountSubType\b|open-banking\/v3/,
  'v4.0':
    /'(?:AWAU|AUTH|RJCT|CANC|EXPD|CACC|SVGS|ITAV|ITBD|CLBD|BOOK|PDNG|ACTV|U0\d\d|TKXP)'|AccountTypeCode|MandateRelatedInformation|open-banking\/v4/,
};

const root = join(packageRoot(), 'src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

describe.each(versionNames)('%s', (name) => {
  it('alone says its words: no file outside its folder has one', () => {
    const folder = `versions/${name}/`;
    expect(files.some(({ file, text }) => file.startsWith(folder) && words[name].test(text))).toBe(true);
    const outside = files.filter(({ file, text }) => !file.startsWith(folder) && words[name].test(text));
    expect(outside.map(({ file }) => file)).toEqual([]);
  });

  it('is imported by no other version, so that it can be deleted', () => {
    const importing = files.filter(
      ({ file, text }) =>
        file.startsWith('versions/') &&
        !file.startsWith(`versions/${name}/`) &&
        file !== 'versions/versions.ts' &&
        text.includes(`/${name}/`),
    );
    expect(importing.map(({ file }) => file)).toEqual([]);
  });
});
