import { describe, expect, it } from '@jest/globals';
import {
  accessEnd,
  accessRefusal,
  canBeAnswered,
  isOfLaterVersion,
  wasNotBegunInTime,
  wasNotCompletedInTime,
} from './access.policy.js';
import type { Consent, CustomerConsent } from './consent.js';
import { tppId } from '../open-banking/tpp-id.js';

const at = (ms: number): Date => new Date(Date.UTC(2026, 5, 15) + ms);
const nowMs = at(1_000).getTime();

const lasting: Consent = {
  consentId: 'aac-1',
  tpp: tppId('https://as.example', 'tpp'),
  kind: 'account-access',
  permissions: ['ReadBalances'],
  status: 'authorised',
  createdAt: at(0),
  createdIn: 'v3.1',
  authorisedAt: at(0),
  statusUpdatedAt: at(0),
  authorisation: { customerRef: 'C1', accounts: [], lastAuthenticatedAt: at(0) },
};
const expires = (ms: number): Pick<Consent, 'expires'> => ({ expires: { text: 'as stated', atMs: at(ms).getTime() } });
const by = (who: 'customer' | 'bank', ms: number): Partial<Consent> => ({
  status: 'cancelled',
  reason: `${who}-withdrew`,
  statusUpdatedAt: at(ms),
});

describe('a customer can answer a consent', () => {
  const { authorisation: _erased, ...erased } = lasting;
  it.each<[boolean, string, Consent]>([
    [true, 'that waits', { ...erased, status: 'awaiting' }],
    [true, 'that can be confirmed again', lasting],
    [true, 'for confirmation of funds that can be confirmed again', { ...lasting, kind: 'funds-confirmation' }],
    [
      false,
      'for confirmation of funds that was withdrawn',
      { ...lasting, kind: 'funds-confirmation', ...by('customer', 5) },
    ],
    [true, 'that was withdrawn', { ...lasting, ...by('customer', 500) }],
    [false, 'that was withdrawn, and whose customer was erased', { ...erased, ...by('customer', 500) }],
    [false, 'that was refused', { ...erased, status: 'rejected' }],
    [false, 'that was withdrawn with all of its TPP', { ...lasting, ...by('bank', 500), isFinal: true }],
  ])('%s: one %s', (expected, _which, consent) => {
    expect(canBeAnswered(consent)).toBe(expected);
  });
});

describe('a consent gives access', () => {
  it.each<[boolean, string, Partial<Consent>]>([
    [true, 'without an end', {}],
    [true, 'a millisecond before its end', expires(1_001)],
    [false, 'at its end', expires(1_000)],
    [false, 'once the customer has withdrawn it', by('customer', 500)],
    [false, 'once the bank has withdrawn it', by('bank', 500)],
    [false, 'before it is authorised', { status: 'awaiting' }],
    [false, 'where it was refused', { status: 'rejected' }],
  ])('%s: %s', (expected, _when, change) => {
    expect(accessRefusal({ ...lasting, ...change }, undefined, nowMs) === undefined).toBe(expected);
  });
});

describe('a consent was not begun in time', () => {
  it.each<[boolean, string, number, Partial<Consent>]>([
    [false, 'a millisecond before its time ends', 1_001, { status: 'awaiting' }],
    [true, 'when its time is over', 1_000, { status: 'awaiting' }],
    [false, 'never once its authorisation was begun', 1, { status: 'awaiting', begunAt: at(0) }],
    [false, 'never once it was authorised', 1, {}],
    [false, 'never once it was rejected', 1, { status: 'rejected' }],
    [false, 'never once it was withdrawn', 1, by('bank', 500)],
  ])('%s: %s', (expected, _when, withinMs, change) => {
    expect(wasNotBegunInTime({ ...lasting, ...change }, withinMs, nowMs)).toBe(expected);
  });
});

describe('a begun authorisation was not completed in time', () => {
  it.each<[boolean, string, Partial<Consent>]>([
    [false, 'a millisecond before its time ends', { status: 'awaiting', begunAt: at(401) }],
    [true, 'when its time is over', { status: 'awaiting', begunAt: at(400) }],
    [false, 'never where it was not begun', { status: 'awaiting' }],
    [false, 'never once it was completed', { begunAt: at(0) }],
  ])('%s: %s', (expected, _when, change) => {
    expect(wasNotCompletedInTime({ ...lasting, ...change }, 600, nowMs)).toBe(expected);
  });
});

describe('a version of the API', () => {
  it.each([
    ['v3.1', 'v3.1', false],
    ['v3.1', 'v4.0', false],
    ['v4.0', 'v3.1', true],
    ['v10.0', 'v9.1', true],
  ])('a consent of %s is of a later version than %s: %s', (createdIn, accessedIn, expected) => {
    expect(isOfLaterVersion(createdIn, accessedIn)).toBe(expected);
  });
});

describe('the end of an access', () => {
  const end = (change: Partial<Consent>, more: Partial<CustomerConsent> = {}): unknown => {
    const found = accessEnd({ consent: { ...lasting, ...change }, ...more }, nowMs);
    return found && [found.how, found.at];
  };

  it.each<[string, Partial<Consent>, Partial<CustomerConsent>, unknown]>([
    ['absent while the access lasts', expires(1_001), {}, undefined],
    ['the consent’s expiry', expires(1_000), {}, ['expired', at(1_000)]],
    ['the customer’s withdrawal', by('customer', 5), {}, ['withdrawn', at(5)]],
    ['the bank’s withdrawal', by('bank', 5), {}, ['ended-by-bank', at(5)]],
    ['the deletion by its TPP', {}, { deletedAt: at(7) }, ['ended-by-tpp', at(7)]],
    [
      'the customer’s refusal',
      { status: 'rejected', statusUpdatedAt: at(3) },
      { deletedAt: at(2) },
      ['refused', at(3)],
    ],
    ['the first event: withdrawn, then deleted', by('customer', 5), { deletedAt: at(6) }, ['withdrawn', at(5)]],
    ['the first event: expired, then withdrawn', { ...expires(4), ...by('customer', 5) }, {}, ['expired', at(4)]],
    ['the first event: deleted, then expired', expires(900), { deletedAt: at(800) }, ['ended-by-tpp', at(800)]],
  ])('is %s', (_how, change, more, expected) => {
    expect(end(change, more)).toEqual(expected);
  });
});
