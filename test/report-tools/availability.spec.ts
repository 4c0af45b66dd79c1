import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { daysOfChain } from '../../ops/trail/days-of-chain.js';
import { failed, healthCheck, outageStated, type Span } from '../support/trail-traffic.js';
import { request, type Members, WrittenTrail } from '../support/written-trail.js';
import { reportCommand } from '../support/ops-command.js';

const [one, other] = ['gateway-1-11111111', 'gateway-2-22222222'];
const day = '2026-11-10';
const at = (time: string): string => `${day}T${time}Z`;
const answered = (time: string, members: Members = {}) => request(`a-${time}`, at(time), members);
const unanswered = (time: string, members: Members = {}) => request(`u-${time}`, at(time), { ...failed, ...members });
const outageRemoved = (removedAt: string, { from, to }: Span, outage: string): Members => ({
  ...outageStated(removedAt, { from, to }, outage),
  id: `${outage}-removed`,
  event: 'removed',
});
/** Unanswered requests at each of the times. */
const all = (...times: string[]) => times.map((time) => unanswered(time));

let trail: WrittenTrail;
beforeEach(async () => {
  trail = await WrittenTrail.make();
});
afterEach(() => trail.remove());

interface Explained {
  readonly state: string;
  readonly value: number | null;
  readonly downtimes: readonly { begin: string; end: string; plannedSeconds: number; cause: string; goesOn: boolean }[];
  readonly eventCount: number;
  readonly events: readonly { id: string }[];
}
async function explained(figure = 'uptime-percent', of = day, ...words: string[]): Promise<Explained> {
  const asked = ['explain', figure, '--day', of, '--trail', trail.folder, ...words, '--json'];
  const { code, text, told } = await reportCommand('2026-11-24T09:00:00Z', ...asked);
  if (code !== 0) throw new Error(told.join());
  return JSON.parse(text) as Explained;
}
/** A whole day of one process, with these requests in it. */
async function writeDay(...events: readonly Members[]): Promise<void> {
  await trail.close('2026-11-09T12:00:00.000Z', one, [healthCheck('2026-11-09T23:59:50.000Z')]);
  await trail.close(at('00:00:05.000'), one, events);
  await trail.close('2026-11-11T00:00:05.000Z', one, [healthCheck('2026-11-11T00:10:00.000Z')]);
}
const spans = ({ downtimes }: Explained) => downtimes.map(({ begin, end }) => [begin, end]);
const noon = ['12:00:00.000', '12:00:07.000', '12:00:14.000', '12:00:21.000'];

