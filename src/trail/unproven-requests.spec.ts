import { describe, expect, it } from '@jest/globals';
import type { RequestEvent } from './event.js';
import { UnprovenRequests } from './unproven-requests.js';

const event = (id: number, members: Partial<RequestEvent> = {}): RequestEvent => ({
  kind: 'request',
  id: String(id),
  at: '2026-06-15T12:00:00.000Z',
  listener: 'api',
  endpoint: 'balances',
  status: 401,
  reason: 'token-missing',
  lastByteMs: 3,
  ...members,
});

describe('requests of callers who prove nothing', () => {
  it('have an event each up to five a second of a listener and a reason, and one for all others', () => {
    const requests = new UnprovenRequests();
    const alone = Array.from({ length: 12 }, (_, id) => requests.unlessCounted(event(id), 7_000 + id));
    expect(alone.map((one) => one?.id)).toEqual(
      ['0', '1', '2', '3', '4'].concat(Array<never>(7).fill(undefined as never)),
    );
    expect(requests.take(7_999)).toEqual([]);
    const counted = { id: '5', listener: 'api', endpoint: 'balances', status: 401, reason: 'token-missing', count: 7 };
    const [one, ...others] = requests.take(8_000);
    expect([one, others]).toMatchObject([counted, []]);
    expect(one).not.toHaveProperty('lastByteMs');
    expect(requests.unlessCounted(event(12), 8_001)?.id).toBe('12');
  });

  it('are counted by listener, endpoint, status, reason and second', () => {
    const requests = new UnprovenRequests();
    const kinds: Partial<RequestEvent>[] = [
      {},
      { endpoint: 'accounts' },
      { listener: 'bank' },
      { status: 503, reason: 'database-unreachable' },
      { status: 200, reason: undefined },
    ];
    for (const second of [1, 2])
      for (let time = 0; time < 20; time++)
        for (const members of kinds) requests.unlessCounted(event(time, members), second * 1_000);
    const counts = requests.take(3_000).map(({ count = 0 }) => count);
    expect(counts).toHaveLength(2 * kinds.length);
    // The two endpoints with one reason share the five events.
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2 * (20 * kinds.length - 4 * 5));
  });
});
