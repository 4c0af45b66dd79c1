import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reasons } from '../../src/trail/reasons.js';
import { closings, type SegmentRoot, type Link, type Signature } from '../../src/trail/root-record.js';
import { packageRoot } from '../../src/persistence/package-root.js';

const text = readFileSync(join(packageRoot(), 'docs/operate/trail.md'), 'utf8');

/** The part of the document from these words to the next line that begins with those. */
function part(from: string, to: string): string {
  const begin = text.indexOf(from);
  const end = text.indexOf(to, begin + from.length);
  if (begin < 0 || end < 0) throw new Error(`docs/operate/trail.md has no part from "${from}" to "${to}"`);
  return text.slice(begin, end);
}

/** The names in the first column of a part's table. */
function members(of: string): string[] {
  return of
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
}

/** The compiler demands every member, and no other. */
type Every<Of> = Readonly<Record<keyof Of, true>>;
const ofRoot: Every<Required<SegmentRoot> & Link & Signature> = {
  v: true,
  segment: true,
  day: true,
  instance: true,
  events: true,
  bytes: true,
  firstAt: true,
  lastAt: true,
  closed: true,
  signedAt: true,
  cut: true,
  root: true,
  sequence: true,
  previous: true,
  keyId: true,
  signature: true,
};

describe('docs/operate/trail.md', () => {
  it('has the members of a root record, and no other', () => {
    const listed = members(part("A segment's **root**", 'The **hash of a record**'));
    expect(listed.sort()).toEqual(Object.keys(ofRoot).sort());
  });

  it('has every closing', () => {
    for (const name of closings) expect(text).toContain(`\`${name}\``);
  });
});

describe('the reasons', () => {
  it.each(Object.entries(reasons))('%s states its meaning and a remedy in sentences', (_, { meaning, remedy }) => {
    for (const sentence of [meaning, remedy]) expect(sentence).toMatch(/^[A-Z`'].+[.]$/);
  });

  it('never send the operator to the message of an answer that the trail does not have', () => {
    const remedies = Object.values(reasons).map(({ remedy }) => remedy);
    expect(remedies.filter((remedy) => /reads the message/.test(remedy))).toEqual([]);
  });
});
