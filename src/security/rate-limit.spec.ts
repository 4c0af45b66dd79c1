import { describe, expect, it } from '@jest/globals';
import { RateLimit } from './rate-limit.js';

/** So slow that no token returns while the test runs. */
const limit = (): RateLimit => new RateLimit('requests', { perSecond: 0.001, burst: 2 });

describe('a rate limit', () => {
  it('reports its state without taking a request', () => {
    const requests = limit();
    for (let i = 0; i < 5; i++) expect(requests.stateOf('one')).toMatchObject({ admitted: true, remaining: 2 });
    requests.take('one');
    for (let i = 0; i < 5; i++) expect(requests.stateOf('one')).toMatchObject({ admitted: true, remaining: 1 });
    requests.take('one');
    expect(requests.stateOf('one')).toMatchObject({ admitted: false, retryAfterSeconds: 1_000 });
  });

  it('counts requests that were charged beyond it, so that simultaneous requests cost as much as consecutive ones', () => {
    const requests = limit();
    for (let i = 0; i < 12; i++) requests.charge('one');
    const { admitted, retryAfterSeconds } = requests.stateOf('one');
    expect([admitted, retryAfterSeconds]).toEqual([false, 11_000]);
    expect(requests.take('one').admitted).toBe(false);
    expect(requests.stateOf('two').admitted).toBe(true);
  });

  it('keeps ten thousand subjects, the most recently used ones', () => {
    const requests = limit();
    for (const subject of ['kept', 'forgotten']) for (let i = 0; i < 2; i++) requests.charge(subject);
    for (let i = 0; i < 9_998; i++) requests.charge(`another ${i}`);
    expect(requests.stateOf('kept').admitted).toBe(false);
    requests.charge('one more');
    expect([requests.stateOf('kept').admitted, requests.stateOf('forgotten').admitted]).toEqual([false, true]);
  });
});
