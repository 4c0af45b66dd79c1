import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CoreError, coreErrorKinds, isCoreError } from '../../packages/core-adapter/core-error.js';
import type { CoreObserver } from './core-observer.js';
import { GuardedReads, RequestAbandoned, TooManyReads } from './guarded-reads.js';
import type { ReadContext } from './read-context.js';
import { currentRead } from './current-read.js';
import { theBank, type Reader } from './reader-queues.js';

class RecordingObserver implements CoreObserver {
  readonly core = 'ledger';
  readonly reads: string[] = [];
  read(read: string, outcome: string): void {
    this.reads.push(`${read} ${outcome}`);
  }
  retried(read: string): void {
    this.reads.push(`${read} retried`);
  }
  shared(read: string): void {
    this.reads.push(`${read} shared`);
  }
  waitingReads = 0;
  waiting(change: 1 | -1): void {
    this.waitingReads += change;
  }
  circuit(change: string): void {
    this.reads.push(`circuit ${change}`);
  }
  badRecords(): void {}

  unreadFields(): void {}
}

const never = (): Promise<never> => new Promise(() => undefined);
const context = (
  signal = new AbortController().signal,
  customerRef = 'C1',
  reader: Reader = 'tpp-one',
): ReadContext => ({ interactionId: 'interaction', customerRef, customerPresent: true, signal, reader });
/** The same read of another reader. */
const by = (reader: Reader, signal?: AbortSignal): ReadContext => context(signal, 'C1', reader);
/** The result of a read: its value, the kind of its CoreError, or anything else that was thrown. */
const ended = (reading: Promise<unknown>): Promise<unknown> =>
  reading.catch((error: unknown) => (isCoreError(error) ? error.kind : error));
/** Long enough for settled promises to run their callbacks. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function guarded(connections = 8) {
  const seen = new RecordingObserver();
  const reads = new GuardedReads(seen, connections);
  const read = (call: () => Promise<unknown>, of: unknown = 'A1', whose = context()): Promise<unknown> =>
    ended(reads.read('account', [of], whose, call));
  return { reads, seen: seen.reads, waitingReads: () => seen.waitingReads, read };
}

/** A core whose reads the test answers or fails. */
function askedCore() {
  const waiting: { answer: (value: unknown) => void; fail: (error: Error) => void }[] = [];
  const call = (): Promise<unknown> =>
    new Promise((answer, fail) => {
      waiting.push({ answer, fail });
    });
  return { waiting, call };
}

describe('the deadline', () => {
  it('ends a read whose adapter does not heed its signal', async () => {
    const { seen, read } = guarded();
    expect(await read(never, 'A1', context(AbortSignal.timeout(20)))).toBe('timeout');
    expect(seen).toEqual(['account timeout']);
  });

  it('that has passed already asks the core nothing', async () => {
    const { read } = guarded();
    const call = jest.fn(never);
    expect(await read(call, 'A1', context(AbortSignal.abort()))).toBe('timeout');
    expect(call).not.toHaveBeenCalled();
  });

  it('does not end a read that the TPP has given up', async () => {
    const { seen, read } = guarded();
    const gone = new RequestAbandoned();
    expect(await read(never, 'A1', context(AbortSignal.abort(gone)))).toBe(gone);
    expect(seen).toEqual(['account abandoned']);
  });
});

