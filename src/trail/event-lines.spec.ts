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

describe('the lines of events', () => {
  it('number the events, and have further members in the first line', () => {
    const lines = new EventLines('host-1', '1.2.3');
    lines.make(7, [event('1', 'one'), event('2', 'two')], '"lost":3,');
    expect(lines.content.toString()).toBe(
      '{"v":1,"seq":7,"instance":"host-1","release":"1.2.3","lost":3,"kind":"tpp","id":"1","at":"2026-11-24T12:00:00.001Z","event":"suspended","by":"bank","tpp":"one"}\n' +
        '{"v":1,"seq":8,"instance":"host-1","release":"1.2.3","kind":"tpp","id":"2","at":"2026-11-24T12:00:00.002Z","event":"suspended","by":"bank","tpp":"two"}\n',
    );
    expect([lines.count, lines.firstAt, lines.lastAt]).toEqual([
      2,
      '2026-11-24T12:00:00.001Z',
      '2026-11-24T12:00:00.002Z',
    ]);
  });

  it('give the leaves of the tree, whatever the length of the lines, one group after another', () => {
    const lines = new EventLines('host-1', '1.2.3');
    const [fromLeaves, fromLines] = [new MerkleTree(), new MerkleTree()];
    for (const length of [1, 4_000, 10]) {
      const events = Array.from({ length: 100 }, (_, index) => event(String(index % 10), 'ä'.repeat(length)));
      lines.make(1, events, '');
      for (const line of lines.content.toString().trimEnd().split('\n')) fromLines.add(line);
      lines.eachLeaf((leaf) => fromLeaves.addLeaf(leaf));
    }
    expect(fromLeaves.root()).toBe(fromLines.root());
  });
});
