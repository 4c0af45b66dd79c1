import { describe, expect, it } from '@jest/globals';
import { type Reader, ReaderQueues, theBank } from './reader-queues.js';

/** Readers that ask, end a read, or leave, and the connections that they hold. */
function queues(connections: number, longest = 1_000) {
  const all = new ReaderQueues(connections, longest);
  const started: Reader[] = [];
  const ask = (reader: Reader): 'at once' | 'refused' | (() => void) => {
    const queue = all.queueOf(reader);
    if (all.take(queue)) return 'at once';
    const read = (): void => void started.push(reader);
    return all.join(queue, read) ? read : 'refused';
  };
  const askMany = (reader: Reader, count: number): void => {
    for (let index = 0; index < count; index++) ask(reader);
  };
  return {
    started,
    ask,
    askMany,
    end: (reader: Reader): void => all.release(all.queueOf(reader)),
    leave: (reader: Reader, read: unknown): void => all.leave(all.queueOf(reader), read as () => void),
    held: (...readers: Reader[]): number[] => readers.map((reader) => all.queueOf(reader).held),
    waiting: (...readers: Reader[]): number[] => readers.map((reader) => all.queueOf(reader).waiting.length),
  };
}

describe('connections', () => {
  it.each([
    [1, 1],
    [2, 1],
    [3, 1],
    [7, 3],
    [8, 4],
    [64, 32],
  ])('of a pool of %i: one reader alone holds at most %i', (connections, most) => {
    const { askMany, held, waiting } = queues(connections);
    askMany('a', 100);
    expect([held('a'), waiting('a')]).toEqual([[most], [100 - most]]);
  });

  it('are left for later readers: each reader takes at most half of the free ones', () => {
    const { ask, askMany, held } = queues(64);
    const greedy = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const reader of greedy) askMany(reader, 100);
    expect(held(...greedy)).toEqual([32, 16, 8, 4, 2, 1]);
    expect(ask('quiet')).toBe('at once');
  });

  it('are spread evenly in the end, and some stay free', () => {
    const { askMany, end, held } = queues(64);
    const greedy = ['a', 'b', 'c'];
    for (const reader of greedy) askMany(reader, 500);
    for (let round = 0; round < 64; round++) for (const reader of greedy) end(reader);
    expect(held(...greedy).sort()).toEqual([16, 16, 17]);
  });

  it('go to the bank as to a TPP, and no TPP can pass for the bank', () => {
    const { ask, askMany, held } = queues(4);
    askMany(String(theBank), 10);
    askMany('the bank', 10);
    expect(held(theBank)).toEqual([0]);
    expect(ask(theBank)).toBe('at once');
    expect(held(theBank)).toEqual([1]);
  });

  it('all come back', () => {
    const { askMany, end, held, waiting } = queues(8);
    askMany('a', 30);
    askMany('b', 30);
    while (held('a', 'b').some((each) => each > 0)) for (const reader of ['a', 'b']) if (held(reader)[0]) end(reader);
    expect(waiting('a', 'b')).toEqual([0, 0]);
    askMany('a', 30);
    expect(held('a')).toEqual([4]);
  });
});

describe('waiting reads', () => {
  it('are started in the order of their arrival, one reader’s after another’s', () => {
    const { started, ask, askMany, end } = queues(1);
    ask('busy');
    askMany('a', 3);
    askMany('b', 2);
    askMany('c', 1);
    for (const reader of ['busy', 'a', 'b', 'c', 'a', 'b']) end(reader);
    expect(started).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  });

  it('are not overtaken by one of the same reader that comes later', () => {
    const { started, askMany, end, waiting } = queues(2);
    askMany('a', 3);
    end('a');
    askMany('a', 1);
    expect([started, waiting('a')]).toEqual([['a'], [2]]);
  });

  it('are overtaken by reads of a reader that holds fewer connections', () => {
    const { started, askMany, end, held } = queues(4);
    askMany('a', 10);
    for (const reader of ['b', 'c', 'd']) askMany(reader, 1);
    expect([held('a', 'b', 'c', 'd'), started]).toEqual([[2, 1, 1, 0], []]);
    end('b');
    expect(started).toEqual(['d']);
    end('a');
    // One is free, and `a` still holds one.
    expect([started, held('a', 'b', 'c', 'd')]).toEqual([['d'], [1, 0, 1, 1]]);
    end('c');
    expect([started, held('a', 'b', 'c', 'd')]).toEqual([
      ['d', 'a'],
      [2, 0, 0, 1],
    ]);
  });

  it('are limited for each reader, whose next read is refused at once', () => {
    const { ask, askMany } = queues(2, 3);
    askMany('a', 4);
    expect([ask('a'), ask('b')]).toEqual(['refused', 'at once']);
    expect(ask('b')).toBeInstanceOf(Function);
  });

  it('leave before their turn from the front, the middle and the end, and make room', () => {
    const { started, ask, end, leave, waiting } = queues(1, 5);
    ask('busy');
    const [first, , third, , fifth] = Array.from({ length: 5 }, () => ask('a'));
    expect(ask('a')).toBe('refused');
    for (const read of [third, first, fifth]) leave('a', read);
    expect(waiting('a')).toEqual([2]);
    ask('b');
    end('busy');
    end('a');
    end('b');
    end('a');
    expect([started, waiting('a', 'b')]).toEqual([
      ['a', 'b', 'a'],
      [0, 0],
    ]);
  });

  it('of a reader whose last one left have no turn', () => {
    const { started, ask, end, leave } = queues(1);
    ask('busy');
    const only = ask('a');
    ask('b');
    leave('a', only);
    end('busy');
    expect(started).toEqual(['b']);
  });
});