describe('a core that fails', () => {
  const down = new CoreError('unavailable', 'down');

  it('is asked once more, after a pause, and its second answer is the answer', async () => {
    const { seen, read } = guarded();
    const call = jest.fn<() => Promise<string>>().mockRejectedValueOnce(down).mockResolvedValueOnce('answer');
    const startedMs = performance.now();
    expect(await read(call)).toBe('answer');
    expect(performance.now() - startedMs).toBeGreaterThan(15);
    expect(seen).toEqual(['account retried', 'account ok']);
  });

  it('is not asked a third time', async () => {
    const { seen, read } = guarded();
    const call = jest.fn(() => Promise.reject(down));
    expect(await read(call)).toBe('unavailable');
    expect(call).toHaveBeenCalledTimes(2);
    expect(seen).toEqual(['account retried', 'account unavailable']);
  });

  it('is not waited for beyond the deadline', async () => {
    const { read } = guarded();
    const call = jest.fn(() => Promise.reject(down));
    const deadline = new AbortController();
    const reading = read(call, 'A1', context(deadline.signal));
    // After the callbacks of the failure and before any timer: in the pause.
    process.nextTick(() => deadline.abort());
    expect(await reading).toBe('timeout');
    expect(call).toHaveBeenCalledTimes(1);
  });

  it.each([
    new CoreError('unavailable', 'come back later', 5),
    ...coreErrorKinds.filter((kind) => kind !== 'unavailable').map((kind) => new CoreError(kind, 'x')),
    new TypeError('a bug'),
  ])('is not asked again when a second attempt cannot help: %s', async (error) => {
    const { read } = guarded();
    const call = jest.fn(() => Promise.reject(error));
    expect(await read(call)).toBe(isCoreError(error) ? error.kind : error);
    expect(call).toHaveBeenCalledTimes(1);
  });
});

describe('identical reads', () => {
  it('that are under way at once are one read of the core; a later one is another', async () => {
    const { seen, read } = guarded();
    const { waiting, call } = askedCore();
    const reading = [read(call), read(call), read(call)];
    await settled();
    expect(waiting).toHaveLength(1);
    waiting[0]?.answer('answer');
    expect(await Promise.all(reading)).toEqual(['answer', 'answer', 'answer']);
    expect(seen).toEqual(['account shared', 'account shared', 'account ok']);

    void read(call);
    await settled();
    expect(waiting).toHaveLength(2);
  });

  it('are never those of two customers, two accounts, two queries, or two readers', async () => {
    const { reads, read } = guarded(32);
    const { waiting, call } = askedCore();
    const query = { read: 'older', limit: 1 };
    void read(call, 'A1');
    void read(call, 'A1', context(undefined, 'C2'));
    void read(call, 'A2');
    void read(call, ['A1', query]);
    void read(call, ['A1', { ...query, from: new Date(0) }]);
    void read(call, ['A1', { ...query, from: new Date(1) }]);
    void reads.read('balances', ['A1'], context(), call);
    void read(call, 'A1', by('tpp-two'));
    void read(call, 'A1', by(theBank));
    await settled();
    expect(waiting).toHaveLength(9);
  });

  it('stay apart whatever characters a reference contains', async () => {
    const { read } = guarded();
    const { waiting, call } = askedCore();
    void read(call, '"', context(undefined, 'A'));
    void read(call, '', context(undefined, 'A","'));
    await settled();
    expect(waiting).toHaveLength(2);
  });

  it('share a failure as well, so that a core in trouble is not asked by each', async () => {
    const { read } = guarded();
    const { waiting, call } = askedCore();
    const reading = [read(call), read(call)];
    await settled();
    waiting[0]?.fail(new CoreError('bad-record', 'nonsense'));
    expect(await Promise.all(reading)).toEqual(['bad-record', 'bad-record']);
    expect(waiting).toHaveLength(1);
  });

  it('end each at its own deadline', async () => {
    const { read } = guarded();
    const { waiting, call } = askedCore();
    const patient = read(call);
    const hurried = read(call, 'A1', context(AbortSignal.timeout(10)));
    expect(await hurried).toBe('timeout');
    waiting[0]?.answer('answer');
    expect(await patient).toBe('answer');
  });

  it.each([
    ['was late', undefined],
    ['has gone', new RequestAbandoned()],
  ])('go on for the readers who still wait when the first %s: one of them asks again', async (_, reason) => {
    const { read } = guarded();
    const { waiting, call } = askedCore();
    const first = new AbortController();
    const leading = read(call, 'A1', context(first.signal));
    const following = [read(call), read(call)];
    await settled();
    first.abort(reason);
    expect(await leading).toBe(reason ?? 'timeout');
    await settled();
    expect(waiting).toHaveLength(2);
    waiting[1]?.answer('answer');
    expect(await Promise.all(following)).toEqual(['answer', 'answer']);
  });
});

