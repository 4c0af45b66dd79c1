import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { outageStated, writeDays, type Span } from '../support/trail-traffic.js';
import { request, WrittenTrail } from '../support/written-trail.js';
import { reportCommand } from '../support/ops-command.js';

interface Day {
  readonly day: string;
  readonly state: string;
  readonly figures: Readonly<Record<string, number | null>>;
}
interface Statistics {
  readonly incomplete: boolean;
  readonly from: string;
  readonly to: string;
  readonly rules: readonly string[];
  readonly figures: readonly { name: string; rule: string }[];
  readonly interfaces: readonly { version: string; quarter: Day['figures']; days: readonly Day[] }[];
  readonly downtimes: readonly { begin: string; end: string; seconds: number; plannedSeconds: number }[];
}

const failing: readonly Span[] = [
  // Across the first instant of the quarter.
  { from: '2026-06-30T23:50:00.000Z', to: '2026-07-01T00:10:00.000Z' },
  // Across a midnight within it.
  { from: '2026-07-15T23:59:00.000Z', to: '2026-07-16T00:00:45.000Z' },
  // Across the end of a planned outage, which is stated for two hours.
  { from: '2026-08-02T02:30:00.000Z', to: '2026-08-02T04:10:07.000Z' },
  // Across the last instant.
  { from: '2026-09-30T23:59:00.000Z', to: '2026-10-01T00:01:00.000Z' },
];
const planned = { from: '2026-08-02T02:00:00.000Z', to: '2026-08-02T04:00:00.000Z' };

