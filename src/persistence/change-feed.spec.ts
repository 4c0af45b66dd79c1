import { describe, expect, it } from '@jest/globals';
import { FedChanges, isTrusted, readChange, type Change } from './change-feed.js';

describe('a notification', () => {
  it.each<[string, Change]>([
    ['5d0c', { of: 'consent', consentId: '5d0c' }],
    ['tpp:moneyview', { of: 'tpp', clientId: 'moneyview' }],
    ['tpp:a:b', { of: 'tpp', clientId: 'a:b' }],
    ['signing-keys:', { of: 'signing-keys' }],
    ['signing-keys:x', { of: 'consent', consentId: 'signing-keys:x' }],
  ])('%s tells of %j', (payload, change) => {
    expect(readChange(payload)).toEqual(change);
  });
});

describe('the feed of changes', () => {
  it('is not trusted before it heard anything', () => {
    expect(isTrusted(new FedChanges(), 0)).toBe(false);
  });

  it('is trusted for less than two seconds after the moment up to which it heard everything', () => {
    const feed = new FedChanges();
    feed.hearUpTo(10_000);
    expect([10_000, 11_999.9, 12_000].map((nowMs) => isTrusted(feed, nowMs))).toEqual([true, true, false]);
  });

  it('is not trusted once changes may be missed, and its next session is another one', () => {
    const feed = new FedChanges();
    feed.hearUpTo(10_000);
    const { session } = feed;
    feed.miss();
    expect([isTrusted(feed, 10_000), feed.session > session]).toEqual([false, true]);
  });

  it('tells everybody who subscribed', () => {
    const feed = new FedChanges();
    const told: Change[] = [];
    feed.subscribe((change) => told.push(change));
    feed.subscribe((change) => told.push(change));
    feed.tell({ of: 'tpp', clientId: 'moneyview' });
    expect(told).toEqual([
      { of: 'tpp', clientId: 'moneyview' },
      { of: 'tpp', clientId: 'moneyview' },
    ]);
  });
});