describe('the limit of reads at a time', () => {
  it('lets no more than the configured number reach the core; the others wait their turn', async () => {
    const { read, waitingReads } = guarded(2);
    const { waiting, call } = askedCore();
    const reading = ['tpp-one', 'tpp-two', 'tpp-three'].map((reader) => read(call, 'A1', by(reader)));
    await settled();
    expect([waiting.length, waitingReads()]).toEqual([2, 1]);
    waiting[0]?.answer('first');
    await settled();
    expect([waiting.length, waitingReads()]).toEqual([3, 0]);
    for (const { answer } of waiting) answer('other');
    expect(await Promise.all(reading)).toEqual(['first', 'other', 'other']);
  });

  it('keeps a read no longer than its deadline, neither waiting nor under way', async () => {
    const { read, waitingReads } = guarded(1);
    const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
    const heedless = read(never, 'A1', context(first.signal));
    const waiting = read(never, 'A2', context(second.signal));
    const gone = read(never, 'A3', context(third.signal));
    await settled();
    expect(waitingReads()).toBe(2);
    second.abort();
    expect(await waiting).toBe('timeout');
    third.abort(new RequestAbandoned());
    expect(await gone).toBeInstanceOf(RequestAbandoned);
    expect(waitingReads()).toBe(0);
    first.abort();
    expect(await heedless).toBe('timeout');
    expect(await read(async () => 'answer', 'A3')).toBe('answer');
  });

  it('refuses a read at once when its reader’s queue is full, says when to retry, and opens no circuit', async () => {
    const { reads, read, seen } = guarded(1);
    const { waiting, call } = askedCore();
    const reading = Array.from({ length: 257 }, (_, index) => read(call, index));
    for (let beyond = 0; beyond < 12; beyond++) {
      const refused = reads.read('account', [`beyond ${beyond}`], context(), call);
      await expect(refused).rejects.toBeInstanceOf(TooManyReads);
      await expect(refused).rejects.toMatchObject({ retryAfterSeconds: 1 });
    }
    expect(new Set(seen)).toEqual(new Set(['account refused']));
    const other = read(call, 'A1', by('tpp-two'));
    for (let answered = 0; answered < 258; answered++) {
      waiting[answered]?.answer(answered);
      await settled();
    }
    expect(new Set(await Promise.all(reading))).not.toContain('unavailable');
    // Its turn came after one of the earlier reads, not after all of them.
    expect(await other).toBe(2);
    expect(waiting).toHaveLength(258);
  });

  it('reports the core’s own failure when the queue has no room for the second attempt', async () => {
    const { read } = guarded(1);
    const { waiting, call } = askedCore();
    const failing = read(call, 'failing');
    const others = Array.from({ length: 257 }, (_, index) => read(call, index));
    // The first of the others replaces it, and one more read fills the queue again.
    waiting[0]?.fail(new CoreError('unavailable', 'down'));
    await settled();
    others.push(read(call, 'last'));
    expect(await failing).toBe('unavailable');
    for (let answered = 1; answered < 258; answered++) {
      waiting[answered]?.answer('answer');
      await settled();
    }
    const outcomes = await Promise.all(others);
    expect(outcomes.filter((outcome) => outcome === 'answer')).toHaveLength(257);
  });
});

