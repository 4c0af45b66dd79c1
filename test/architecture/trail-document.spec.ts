import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  authorisationSteps,
  consentChanges,
  listeners,
  outageChanges,
  tppChanges,
  type ConsentEvent,
  type RequestEvent,
  type WrittenMembers,
} from '../../src/trail/event.js';
import type { Saw } from '../../src/trail/saw.js';
import { reasons } from '../../src/trail/reasons.js';
import { closings, type SegmentRoot, type Link, type Signature } from '../../src/trail/root-record.js';
import { packageRoot } from '../../src/persistence/package-root.js';

const text = readFileSync(join(packageRoot(), 'docs/trail.md'), 'utf8');

/** The part of the document from these words to the next line that begins with those. */
function part(from: string, to: string): string {
  const begin = text.indexOf(from);
  const end = text.indexOf(to, begin + from.length);
  if (begin < 0 || end < 0) throw new Error(`docs/trail.md has no part from "${from}" to "${to}"`);
  return text.slice(begin, end);
}

/** The names in the first column of a part's table. */
function members(of: string): string[] {
  return of
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
}

const named = (of: string): string[] => [...of.matchAll(/`([a-z0-9_-]+)`/g)].map(([, name = '']) => name);

/** The compiler demands every member, and no other. */
type Every<Of> = Readonly<Record<keyof Of, true>>;
const ofAll: Every<Required<WrittenMembers> & Pick<RequestEvent, 'kind' | 'id' | 'at'>> = {
  v: true,
  seq: true,
  kind: true,
  id: true,
  at: true,
  instance: true,
  release: true,
  lost: true,
};
const ofRequest: Every<Required<Omit<RequestEvent, 'kind' | 'id' | 'at'>>> = {
  listener: true,
  traceparent: true,
  method: true,
  endpoint: true,
  apiVersion: true,
  status: true,
  unsentStatus: true,
  firstByteMs: true,
  lastByteMs: true,
  bytes: true,
  issuer: true,
  tpp: true,
  by: true,
  consent: true,
  acr: true,
  error: true,
  refusedBy: true,
  failedIn: true,
  field: true,
  rule: true,
  reason: true,
  errorId: true,
  core: true,
  coreMs: true,
  coreFault: true,
  attended: true,
  unattended: true,
  product: true,
  rows: true,
  badRecords: true,
  customer: true,
  account: true,
  ignoredParameters: true,
  coresAway: true,
  saw: true,
  count: true,
};
const ofConsent: Every<Required<Omit<ConsentEvent, 'kind' | 'id' | 'at'>>> = {
  event: true,
  by: true,
  consent: true,
  issuer: true,
  tpp: true,
  customer: true,
  reason: true,
  interactionId: true,
  permissions: true,
  accounts: true,
  expires: true,
  status: true,
};
const ofSaw: Every<Required<Saw>> = {
  authenticationAgeS: true,
  windowS: true,
  permissionsHeld: true,
  permissionsNeeded: true,
  consentStatus: true,
  historyFromAgeDays: true,
  limit: true,
  retryAfterS: true,
  tls: true,
  certificateIssuer: true,
  certificateSerial: true,
  clientAuthentication: true,
  grantType: true,
};
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

describe('docs/trail.md', () => {
  it.each<[string, string, string, object]>([
    ['every event', 'Members of every event', '`segment`, the first', { ...ofAll, tooLong: true }],
    ['a request', '`request`, one of each', 'Members of `saw`', ofRequest],
    ['a change of a consent', '`consent`, one of each', 'When the bank revokes', ofConsent],
    ['a root record', "A segment's **root**", 'The **hash of a record**', ofRoot],
  ])('has the members of %s, and no other', (_, from, to, typed) => {
    expect(members(part(from, to)).sort()).toEqual(Object.keys(typed).sort());
  });

  it('has the facts that a check may judge', () => {
    const listed = [...part('Members of `saw`', '`consent`, one of each').matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(listed.filter((name) => name !== 'saw').sort()).toEqual(Object.keys(ofSaw).sort());
  });

  it('has every reason, and no other', () => {
    const listed = named(part('A request: ', '## Proof'));
    expect(listed.sort()).toEqual(Object.keys(reasons).sort());
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
