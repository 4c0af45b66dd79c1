import { describe, expect, it } from '@jest/globals';
import { decodeChange, FedChanges, isTrusted, type RowChange } from './change-feed.js';

describe('a notification', () => {
  it.each<[string, RowChange]>([
    ['consent:5d0c', { kind: 'consent', key: '5d0c' }],
    ['tpp:moneyview', { kind: 'tpp', key: 'moneyview' }],
    ['tpp:a:b', { kind: 'tpp', key: 'a:b' }],
    ['signing-keys:', { kind: 'signing-keys', key: '' }],
    ['signing-keys:x', { kind: 'signing-keys', key: 'x' }],
  ])('%s tells of %j', (payload, change) => {
    expect(decodeChange(payload)).toEqual(change);
  });

  it.each([
    '',
    '5d0c',
    ':',
    ':x',
    'toString:x',
    '__proto__:x',
    'TPP:moneyview',
    ' tpp:moneyview',
    '\u0000',
    '1'.repeat(8_000),
  ])('that a stranger sends, %j, tells no subscriber', (payload) => {
    const feed = new FedChanges();
    const told: string[] = [];
    for (const kind of ['consent', 'tpp', 'tpp-standing', 'signing-keys'])
      feed.subscribe(kind, (key) => told.push(key));
    feed.tell(decodeChange(payload));
    expect(told).toEqual([]);
  });
});

describe('the feed of changes', () => {
  it('is not trusted before it heard anything', () => {
    expect(isTrusted(new FedChanges(), 0)).toBe(false);
  });

  it('is trusted for less than two seconds after the moment up to which it heard everything', () => {
    const feed = new FedChanges();
    feed.trustUpTo(10_000);
    expect([10_000, 11_999.9, 12_000].map((nowMs) => isTrusted(feed, nowMs))).toEqual([true, true, false]);
  });

  it('is not trusted once changes may be missed, and its next session is another one', () => {
    const feed = new FedChanges();
    feed.trustUpTo(10_000);
    const { session } = feed;
    feed.distrust();
    expect([isTrusted(feed, 10_000), feed.session > session]).toEqual([false, true]);
  });

  it('tells everybody who subscribed to the kind, and nobody else', () => {
    const feed = new FedChanges();
    const told: string[] = [];
    feed.subscribe('tpp', (key) => told.push(`first ${key}`));
    feed.subscribe('tpp', (key) => told.push(`second ${key}`));
    feed.subscribe('tpp-standing', (key) => told.push(`other ${key}`));
    feed.tell({ kind: 'tpp', key: 'moneyview' });
    expect(told).toEqual(['first moneyview', 'second moneyview']);
  });
});