describe('the circuit breaker', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** A core that fails with `fail.with`, and counts its calls. It times out, because a timeout is not retried. */
  function failing() {
    const fail: { with?: Error | undefined } = { with: new CoreError('timeout', 'late') };
    const { reads, seen, read } = guarded();
    const call = jest.fn(async () => {
      if (fail.with !== undefined) throw fail.with;
      return 'answer';
    });
    let customers = 0;
    const ask = (reader?: Reader, customer = `C${customers++}`): Promise<unknown> =>
      read(call, 'A1', context(undefined, customer, reader));
    return { reads, seen, fail, call, asked: () => call.mock.calls.length, ask };
  }

  it('stops asking after ten failures in a row, says when to retry, and asks again after a second', async () => {
    const { reads, fail, call, asked, ask } = failing();
    for (let count = 0; count < 10; count++) expect(await ask()).toBe('timeout');
    expect(asked()).toBe(10);

    const refused = { kind: 'unavailable', retryAfterSeconds: 1 };
    await expect(reads.read('account', ['A1'], context(), call)).rejects.toMatchObject(refused);
    jest.advanceTimersByTime(999);
    expect(await ask()).toBe('unavailable');
    expect(asked()).toBe(10);

    jest.advanceTimersByTime(1);
    delete fail.with;
    expect(await ask()).toBe('answer');
    expect(await ask()).toBe('answer');
    expect(asked()).toBe(12);
  });

  it('does not open because one customer’s account is slow, however often it is read', async () => {
    const { fail, asked, ask } = failing();
    for (let count = 0; count < 60; count++) expect(await ask('tpp-one', 'slow')).toBe('timeout');
    // Nine more customers for whom the core is late are enough.
    for (let count = 0; count < 9; count++) expect(await ask()).toBe('timeout');
    expect(asked()).toBe(69);
    fail.with = undefined;
    expect(await ask()).toBe('unavailable');
  });

  it('opens for the reader whose reads fail, and for no other', async () => {
    const { asked, ask, seen } = failing();
    for (let count = 0; count < 11; count++) await ask('tpp-one');
    expect(asked()).toBe(10);
    for (const reader of ['tpp-two', theBank] satisfies Reader[]) expect(await ask(reader)).toBe('timeout');
    expect(asked()).toBe(12);
    expect(seen.filter((line) => line.startsWith('circuit'))).toEqual(['circuit opened']);
  });

  it('does not count a read that was late because it had waited for its turn', async () => {
    const { read } = guarded(1);
    for (let count = 0; count < 12; count++) {
      const [first, second] = [new AbortController(), new AbortController()];
      const ahead = read(never, count, context(first.signal, 'slow'));
      const waiting = read(never, count, context(second.signal, `C${count}`));
      first.abort();
      expect(await ahead).toBe('timeout');
      second.abort();
      expect(await waiting).toBe('timeout');
    }
    expect(await read(async () => 'answer')).toBe('answer');
  });

  it('keeps no read waiting once it is open, and refuses those that wait', async () => {
    const { reads, read } = guarded(4);
    const { waiting, call } = askedCore();
    const fail = (): void => waiting.splice(0).forEach((one) => one.fail(new CoreError('unavailable', 'down', 1)));
    const answers = Array.from({ length: 20 }, (_, index) => read(call, index));
    for (let round = 0; round < 5; round++) {
      await settled();
      fail();
    }
    expect(await Promise.all(answers)).toEqual(new Array(20).fill('unavailable'));
    await expect(reads.read('account', ['A1'], context(), call)).rejects.toMatchObject({ retryAfterSeconds: 1 });
    await settled();
    expect(waiting).toEqual([]);
  });

  it('lets one probe through at a time and refuses the reads that come meanwhile', async () => {
    const { fail, ask, asked, seen } = failing();
    for (let count = 0; count < 10; count++) await ask();
    jest.advanceTimersByTime(1_000);
    fail.with = undefined;
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(['answer', 'unavailable', 'unavailable']);
    expect(asked()).toBe(11);
    expect(seen.filter((line) => line.startsWith('circuit'))).toEqual(['circuit opened', 'circuit closed']);
  });

  it('probes again when the TPP of the probe gave up', async () => {
    const { fail, ask } = failing();
    for (let count = 0; count < 10; count++) await ask();
    jest.advanceTimersByTime(1_000);
    fail.with = new RequestAbandoned();
    expect(await ask()).toBe(fail.with);
    fail.with = undefined;
    expect(await ask()).toBe('answer');
    expect(await ask()).toBe('answer');
  });

  it('opens again at once when the first read after the second fails', async () => {
    const { asked, ask } = failing();
    for (let count = 0; count < 10; count++) await ask();
    jest.advanceTimersByTime(1_000);
    await ask();
    await ask();
    expect(asked()).toBe(11);
  });

  it('opens when half of the last reads failed, and not before', async () => {
    const { fail, asked, ask } = failing();
    const late = fail.with;
    fail.with = undefined;
    for (let count = 0; count < 100; count++) await ask();
    fail.with = late;
    // These are among the last forty.
    for (let count = 0; count < 21; count++) await ask();
    expect(asked()).toBe(120);
  });

  it('stays closed while more reads succeed than fail', async () => {
    const { fail, asked, ask } = failing();
    const late = fail.with;
    for (let count = 0; count < 200; count++) {
      fail.with = count % 5 < 3 ? undefined : late;
      await ask();
    }
    expect(asked()).toBe(200);
  });

  it('starts with an empty window after a successful probe', async () => {
    const { fail, asked, ask } = failing();
    const late = fail.with;
    for (let count = 0; count < 10; count++) await ask();
    jest.advanceTimersByTime(1_000);
    fail.with = undefined;
    await ask();
    fail.with = late;
    for (let count = 0; count < 11; count++) await ask();
    expect(asked()).toBe(21);
  });

  it('counts both attempts at a core that is down', async () => {
    jest.useRealTimers();
    const { fail, asked, ask } = failing();
    fail.with = new CoreError('unavailable', 'down');
    for (let count = 0; count < 6; count++) expect(await ask()).toBe('unavailable');
    expect(asked()).toBe(10);
  });

  it.each([
    ...coreErrorKinds
      .filter((kind) => kind !== 'unavailable' && kind !== 'timeout')
      .map((kind) => new CoreError(kind, 'x')),
    new RequestAbandoned(),
    new TypeError('a bug'),
  ])('does not count %s: the core answers', async (error) => {
    const { fail, asked, ask } = failing();
    fail.with = error;
    for (let count = 0; count < 12; count++) await ask();
    expect(asked()).toBe(12);
  });
});

