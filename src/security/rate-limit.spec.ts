import { beforeEach, describe, expect, it } from '@jest/globals';
import { RateLimit } from './rate-limit.js';

describe('a rate limit of one request in ten seconds, and two at once', () => {
  let nowMs: number;
  let requests: RateLimit;
  beforeEach(() => {
    nowMs = 5_000;
    requests = new RateLimit('requests', { perSecond: 0.1, burst: 2 }, () => nowMs);
  });
  const admitted = (times: number): boolean[] => Array.from({ length: times }, () => requests.take('one').admitted);

  it('admits two requests at once, and one more every ten seconds, to the millisecond', () => {
    expect(admitted(3)).toEqual([true, true, false]);
    nowMs += 9_999;
    expect(requests.take('one')).toMatchObject({ admitted: false, remaining: 0, retryAfterSeconds: 1 });
    nowMs += 1;
    expect(admitted(2)).toEqual([true, false]);
    nowMs += 3_600_000;
    expect(admitted(3)).toEqual([true, true, false]);
  });

  it('reports its state without taking a request', () => {
    for (let i = 0; i < 5; i++) expect(requests.stateOf('one')).toMatchObject({ admitted: true, remaining: 2 });
    requests.take('one');
    for (let i = 0; i < 5; i++) expect(requests.stateOf('one')).toMatchObject({ admitted: true, remaining: 1 });
    requests.take('one');
    expect(requests.stateOf('one')).toMatchObject({ admitted: false, retryAfterSeconds: 10, fullInSeconds: 20 });
    expect([requests.usedBy('one'), requests.usedBy('two')]).toEqual([1, 0]);
  });

  it('counts requests that were charged beyond it, so that simultaneous requests cost as much as consecutive ones', () => {
    for (let i = 0; i < 12; i++) requests.charge('one');
    expect(requests.stateOf('one')).toMatchObject({ admitted: false, retryAfterSeconds: 110 });
    expect(requests.take('one').admitted).toBe(false);
    expect(requests.stateOf('two').admitted).toBe(true);
  });

  it('takes back a request that does not count after all, and holds no more than two', () => {
    expect(admitted(2)).toEqual([true, true]);
    requests.giveBack('one');
    expect(admitted(2)).toEqual([true, false]);
    for (let i = 0; i < 5; i++) requests.giveBack('one');
    expect(admitted(3)).toEqual([true, true, false]);
  });

  it('keeps ten thousand subjects, the most recently used ones', () => {
    for (const subject of ['kept', 'forgotten']) for (let i = 0; i < 2; i++) requests.charge(subject);
    for (let i = 0; i < 9_998; i++) requests.charge(`another ${i}`);
    expect(requests.stateOf('kept').admitted).toBe(false);
    requests.charge('one more');
    expect([requests.stateOf('kept').admitted, requests.stateOf('forgotten').admitted]).toEqual([false, true]);
  });
});