describe('five unanswered requests in a row', () => {
  it('are a downtime where they were received within exactly 30 s, from the first to the next answer', async () => {
    await writeDay(...all(...noon, '12:00:30.000'), answered('12:01:40.000'));
    const found = await explained();
    expect(spans(found)).toEqual([[at('12:00:00.000'), at('12:01:40.000')]]);
    expect(found.value).toBe(Number((100 - (100 * 100) / 86_400).toFixed(4)));
    expect([found.state, found.downtimes[0]?.cause, found.eventCount]).toEqual(['complete', 'core-unavailable', 5]);
  });

  it('are not downtime where they took 30.001 s', async () => {
    await writeDay(...all(...noon, '12:00:30.001'), answered('12:01:40.000'));
    expect([spans(await explained()), (await explained()).value]).toEqual([[], 100]);
  });

  it('are a downtime from the first of those within 30 s, not from the first of the row', async () => {
    await writeDay(...all('11:55:00.000', ...noon, '12:00:30.000'), answered('12:01:40.000'));
    expect(spans(await explained())).toEqual([[at('12:00:00.000'), at('12:01:40.000')]]);
  });

  it.each([
    ['a 4xx between them', answered('12:00:15.000', { status: 403 })],
    ['a 2xx between them', answered('12:00:15.000')],
  ])('are not a row with %s', async (_, between) => {
    await writeDay(...all(...noon), between, ...all('12:00:28.000'), answered('12:01:40.000'));
    expect(spans(await explained())).toEqual([]);
  });

  it('are four where the fourth is followed by an answer', async () => {
    await writeDay(...all(...noon), answered('12:00:28.000'));
    expect(spans(await explained())).toEqual([]);
  });

  it.each([
    ['a caller that left after 9.999 s', answered('12:00:15.000', { status: 499, lastByteMs: 9_999 })],
    ['documentation', answered('12:00:15.000', { endpoint: 'documentation', apiVersion: undefined })],
    ['an unknown path', answered('12:00:15.000', { endpoint: undefined, apiVersion: undefined, status: 404 })],
    ['a health check', healthCheck(at('12:00:15.000'))],
    ['a page of a customer', answered('12:00:15.000', { listener: 'customers', endpoint: '/as/authorize' })],
    [
      'a refused handshake',
      { kind: 'request', id: 't', at: at('12:00:15.000'), listener: 'tpps', reason: 'tls-refused' },
    ],
  ])('are a row across %s, which counts neither way', async (_, between) => {
    await writeDay(...all(...noon), between, ...all('12:00:28.000'), answered('12:01:40.000'));
    expect(spans(await explained())).toEqual([[at('12:00:00.000'), at('12:01:40.000')]]);
    await trail.remove();
    trail = await WrittenTrail.make();
    await writeDay(...all(...noon), between, answered('12:01:40.000'));
    expect(spans(await explained())).toEqual([]);
  });

  it.each([
    ['a caller left after 10 s', { status: 499, lastByteMs: 10_000 }],
    [
      'the authorization server failed',
      { status: 500, listener: 'tpps', endpoint: '/as/token', apiVersion: undefined },
    ],
  ])('count a request where %s', async (_, members) => {
    await writeDay(...all(...noon), answered('12:00:28.000', members), answered('12:01:40.000'));
    expect(spans(await explained())).toEqual([[at('12:00:00.000'), at('12:01:40.000')]]);
  });

  it('take an event of several requests of strangers as an answer, and count each of them', async () => {
    const strangers = { status: 401, reason: 'token-missing', lastByteMs: undefined, bytes: undefined, count: 95 };
    await writeDay(...all(...noon), answered('12:00:28.000', strangers), answered('12:01:40.000'));
    expect(spans(await explained())).toEqual([]);
    // The four failed ones, and the answer after them.
    expect((await explained('requests')).value).toBe(4 + 95 + 1);
    expect((await explained('refused-requests')).value).toBe(95);
  });

  it('are counted across processes and machines by the time of their receipt', async () => {
    const second = await WrittenTrail.make();
    await writeDay(...all('12:00:00.000', '12:00:14.000', '12:00:29.000'), answered('12:01:40.000'));
    await second.close(at('00:00:06.000'), other, all('12:00:07.000', '12:00:21.000'));
    const found = await explained('uptime-percent', day, '--trail', second.folder);
    expect(spans(found)).toEqual([[at('12:00:00.000'), at('12:01:40.000')]]);
    expect(found.events.map(({ id }) => id.slice(2, 10))).toEqual([
      '12:00:00',
      '12:00:07',
      '12:00:14',
      '12:00:21',
      '12:00:29',
    ]);
    await second.remove();
  });

  it('are interrupted by an answer of the other process', async () => {
    const second = await WrittenTrail.make();
    await writeDay(...all(...noon, '12:00:29.000'), answered('12:01:40.000'));
    await second.close(at('00:00:06.000'), other, [answered('12:00:20.000')]);
    expect(spans(await explained('uptime-percent', day, '--trail', second.folder))).toEqual([]);
    await second.remove();
  });

  it('are ordered by the time of receipt, not by that of the end, in which the lines are', async () => {
    await writeDay(answered('12:00:10.000'), ...all(...noon, '12:00:29.000'), answered('12:01:40.000'));
    expect(spans(await explained())).toEqual([]);
  });

  it('are divided between the days at midnight UTC', async () => {
    await trail.close('2026-11-09T00:00:01.000Z', one, [
      ...['50', '52', '54'].map((second) => request(`u-${second}`, `2026-11-09T23:59:${second}.000Z`, failed)),
    ]);
    await trail.close(at('00:00:01.000'), one, [...all('00:00:05.000', '00:00:10.000'), answered('00:02:00.000')]);
    await trail.close('2026-11-11T00:00:05.000Z', one, []);
    const seconds = async (of: string) => (await explained('unplanned-downtime-seconds', of)).value;
    expect([await seconds('2026-11-09'), await seconds(day), await seconds('2026-11-11')]).toEqual([10, 120, 0]);
    expect(spans(await explained())).toEqual([['2026-11-09T23:59:50.000Z', at('00:02:00.000')]]);
  });

  it('go on where the trail has no later answer', async () => {
    await trail.close('2026-11-09T12:00:00.000Z', one, []);
    await trail.close(at('00:00:05.000'), one, [...all(...noon, '12:00:29.000', '12:30:00.000')]);
    const { downtimes, state } = await explained();
    expect([downtimes[0]?.goesOn, downtimes[0]?.begin, state]).toEqual([true, at('12:00:00.000'), 'partial']);
  });
});

