import { describe, expect, it } from '@jest/globals';
import { issuerOf, type Naming } from './tpp-naming.policy.js';

const [one, two, old] = ['https://one.example', 'https://two.example', 'https://old.example'];
const embedded = 'embedded';
const unknown = (...issuers: string[]): Naming => ({ fault: 'unknown', issuers });
const ambiguous = (...issuers: string[]): Naming => ({ fault: 'ambiguous', issuers });

describe('a TPP that a caller names by its client id alone', () => {
  it.each<[string, string[], string[], Naming]>([
    ['is that of the only issuer, also before it is known', [], [one], { issuer: one }],
    ['is that of the only issuer that knows it', [two], [one, two], { issuer: two }],
    ['is the registered one', [embedded], [embedded, one], { issuer: embedded }],
    ['is in doubt where two issuers have it', [one, two], [one, two], ambiguous(one, two)],
    [
      'is ambiguous where the client id is registered at another issuer',
      [embedded, one],
      [embedded, one],
      ambiguous(embedded, one),
    ],
    ['is in doubt before it is known to one of two', [], [one, two], ambiguous(one, two)],
    ['is in doubt where its issuer is no longer configured', [old], [one], ambiguous(old, one)],
    ['is in doubt where no issuer is configured any more', [old], [], ambiguous(old)],
    ['is a slip where it is not registered', [], [embedded], unknown()],
    ['is a slip where it is neither registered nor known', [], [embedded, one], unknown(one)],
  ])('%s', (_case, known, accepted, expected) => {
    expect(issuerOf(undefined, known, accepted)).toEqual(expected);
  });
});

describe('a TPP that a caller names by its client id and its issuer', () => {
  it.each<[string, string, string[], string[], Naming]>([
    ['is that one', two, [one, two], [one, two], { issuer: two }],
    ['may be unknown yet', two, [one], [one, two], { issuer: two }],
    ['may be of an issuer that is no longer configured', old, [old], [one], { issuer: old }],
    ['must not be of an issuer that is not configured', old, [], [one], unknown(one)],
    ['must be registered where it is of the embedded one', embedded, [], [embedded, one], unknown(one)],
    ['is the registered one', embedded, [embedded, one], [embedded, one], { issuer: embedded }],
  ])('%s', (_case, asked, known, accepted, expected) => {
    expect(issuerOf(asked, known, accepted)).toEqual(expected);
  });
});
