import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { FakeClock } from '../../test/support/fake-clock.js';
import { RepeatedFaults } from './repeated-faults.js';

const minuteMs = 60_000;

describe('a fault in the log', () => {
  let clock: FakeClock;
  let lines: Record<string, unknown>[];
  let faults: RepeatedFaults;
  beforeEach(() => {
    clock = new FakeClock(0);
    lines = [];
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
        done();
      },
    });
    faults = new RepeatedFaults(pino({ base: null, timestamp: false }, sink), clock);
  });
  afterEach(() => faults.close());

  const down = (interactionId: string): void =>
    faults.log.warn({ interactionId, errno: 'ECONNREFUSED', stack: 'at a' }, 'the core failed a request');
  /** Calls `tell` as the log's timer does. */
  const pass = (ms: number): void => {
    clock.advance(ms);
    faults.tell();
  };

  it('is written once with its request, then once a minute with a count, and at its end with the total', () => {
    for (let request = 0; request < 100; request++) down(`request-${request}`);
    const fault = { level: 40, errno: 'ECONNREFUSED', msg: 'the core failed a request' };
    expect(lines).toEqual([{ ...fault, interactionId: 'request-0', stack: 'at a' }]);
    pass(minuteMs - 1);
    expect(lines).toHaveLength(1);
    pass(1);
    expect(lines.slice(1)).toEqual([{ ...fault, repeated: 99 }]);
    down('request-100');
    pass(minuteMs);
    expect(lines.slice(2)).toEqual([{ ...fault, repeated: 1 }]);
    pass(minuteMs);
    expect(lines.slice(3)).toEqual([
      { level: 30, errno: 'ECONNREFUSED', times: 101, msg: 'over: the core failed a request' },
    ]);
    down('request-101');
    expect(lines.slice(4)).toEqual([{ ...fault, interactionId: 'request-101', stack: 'at a' }]);
  });

  it('that came once has no line at its end', () => {
    down('request');
    pass(minuteMs);
    pass(minuteMs);
    expect(lines).toHaveLength(1);
  });

  it('is a different fault where its code, place, level or stack differs', () => {
    for (const turn of [1, 2]) {
      faults.log.error({ errno: 'ECONNREFUSED', turn: 0 }, 'failed');
      faults.log.error({ errno: 'ECONNRESET' }, 'failed');
      faults.log.warn({ errno: 'ECONNRESET' }, 'failed');
      faults.log.error({ fault: 'TypeError', stack: `at a` }, 'failed');
      faults.log.error({ fault: 'TypeError', stack: `at b` }, 'failed');
      faults.log.error('failed');
      expect(lines).toHaveLength(6 * Math.min(turn, 1));
    }
  });

  it('is counted by its message alone where too many faults differ', () => {
    for (let place = 0; place < 1_000; place++) faults.log.warn({ place }, 'bad records left out');
    expect(lines).toHaveLength(201);
    pass(minuteMs);
    expect(lines.at(-1)).toEqual({ level: 40, repeated: 799, msg: 'bad records left out' });
  });

  it('whose repetitions were not written yet is written at the end of the process', () => {
    down('one');
    down('two');
    faults.close();
    expect(lines.at(-1)).toMatchObject({ repeated: 1 });
  });

  it('does not include a line of another level, which is written unchanged', () => {
    for (const _turn of [1, 2]) faults.log.info({ access: { status: 200 } });
    expect(lines).toHaveLength(2);
  });
});