describe('a planned outage', () => {
  const tenMinutes = [...all(...noon, '12:00:28.000'), answered('12:10:00.000')];
  const seconds = async () => [
    (await explained('planned-downtime-seconds')).value,
    (await explained('unplanned-downtime-seconds')).value,
  ];

  it('takes the downtime inside it, and not the time beyond its end', async () => {
    await writeDay(
      outageStated(at('01:00:00.000'), { from: at('11:00:00.000'), to: at('12:08:00.000') }),
      ...tenMinutes,
    );
    expect(await seconds()).toEqual([480, 120]);
  });

  it('is not downtime by itself', async () => {
    await writeDay(
      outageStated(at('01:00:00.000'), { from: at('11:00:00.000'), to: at('12:08:00.000') }),
      answered('12:00:00.000'),
    );
    expect(await seconds()).toEqual([0, 0]);
  });

  it('counts once where two overlap', async () => {
    await writeDay(
      outageStated(at('01:00:00.000'), { from: at('11:00:00.000'), to: at('12:06:00.000') }),
      outageStated(at('01:00:00.000'), { from: at('12:02:00.000'), to: at('12:08:00.000') }),
      ...tenMinutes,
    );
    expect(await seconds()).toEqual([480, 120]);
  });

  it('counts once where the same is stated twice, and does not reach back to an earlier outage', async () => {
    await writeDay(
      outageStated(at('01:00:00.000'), { from: at('11:00:00.000'), to: at('12:01:00.000') }),
      outageStated(at('01:00:00.000'), { from: at('12:05:00.000'), to: at('12:08:00.000') }),
      outageStated(at('01:00:00.000'), { from: at('12:05:00.000'), to: at('12:08:00.000') }),
      ...tenMinutes,
    );
    expect(await seconds()).toEqual([240, 360]);
  });

  it('counts from the moment at which it was stated', async () => {
    await writeDay(
      ...tenMinutes,
      outageStated(at('12:03:00.000'), { from: at('11:00:00.000'), to: at('13:00:00.000') }),
    );
    expect(await seconds()).toEqual([420, 180]);
  });

  it('counts until it is removed', async () => {
    const time = { from: at('11:00:00.000'), to: at('13:00:00.000') };
    await writeDay(
      outageStated(at('01:00:00.000'), time, 'x'),
      ...tenMinutes,
      outageRemoved(at('12:01:00.000'), time, 'x'),
    );
    expect(await seconds()).toEqual([60, 540]);
  });

  it('does not count where it was removed before it began', async () => {
    const time = { from: at('11:00:00.000'), to: at('13:00:00.000') };
    await writeDay(
      outageStated(at('01:00:00.000'), time, 'x'),
      outageRemoved(at('02:00:00.000'), time, 'x'),
      ...tenMinutes,
    );
    expect(await seconds()).toEqual([0, 600]);
  });

  it.each([
    ['without an end', { from: at('11:00:00.000'), to: 'later' }],
    ['without a begin', { from: '', to: at('13:00:00.000') }],
    ['that ends before it begins', { from: at('13:00:00.000'), to: at('11:00:00.000') }],
  ])('does not count %s', async (_, time) => {
    await writeDay(outageStated(at('01:00:00.000'), time), ...tenMinutes);
    expect(await seconds()).toEqual([0, 600]);
  });

  it('may have been stated weeks before', async () => {
    await trail.close('2026-10-01T12:00:00.000Z', other, [
      outageStated('2026-10-01T12:00:01.000Z', { from: at('11:00:00.000'), to: at('12:08:00.000') }),
    ]);
    await writeDay(...tenMinutes);
    expect(await seconds()).toEqual([480, 120]);
  });
});