describe('the statistics of a quarter with known outages', () => {
  let trail: WrittenTrail;
  let out: string;
  let statistics: Statistics;
  let page: string;
  let csv: string;
  beforeAll(async () => {
    [trail, out] = [await WrittenTrail.make(), await mkdtemp(join(tmpdir(), 'reports-'))];
    await writeDays(trail, { from: '2026-06-30T00:00:00.000Z', to: '2026-10-02T00:00:00.000Z' }, failing, (day) => [
      ...(day === '2026-07-20' ? [outageStated('2026-07-20T09:00:00.000Z', planned)] : []),
      ...(day === '2026-09-01'
        ? [request('v4', '2026-09-01T10:00:00.500Z', { apiVersion: 'v4.0', lastByteMs: 1_000 })]
        : []),
    ]);
    const words = ['statistics', '--quarter', '2026Q3', '--bank', '<Bank> & Co', '--trail', trail.folder, '--out', out];
    const { code, text } = await reportCommand('2026-10-05T09:00:00Z', ...words, '--json');
    if (code !== 0) throw new Error(text);
    statistics = JSON.parse(await readFile(join(out, 'statistics-2026Q3.json'), 'utf8')) as Statistics;
    page = await readFile(join(out, 'statistics-2026Q3.html'), 'utf8');
    csv = await readFile(join(out, 'statistics-2026Q3.csv'), 'utf8');
    // It writes and indexes 94 days.
  }, 120_000);
  afterAll(async () => {
    await trail.remove();
    await rm(out, { recursive: true });
  });
  const whole = () => statistics.interfaces[0];
  const figuresOf = (day: string) => whole()?.days.find((one) => one.day === day)?.figures ?? {};
  const down = (day: string) => [
    figuresOf(day)['planned-downtime-seconds'],
    figuresOf(day)['unplanned-downtime-seconds'],
  ];

  it('have each day from the first to the last, all of them covered', () => {
    const days = whole()?.days ?? [];
    expect([statistics.from, statistics.to, statistics.incomplete]).toEqual(['2026-07-01', '2026-09-30', false]);
    expect([days.length, days.every(({ state }) => state === 'complete')]).toEqual([92, true]);
  });

  it('have the downtime of each day to the second, and as planned only the part in the planned outage', () => {
    expect(down('2026-07-01')).toEqual([0, 600]);
    expect(down('2026-07-15')).toEqual([0, 60]);
    expect(down('2026-07-16')).toEqual([0, 45]);
    expect(down('2026-08-02')).toEqual([5_400, 607]);
    expect(down('2026-09-30')).toEqual([0, 60]);
    const others = whole()?.days.filter(({ figures }) => figures['uptime-percent'] === 100);
    expect(others?.length).toBe(92 - 5);
  });

  it('have the downtime of the quarter, without the parts before and after it', () => {
    const seconds = 600 + 105 + 6_007 + 60;
    expect(whole()?.quarter).toMatchObject({
      'planned-downtime-seconds': 5_400,
      'unplanned-downtime-seconds': seconds - 5_400,
      'uptime-percent': Number((100 - (100 * seconds) / (92 * 86_400)).toFixed(4)),
      'covered-seconds': 92 * 86_400,
    });
  });

  it('have begin and end of each downtime, and not its cause', () => {
    expect(statistics.downtimes.map(({ begin, end }) => ({ from: begin, to: end }))).toEqual(failing);
    expect(JSON.stringify(statistics) + page + csv).not.toMatch(/core-unavailable|copper-budget|aac-1/);
  });

  it('have times and errors of each day', () => {
    expect(figuresOf('2026-07-10')).toMatchObject({ 'mean-ttlb-ms': 41, requests: 144, 'error-rate-percent': 0 });
    // Nine answers a day fall away in the outage of 45 s and one request stands at its end.
    expect(figuresOf('2026-07-16')).toMatchObject({ requests: 143 + 9 + 1, 'failed-requests': 9 });
  });

  it('have each version of the API by itself', () => {
    expect(statistics.interfaces.map(({ version }) => version)).toEqual(['all', 'v3.1', 'v4.0']);
    const [, , v4] = statistics.interfaces;
    expect(v4?.quarter).toMatchObject({ requests: 1, 'mean-ttlb-ms': 1_000, 'uptime-percent': 100 });
  });

  it('state every rule', () => {
    expect(statistics.figures.map(({ name }) => name)).toEqual(Object.keys(whole()?.quarter ?? {}));
    expect(statistics.rules.join()).toMatch(
      /five requests in a row.*A 4xx is an answer|A 4xx is an answer.*five requests in a row/,
    );
    for (const rule of statistics.rules) expect(page).toContain(rule.slice(0, 40));
  });

  it('have a line in the CSV file for each day and version', () => {
    const [header, ...lines] = csv.trimEnd().split('\r\n');
    expect(header).toBe(['day', 'version', 'state', ...statistics.figures.map(({ name }) => name)].join(','));
    expect(lines.length).toBe(3 * 92);
    expect(lines.find((line) => line.startsWith('2026-08-02,all,'))).toMatch(
      /^2026-08-02,all,complete,93\.0475,6\.9525,5400,607,86400,/,
    );
  });

  it('make a page without a script, and without anything from elsewhere, in which a bank’s name is text', () => {
    expect(page).not.toMatch(/<script|https?:|@import|url\(|<link|<img|\son\w+=/i);
    expect(page).toContain('at &lt;Bank&gt; &amp; Co:');
    expect(page.split('<table>').length).toBe(page.split('<figure>').length + 1);
  });
});

describe('the statistics of a quarter under way', () => {
  let trail: WrittenTrail;
  beforeAll(async () => {
    trail = await WrittenTrail.make();
    await writeDays(trail, { from: '2026-11-20T00:00:00.000Z', to: '2026-11-22T00:00:00.000Z' });
    await writeDays(trail, { from: '2026-11-23T00:00:00.000Z', to: '2026-11-25T00:00:00.000Z' });
  });
  afterAll(() => trail.remove());

  it('end with yesterday, are incomplete, and mark each day that the trail does not cover', async () => {
    const out = await mkdtemp(join(tmpdir(), 'reports-'));
    const words = ['statistics', '--quarter', '2026Q4', '--trail', trail.folder, '--out', join(out, 'new')];
    const { text } = await reportCommand('2026-11-24T09:00:00Z', ...words);
    const json = await readFile(join(out, 'new/statistics-2026Q4.json'), 'utf8');
    const { incomplete, to, interfaces } = JSON.parse(json) as Statistics;
    const days = interfaces[0]?.days ?? [];
    expect([incomplete, to, days.length]).toEqual([true, '2026-11-23', 54]);
    expect(days.slice(-5)).toMatchObject([
      { day: '2026-11-19', state: 'missing', figures: { 'uptime-percent': null, requests: null } },
      { day: '2026-11-20', state: 'complete', figures: { 'uptime-percent': 100 } },
      { day: '2026-11-21', state: 'complete', figures: { 'uptime-percent': 100, 'downtime-percent': 0 } },
      { day: '2026-11-22', state: 'missing', figures: { 'uptime-percent': null } },
      { day: '2026-11-23', state: 'complete' },
    ]);
    expect(text).toMatch(
      /the quarter has not ended[^]*The trail of 2026-10-01 to 2026-11-19 is missing: it has no event[.]\nThe trail of 2026-11-22 is missing: /,
    );
    expect(await readFile(join(out, 'new/statistics-2026Q4.html'), 'utf8')).toContain(
      'Incomplete: the quarter has not ended.',
    );
    await rm(out, { recursive: true });
  });

  it('go to the folder of reports of DATA_DIR', async () => {
    const data = await mkdtemp(join(tmpdir(), 'data-'));
    process.env['DATA_DIR'] = data;
    try {
      const words = ['statistics', '--quarter', '2026Q4', '--trail', trail.folder];
      const { code } = await reportCommand('2026-11-24T09:00:00Z', ...words);
      expect(code).toBe(0);
    } finally {
      delete process.env['DATA_DIR'];
    }
    expect((await stat(join(data, 'reports/statistics-2026Q4.html'))).mode & 0o777).toBe(0o600);
    await rm(data, { recursive: true });
  });

  it('know no figure of a quarter of which the trail has no day', async () => {
    const out = await mkdtemp(join(tmpdir(), 'reports-'));
    const words = ['statistics', '--quarter', '2026Q2', '--trail', trail.folder, '--out', out];
    const { text } = await reportCommand('2026-11-24T09:00:00Z', ...words);
    expect(text).toContain('No downtime is known, but the trail does not cover all of this time.');
    const { interfaces } = JSON.parse(await readFile(join(out, 'statistics-2026Q2.json'), 'utf8')) as Statistics;
    expect(interfaces[0]?.quarter).toMatchObject({ 'uptime-percent': null, requests: null, 'failed-requests': null });
    const page = await readFile(join(out, 'statistics-2026Q2.html'), 'utf8');
    expect(page).toContain('None on the days that are covered.');
    expect(page).toContain('Downtime by day, in minutes: no day is known.');
    await rm(out, { recursive: true });
  });

  it.each([
    ['a quarter that has not begun', '2027Q1', /no day of 2027Q1 has ended/],
    ['a quarter of which no day has ended', '2026Q4', /no day of 2026Q4 has ended/],
  ])('refuse %s', async (_, quarter, complaint) => {
    const { code, told } = await reportCommand(
      '2026-10-01T23:59:59Z',
      'statistics',
      '--quarter',
      quarter,
      '--trail',
      trail.folder,
    );
    expect([code, told.join()]).toEqual([1, expect.stringMatching(complaint)]);
  });
});
