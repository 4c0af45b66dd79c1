import { describe, expect, it } from '@jest/globals';
import { EventLines } from './event-lines.js';
import type { TppEvent } from './event.js';
import { MerkleTree } from './merkle.js';

const event = (id: string, tpp: string): TppEvent => ({
  kind: 'tpp',
  id,
  at: `2026-11-24T12:00:00.00${id}Z`,
  event: 'suspended',
  by: 'bank',
  tpp,
});

const linesOf = (...events: TppEvent[]): EventLines => {
  const lines = new EventLines('host-1', '1.2.3');
  for (const each of events) lines.add(each);
  return lines;
};

describe('the lines of events', () => {
  it('have the numbers of the events, and in the first the count of lost events', () => {
    const lines = linesOf(event('1', 'one'), event('2', 'two'));
    lines.number(99_999, 3);
    expect(lines.content.toString()).toBe(
      '{"v":1,"seq":99999 ,"lost":3,"instance":"host-1","release":"1.2.3","kind":"tpp","id":"1","at":"2026-11-24T12:00:00.001Z","event":"suspended","by":"bank","tpp":"one"}\n' +
        '{"v":1,"seq":100000,"instance":"host-1","release":"1.2.3","kind":"tpp","id":"2","at":"2026-11-24T12:00:00.002Z","event":"suspended","by":"bank","tpp":"two"}\n',
    );
    expect([lines.count, lines.firstAt, lines.lastAt]).toEqual([
      2,
      '2026-11-24T12:00:00.001Z',
      '2026-11-24T12:00:00.002Z',
    ]);
  });

  it('give the leaves of the tree, whatever the length of the lines, one group after another', () => {
    const lines = linesOf();
    const [fromLeaves, fromLines] = [new MerkleTree(), new MerkleTree()];
    for (const [length, lost] of [
      [1, 0],
      [10_000, 7],
      [10, Number.MAX_SAFE_INTEGER],
    ] as const) {
      for (let index = 0; index < 200; index++) lines.add(event(String(index % 10), 'ä'.repeat(length)));
      lines.number(1, lost);
      for (const line of lines.content.toString().trimEnd().split('\n')) fromLines.add(line);
      lines.eachLeaf((leaf) => fromLeaves.addLeaf(leaf));
      lines.settle();
    }
    expect(fromLeaves.root()).toBe(fromLines.root());
  });

  it('leave those that do not fit to the next write', () => {
    const [first, next] = [linesOf(event('1', 'one'), event('2', 'two'), event('3', 'three')), linesOf()];
    first.keep(3, next);
    expect([first.count, next.count]).toEqual([3, 0]);
    first.keep(1, next);
    next.add(event('4', 'four'));
    first.number(8, 0);
    next.number(9, 0);
    const ids = (lines: EventLines) =>
      lines.content
        .toString()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { seq: number; tpp: string })
        .map(({ seq, tpp }) => `${seq} ${tpp}`);
    expect([ids(first), ids(next)]).toEqual([['8 one'], ['9 two', '10 three', '11 four']]);
  });
});