describe('a time without a process', () => {
  it('is a downtime where it lasted for more than 30 s', async () => {
    await trail.close('2026-11-09T12:00:00.000Z', one, []);
    await trail.close(at('00:00:05.000'), one, [healthCheck(at('12:00:00.000'))]);
    await trail.close(at('12:00:30.002'), other, [healthCheck('2026-11-11T00:10:00.000Z')]);
    const { downtimes } = await explained();
    expect(downtimes).toMatchObject([{ begin: at('12:00:00.001'), end: at('12:00:30.002'), cause: 'no-process' }]);
  });

  it('is not downtime where it lasted for 30 s, or where another process ran', async () => {
    await trail.close('2026-11-09T12:00:00.000Z', one, []);
    await trail.close(at('00:00:05.000'), one, [healthCheck(at('12:00:00.000'))]);
    await trail.close(at('12:00:30.001'), other, [healthCheck(at('18:00:00.000'))]);
    await trail.close(at('17:00:00.000'), 'gateway-3-33333333', [healthCheck('2026-11-11T00:10:00.000Z')]);
    expect(await explained()).toMatchObject({ downtimes: [], value: 100, state: 'complete' });
  });

  it('is not downtime where the same process left no event for hours: it was idle', async () => {
    await writeDay(healthCheck(at('01:00:00.000')), healthCheck(at('23:00:00.000')));
    expect(await explained()).toMatchObject({ downtimes: [], value: 100 });
  });

  it('is one downtime together with unanswered requests before it', async () => {
    await trail.close('2026-11-09T12:00:00.000Z', one, []);
    await trail.close(at('00:00:05.000'), one, all(...noon, '12:00:28.000'));
    await trail.close(at('12:05:00.000'), other, [answered('12:06:00.000'), healthCheck('2026-11-11T00:10:00.000Z')]);
    expect(spans(await explained())).toEqual([[at('12:00:00.000'), at('12:06:00.000')]]);
  });
});

describe('a day that the trail does not cover', () => {
  it('is missing where it has no event: neither up nor down', async () => {
    await trail.close('2026-11-09T12:00:00.000Z', one, [healthCheck('2026-11-09T13:00:00.000Z')]);
    await trail.close('2026-11-11T12:00:00.000Z', other, [healthCheck('2026-11-11T13:00:00.000Z')]);
    expect(await explained()).toMatchObject({ state: 'missing', value: null, downtimes: [] });
    expect(await explained('covered-seconds')).toMatchObject({ value: 0 });
    // The silence goes on around the missing day, so nothing shows whether a process ran.
    expect(await explained('covered-seconds', '2026-11-11')).toMatchObject({ state: 'partial', value: 3_600.001 });
  });

  it('lacks a segment that the chain of roots has: nothing of it counts', async () => {
    await writeDay(answered('12:00:00.000'));
    const segment = await trail.close(at('13:00:00.000'), other, [answered('13:00:01.000')]);
    await rm(trail.path(segment, 'closed'));
    expect(await explained()).toMatchObject({ state: 'incomplete', value: null });
    expect(await explained('covered-seconds')).toMatchObject({ value: 0 });
  });

  it('was dropped, or lacks a segment, where the chain says so', async () => {
    await writeDay(answered('12:00:00.000'));
    const present = new Set(trail.records.flatMap((record) => ('segment' in record ? [record.segment] : [])));
    expect(daysOfChain(trail.records, present)).toEqual({ dropped: [], incomplete: [] });
    await trail.drop('2026-11-09');
    const after = new Set(
      [...present].filter((segment) => !segment.startsWith('20261109') && !segment.startsWith('20261111')),
    );
    expect(daysOfChain(trail.records, after)).toEqual({ dropped: ['2026-11-09'], incomplete: ['2026-11-11'] });
  });

  it('is covered in part before the first event and after the last', async () => {
    await trail.close(at('06:00:00.000'), one, [healthCheck(at('18:00:00.000'))]);
    expect(await explained('covered-seconds')).toMatchObject({ state: 'partial', value: 12 * 3_600 + 0.001 });
    expect((await explained()).value).toBe(100);
  });
});
