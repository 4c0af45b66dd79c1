import { describe, expect, it } from '@jest/globals';
import type { TppEvent } from './event.js';
import { EventQueue, type Waiting } from './event-queue.js';

const waiting = (id: string, isProven: boolean): Waiting => {
  const event: TppEvent = { kind: 'tpp', id, at: '', event: 'suspended', by: 'bank' };
  return { event, json: '', isProven };
};
const idsOf = (events: readonly Waiting[]): string[] => events.map(({ event }) => event.id);

describe('the events that wait', () => {
  it('keep their places for callers who have proven who they are, however many others come', () => {
    const queue = new EventQueue();
    let taken = 0;
    while (queue.add(waiting('stranger', false))) taken++;
    expect(taken).toBe(20_000);
    expect(queue.add(waiting('known', true))).toBe(true);
    expect(idsOf(queue.first(2))).toEqual(['known', 'stranger']);
  });

  it('leave in their order, those of proven callers first, also where more come meanwhile', () => {
    const queue = new EventQueue();
    for (const [id, isProven] of [
      ['a', false],
      ['1', true],
      ['b', false],
      ['2', true],
    ] as const)
      queue.add(waiting(id, isProven));
    const first = queue.first(3);
    queue.add(waiting('3', true));
    queue.remove(first);
    expect([idsOf(first), idsOf(queue.first(9)), queue.length]).toEqual([['1', '2', 'a'], ['3', 'b'], 2]);
  });
});