describe('a fault of a guarded read', () => {
  it('is rethrown as it was thrown, a synchronous one too, and observed as a CoreError or as a bug', async () => {
    for (const fault of [new CoreError('rate-limited', 'slow down', 7), new TypeError('a bug')]) {
      const { reads, seen } = guarded();
      const call = (): never => {
        throw fault;
      };
      await expect(reads.read('account', ['A1'], context(), call)).rejects.toBe(fault);
      expect(seen).toEqual([isCoreError(fault) ? 'account rate-limited' : 'account fault']);
    }
  });
});

describe('the memory of a read', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;
  /** Bytes that the collector takes for long-lived. */
  const aged = (): number =>
    getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? Number.NaN;

  it('is freed by the next minor garbage collection, however many reads are under way', async () => {
    const { reads } = guarded();
    const rows = 1_000;
    const answer = async (): Promise<unknown> => {
      await settled();
      return Array.from({ length: rows }, (_, row) => ({ row }));
    };
    const readAll = async (count: number): Promise<void> => {
      let underWay: Promise<unknown> = Promise.resolve();
      for (let round = 0; round < count; round++) {
        const next = reads.read('account', [round], context(), answer);
        await underWay;
        underWay = next;
        if (round % 8 === 0) collect({ type: 'minor' });
      }
      await underWay;
    };
    await readAll(100);
    collect();
    const before = aged();
    await readAll(400);
    // Each row takes more than sixteen bytes: the limit is a quarter of the rows.
    expect(aged() - before).toBeLessThan((400 * rows * 16) / 4);
  });
});

describe('a guarded read', () => {
  it('is known by the interaction id of its request, also after a wait and in its second attempt', async () => {
    const { reads } = guarded();
    const seen: (string | undefined)[] = [];
    await reads.read('account', ['A1'], { ...context(), interactionId: 'one' }, async () => {
      await settled();
      seen.push(currentRead.getStore()?.interactionId);
      if (seen.length === 1) throw new CoreError('unavailable', 'no answer');
    });
    expect([...seen, currentRead.getStore()]).toEqual(['one', 'one', undefined]);
  });
});
