import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { authorisationSteps, consentChanges, listeners, outageChanges, tppChanges } from '../../src/trail/event.js';
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

interface Part {
  readonly properties?: Readonly<Record<string, Part>>;
}
/** Made from the types of events (`src/trail/event.ts`). */
const schema = JSON.parse(readFileSync(join(packageRoot(), 'docs/trail-event.schema.json'), 'utf8')) as {
  readonly $defs: Readonly<Record<string, Part>>;
};
const inSchema = (kind: string): Readonly<Record<string, Part>> => schema.$defs[kind]?.properties ?? {};
/** The line of an event that is too long has the members of every event alone. */
const ofEvery = Object.keys(inSchema('TooLongEvent'));
const ofKind = (kind: string): string[] => Object.keys(inSchema(kind)).filter((name) => !ofEvery.includes(name));

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
  it.each<[string, string, string, readonly string[]]>([
    ['every event', 'Members of every event', '`segment`, the first', ofEvery],
    ['a request', '`request`, one of each', 'Members of `facts`', ofKind('RequestEvent')],
    ['a change of a consent', '`consent`, one of each', 'When the bank revokes', ofKind('ConsentEvent')],
    ['a root record', "A segment's **root**", 'The **hash of a record**', Object.keys(ofRoot)],
  ])('has the members of %s, and no other', (_, from, to, typed) => {
    expect(members(part(from, to)).sort()).toEqual([...typed].sort());
  });

  it('has the facts on which a check may decide', () => {
    const listed = [...part('Members of `facts`', '`consent`, one of each').matchAll(/`(\w+)`/g)].map(
      ([, name]) => name,
    );
    const { facts } = inSchema('RequestEvent');
    expect(listed.filter((name) => name !== 'facts').sort()).toEqual(Object.keys(facts?.properties ?? {}).sort());
  });

  it('has every change, step, listener and closing', () => {
    for (const name of [
      ...consentChanges,
      ...authorisationSteps,
      ...tppChanges,
      ...outageChanges,
      ...listeners,
      ...closings,
    ])
      expect(text).toContain(`\`${name}\``);
  });
});

describe('the reasons', () => {
  it.each(Object.entries(reasons))('%s tells its meaning and a remedy in sentences', (_, { meaning, remedy }) => {
    for (const sentence of [meaning, remedy]) expect(sentence).toMatch(/^[A-Z`'].+[.]$/);
  });

  it('never send the operator to the message of an answer that the trail does not have', () => {
    const remedies = Object.values(reasons).map(({ remedy }) => remedy);
    expect(remedies.filter((remedy) => /reads the message/.test(remedy))).toEqual([]);
  });
});
