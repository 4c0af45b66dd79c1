import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  failed,
  healthCheck,
  outageRemoved,
  outageStated,
  steadyTraffic,
} from '../../../test/support/trail-traffic.js';
import { reportCommand } from '../../../test/report-tools/report-command.js';
import { request, type Members, WrittenTrail } from '../../../test/trail-tools/written-trail.js';
import { CopiedTrail } from './copied-trail.js';

const onLinux = process.platform === 'linux' && process.arch === 'x64' ? describe : describe.skip;
const [first, second, third] = ['gateway-1-11111111', 'gateway-2-22222222', 'gateway-3-33333333'];

onLinux('the figures in ClickHouse', () => {
  let copy: CopiedTrail;
  let trail: WrittenTrail;
  beforeAll(() => void (copy = new CopiedTrail()));
  beforeEach(async () => {
    copy.empty();
    trail = await WrittenTrail.make();
  });
  afterEach(() => trail.remove());
  afterAll(() => copy.close());

  type Figures = Readonly<Record<string, unknown>>;
  const report = async (...words: string[]) => {
    const where = ['--trail', trail.folder, '--json'];
    return JSON.parse((await reportCommand('2026-12-24T09:00:00Z', ...words, ...where)).text);
  };
  const tables = ['availability', 'requests'] as const;
  /** Where the answers of ClickHouse have each grouping of the reports. */
  const places = {
    day: { grouping: 'all', part: 'day', key: 'part' },
    hour: { grouping: 'all', part: 'hour', key: 'part' },
    version: { grouping: 'version', part: 'all', key: 'name' },
    endpoint: { grouping: 'endpoint', part: 'all', key: 'name' },
  } as const;

  /** The figures of each part of the days from ClickHouse, once they are the same as those of the reports. */
  async function compared(
    groups: readonly (keyof typeof places)[],
    from: string,
    to: string,
  ): Promise<Record<(typeof tables)[number], Figures[]>> {
    const after = new Date(Date.parse(to) + 86_400_000).toISOString().slice(0, 10);
    const ask = (table: string, part: string) =>
      copy.ask(table, { part, from: `${from} 00:00:00`, to: `${after} 00:00:00` });
    for (const by of groups) {
      const { grouping, part, key } = places[by];
      const { groups: reported } = await report('figures', '--from', from, '--to', to, '--by', by);
      for (const table of tables) {
        const rows = ask(table, part).filter((row) => row['grouping'] === grouping);
        const names = figureNames(rows[0]);
        expect(names.length).toBeGreaterThan(5);
        const figures = (row: Figures, name: string) => [row[name], ...names.map((figure) => row[figure])];
        expect([by, table, rows.map((row) => figures(row, key))]).toEqual([
          by,
          table,
          reported[table].map((row: Figures) => figures(row, 'key')),
        ]);
      }
    }
    return { availability: ask('availability', 'day'), requests: ask('requests', 'day') };
  }
  const ofAll = (rows: readonly Figures[]) => rows.filter(({ grouping }) => grouping === 'all');
  const figureNames = (row: Figures = {}) =>
    Object.keys(row).filter((name) => !['grouping', 'name', 'part'].includes(name));

  /** The published figures of each day, of the whole interface and of each version. */
  async function comparedToStatistics(rows: readonly Figures[]): Promise<void> {
    const { interfaces } = await report('statistics', '--quarter', '2026Q4', '--out', trail.folder);
    for (const { version, days } of interfaces) {
      const ofVersion = rows.filter(({ grouping, name }) =>
        version === 'all' ? grouping === 'all' : grouping === 'version' && name === version,
      );
      expect(ofVersion).not.toEqual([]);
      for (const row of ofVersion) {
        const { figures } = days.find(({ day }: { day: string }) => day === row['part']);
        const names = figureNames(row).filter((name) => name in figures);
        expect([version, row['part'], names.map((name) => row[name])]).toEqual([
          version,
          row['part'],
          names.map((name) => figures[name]),
        ]);
      }
    }
  }

  it('are those of the reports: downtimes, planned outages, days without events, silences and the time around', async () => {
    const span = (from: string, to: string) => ({ from: `2026-11-${from}:00.000Z`, to: `2026-11-${to}:00.000Z` });
    const [atMidnight, inOutage, removed] = [
      span('11T23:50', '12T00:20'),
      span('12T10:00', '12T11:00'),
      span('12T14:00', '12T15:00'),
    ];
    const failing = [atMidnight, span('12T09:45', '12T10:30'), span('12T14:00', '12T15:00')];
    // A request a minute, and one every 5 seconds that fails in each of the times.
    const day = (name: string, more: readonly Members[] = []) => {
      const within = ({ at }: Members) => failing.some(({ from, to }) => String(at) >= from && String(at) < to);
      const whole = { from: `2026-11-${name}T00:00:00.000Z`, to: `2026-11-${name}T23:59:59.000Z` };
      const often = steadyTraffic(whole, 5, failing).filter(within);
      return [...steadyTraffic(whole, 60).filter((event) => !within(event)), ...often, ...more];
    };
    await trail.close('2026-11-10T06:00:00.000Z', first, [
      request('first', '2026-11-10T06:00:00.000Z', { lastByteMs: 30_000, tpp: 'slow-mirror' }),
      ...steadyTraffic({ from: '2026-11-10T06:10:00.000Z', to: '2026-11-10T12:00:00.000Z' }, 15),
    ]);
    // Another process comes two hours after it.
    await trail.close('2026-11-10T14:00:00.000Z', second, [
      ...steadyTraffic({ from: '2026-11-10T14:00:00.000Z', to: '2026-11-10T23:59:59.000Z' }, 15),
    ]);
    await trail.close('2026-11-11T00:00:00.000Z', second, [
      ...day('11', [request('left', '2026-11-11T05:00:01.000Z', { status: 499, lastByteMs: 12 })]),
      outageStated('2026-11-11T08:00:00.000Z', inOutage, 'kept'),
      outageStated('2026-11-11T08:00:00.000Z', removed, 'removed'),
      outageRemoved('2026-11-11T09:00:00.000Z', removed, 'removed'),
    ]);
    await trail.close(
      '2026-11-12T00:00:00.000Z',
      second,
      day('12', [request('refused', '2026-11-12T05:00:01.000Z', { status: 403, attended: false })]),
    );
    // 13 November has no event; 14 November ends at noon, and the trail with it.
    await trail.close('2026-11-14T00:00:00.000Z', third, [
      ...steadyTraffic({ from: '2026-11-14T00:00:00.000Z', to: '2026-11-14T12:00:00.000Z' }, 15),
    ]);
    await copy.take(trail.folder);
    const days = await compared(['day'], '2026-11-09', '2026-11-15');
    const [availability, requests] = [days.availability, days.requests].map(ofAll) as [Figures[], Figures[]];
    expect(availability.map((row) => [row['covered-seconds'], row['unplanned-downtime-seconds']])).toEqual([
      [0, null],
      [64_800, 7_214.959],
      [86_400, 600],
      [86_340.041, 1_200 + 900 + 3_600],
      [0, null],
      [43_185.041, 0],
      [0, null],
    ]);
    expect(availability[3]?.['planned-downtime-seconds']).toBe(1_800);
    expect(requests.map(({ part }) => part)).toEqual(['2026-11-10', '2026-11-11', '2026-11-12', '2026-11-14']);
  });

  it('are those of the reports for any requests of three processes to two versions and the authorization server', async () => {
    const step = fc.record({
      // Many pauses near the limit of five in 30 s.
      pauseMs: fc.constantFrom(1, 5_000, 7_499, 7_500, 7_501, 12_000),
      // Most are unanswered, in each of the ways; a caller that left earlier counts neither way.
      place: fc.constantFrom<Members>(
        {},
        {},
        { endpoint: 'accounts' },
        { apiVersion: 'v4.0' },
        { apiVersion: undefined, endpoint: '/as/token' },
      ),
      members: fc.constantFrom<Members>(
        {},
        { status: 403 },
        { status: 499, lastByteMs: 9_999 },
        { status: 499, lastByteMs: 10_000 },
        { lastByteMs: undefined },
        { status: 500 },
        ...Array<Members>(9).fill(failed),
      ),
    });
    const [steps = []] = fc.sample(fc.array(step, { minLength: 3_000, maxLength: 3_000 }), { numRuns: 1, seed: 2026 });
    let atMs = Date.parse('2026-11-10T12:00:00.000Z');
    const events = steps.map(({ pauseMs, members, place }) => {
      atMs += pauseMs;
      return request(`r-${atMs}`, new Date(atMs).toISOString(), { ...members, ...place });
    });
    const around = [
      ...['2026-11-10T00:00:00.000Z', '2026-11-12T00:00:00.000Z'].map(healthCheck),
      outageStated(
        '2026-11-10T08:00:00.000Z',
        { from: '2026-11-10T13:30:00.000Z', to: '2026-11-10T14:10:00.000Z' },
        'planned',
      ),
    ];
    for (const process of [0, 1, 2]) {
      const own = events.filter((_, index) => (index * 7) % 3 === process).reverse();
      await trail.close('2026-11-10T00:00:00.000Z', `gateway-${process}-0000000${process}`, [...around, ...own]);
    }
    await copy.take(trail.folder);
    const { availability, requests } = await compared(['hour', 'version', 'endpoint'], '2026-11-10', '2026-11-11');
    await comparedToStatistics([...availability, ...requests]);
    const [first] = ofAll(availability);
    expect(first?.['unplanned-downtime-seconds']).toBeGreaterThan(1_000);
    expect(first?.['planned-downtime-seconds']).toBeGreaterThan(100);
  });
});
