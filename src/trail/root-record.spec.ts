import { describe, expect, it } from '@jest/globals';
import {
  canonicalJson,
  follows,
  isSignedBy,
  noRecord,
  linkAfter,
  publicKeyOf,
  rawPublicKey,
  recordHash,
  signRecord,
  trailKey,
  type SegmentRoot,
} from './root-record.js';

const key = trailKey('the secret of a trail in a test, long enough');
const content: SegmentRoot = {
  v: 1,
  segment: '20261124T060000000Z.host-1-0123abcd',
  day: '2026-11-24',
  instance: 'host-1-0123abcd',
  events: 2,
  bytes: 300,
  firstAt: '2026-11-24T06:00:00.000Z',
  lastAt: '2026-11-24T06:00:01.000Z',
  closed: 'stop',
  signedAt: '2026-11-24T06:00:02.000Z',
  root: 'ab'.repeat(32),
};
const first = signRecord(content, linkAfter(undefined), key);

describe('a root record', () => {
  it('has a canonical form: members by name, without blanks, without those that are absent', () => {
    expect(canonicalJson({ b: [2, 'x', { d: 1, c: null }], a: undefined })).toBe('{"b":[2,"x",{"c":null,"d":1}]}');
  });

  it('is signed by the key of the trail, and the key is the same after each start', () => {
    expect(first.keyId).toMatch(/^[0-9a-f]{16}$/);
    expect(trailKey('the secret of a trail in a test, long enough').keyId).toBe(first.keyId);
    expect(isSignedBy(first, key.publicKey)).toBe(true);
    expect(isSignedBy(first, publicKeyOf(rawPublicKey(key.publicKey)))).toBe(true);
    expect(isSignedBy(first, trailKey('another secret of another trail in a test').publicKey)).toBe(false);
  });

  it.each(['segment', 'events', 'root', 'sequence', 'previous', 'closed', 'signedAt', 'keyId', 'signature'] as const)(
    'is no longer signed once its "%s" has changed',
    (member) => {
      const value = first[member as keyof typeof first];
      const changed = { ...first, [member]: typeof value === 'number' ? value + 1 : `x${String(value).slice(1)}` };
      expect(isSignedBy(changed, key.publicKey)).toBe(false);
    },
  );

  it('has one place in its chain', () => {
    expect(first).toMatchObject({ sequence: 1, previous: noRecord });
    const second = signRecord({ v: 1, dropped: '2026-11-20', segments: [], at: content.lastAt }, linkAfter(first), key);
    expect(second).toMatchObject({ sequence: 2, previous: recordHash(first) });
    expect([follows(first, undefined), follows(second, first)]).toEqual([true, true]);
    expect([follows(second, undefined), follows(first, second), follows({ ...second, sequence: 3 }, first)]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
