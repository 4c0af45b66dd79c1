import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeDays } from '../support/trail-traffic.js';
import { request, type Members, WrittenTrail } from '../support/written-trail.js';
import { reportCommand } from '../support/ops-command.js';

interface Tab {
  readonly name: string;
  readonly fields: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

const issuer = 'https://issuer.example';
let numbers = 0;
const consent = (consentId: string, at: string, event: string, by: string, members: Members = {}): Members => ({
  kind: 'consent',
  id: `c-${++numbers}`,
  at,
  consent: consentId,
  issuer,
  tpp: 'copper-budget',
  event,
  by,
  ...members,
});
const journey = (at: string, step: string, members: Members = {}): Members => ({
  kind: 'authorisation',
  id: `j-${++numbers}`,
  at,
  step,
  consent: 'aac-1',
  ...members,
});
const tpp = (at: string, event: string, name: string, by = 'tpp'): Members => ({
  kind: 'tpp',
  id: `t-${++numbers}`,
  at,
  event,
  issuer,
  tpp: name,
  by,
});
/** A consent that its TPP created for a time, and that its customer approved. */
const created = (consentId: string, at: string, expires: string): readonly Members[] => [
  consent(consentId, at, 'created', 'tpp', { expires }),
  consent(consentId, at, 'authorised', 'customer', { expires }),
];
const needsAuthentication = (id: string, consentId: string): Members =>
  request(id, '2026-11-01T20:00:00.500Z', {
    consent: consentId,
    status: 403,
    reason: 'window-closed',
    product: undefined,
  });

const october: readonly Members[] = [
  tpp('2026-10-31T08:00:00.000Z', 'registered', 'copper-budget'),
  tpp('2026-10-31T08:00:01.000Z', 'registered', 'silver-rent'),
  consent('kept', '2026-10-31T09:00:00.000Z', 'authorised', 'customer'),
  consent('ended-before', '2026-10-31T09:00:00.000Z', 'authorised', 'customer'),
  consent('ended-before', '2026-10-31T23:59:59.999Z', 'revoked', 'customer'),
  consent('of-another', '2026-10-31T09:00:00.000Z', 'authorised', 'customer', { tpp: 'silver-rent' }),
];
const november: readonly Members[] = [
  consent('new', '2026-11-01T00:00:00.000Z', 'authorised', 'customer'),
  consent('new', '2026-11-01T10:00:00.000Z', 'reauthenticated', 'customer'),
  consent('gone', '2026-11-01T10:00:00.000Z', 'authorised', 'customer'),
  consent('gone', '2026-11-01T11:00:00.000Z', 'deleted', 'tpp'),
  ...created('15-days', '2026-11-01T08:00:00.000Z', '2026-11-16T08:00:00.000Z'),
  consent('15-days', '2026-11-01T09:00:00.000Z', 'reauthenticated', 'customer'),
  consent('15-days', '2026-11-01T10:00:00.000Z', 'revoked', 'customer'),
  ...created('longer', '2026-11-01T08:00:00.000Z', '2026-11-16T08:00:00.001Z'),
  consent('kept', '2026-11-01T13:00:00.000Z', 'revoked', 'customer'),
  consent('kept', '2026-11-01T14:00:00.000Z', 'reauthenticated', 'customer'),
  consent('never-approved', '2026-11-01T08:00:00.000Z', 'created', 'tpp'),
  consent('never-approved', '2026-11-01T09:00:00.000Z', 'deleted', 'tpp'),
  ...['kept', 'kept', '15-days'].map((consentId, index) => needsAuthentication(`late-${index}`, consentId)),
  tpp('2026-11-01T12:00:00.000Z', 'consents-revoked', 'silver-rent', 'operator:maria'),
  tpp('2026-11-01T12:00:01.000Z', 'withdrawn-by-directory', 'silver-rent'),
  journey('2026-11-01T09:00:00.000Z', 'begun'),
  journey('2026-11-01T09:01:00.000Z', 'sign-in-failed'),
  journey('2026-11-01T09:02:00.000Z', 'approved'),
  journey('2026-11-01T09:10:00.000Z', 'begun'),
  journey('2026-11-01T09:20:00.000Z', 'abandoned', { stage: 'accounts' }),
  request('slow', '2026-11-01T09:30:00.500Z', { lastByteMs: 900, product: 'Business', tpp: 'silver-rent' }),
  request('token', '2026-11-01T09:30:01.500Z', { endpoint: '/as/token', apiVersion: undefined, lastByteMs: 30 }),
];

describe('the management information of a month', () => {
  let trail: WrittenTrail;
  let out: string;
  beforeAll(async () => {
    [trail, out] = [await WrittenTrail.make(), await mkdtemp(join(tmpdir(), 'reports-'))];
    const failing = [{ from: '2026-11-02T10:00:00.000Z', to: '2026-11-02T10:05:00.000Z' }];
    const events: Readonly<Record<string, readonly Members[]>> = { '2026-10-31': october, '2026-11-01': november };
    const span = { from: '2026-10-31T00:00:00.000Z', to: '2026-11-05T00:00:00.000Z' };
    await writeDays(trail, span, failing, (day) => events[day] ?? []);
  });
  afterAll(async () => {
    await trail.remove();
    await rm(out, { recursive: true });
  });

  async function tabs(...words: string[]): Promise<ReadonlyMap<string, Tab>> {
    const asked = ['mi', '--month', '2026-11', '--trail', trail.folder, '--out', out, ...words, '--json'];
    const { code, text, told } = await reportCommand('2026-11-04T09:00:00Z', ...asked);
    if (code !== 0) throw new Error(told.join());
    const report = JSON.parse(text) as { incomplete: boolean; to: string; tabs: readonly Tab[] };
    expect([report.incomplete, report.to]).toEqual([true, '2026-11-03']);
    return new Map(report.tabs.map((tab) => [tab.name, tab]));
  }
  const imported = async (...lines: readonly string[]): Promise<string> => {
    const file = join(out, 'import.csv');
    await writeFile(file, ['tab,date,endpoint,version,field,value', ...lines].join('\n'));
    return file;
  };

  it('has performance and availability by day, version and endpoint, and the authorization server as endpoint 0', async () => {
    const rows = (await tabs('--brand', 'B1')).get('P&A')?.rows ?? [];
    expect(rows.map((row) => [row['Report Date'], row['Endpoint'], row['Version'], row['Endpoint ID']])).toEqual([
      ['2026-11-01', 'OIDC', null, '0'],
      ['2026-11-01', 'balances', 'v3.1', null],
      ['2026-11-02', 'balances', 'v3.1', null],
      ['2026-11-03', 'balances', 'v3.1', null],
    ]);
    expect(rows[2]).toMatchObject({
      'ASPSP Brand ID': 'B1',
      'Up Time': 86_100,
      'Planned Downtime': 0,
      'Unplanned Downtime': 300,
      'Core/Non-Core hours': null,
      'Median TTLB': 41,
      'Total API calls': 144 - 1 + 60 + 1,
    });
  });

  it('has volumes with the split that the bank states by its products', async () => {
    const split = (await tabs('--pca', 'pca', '--bca', 'Business')).get('Daily Volumes')?.rows ?? [];
    expect(split[1]).toMatchObject({ 'PCA calls': 144, 'BCA calls': 1, Successful: 145, 'TPPs calling': 2 });
    expect((await tabs()).get('Daily Volumes')?.rows[1]).toMatchObject({ 'PCA calls': null, 'BCA calls': null });
  });

  it('has the long-lived consents, which balance, and apart from them the one-off ones of at most 15 days', async () => {
    expect((await tabs()).get('PSU Consent Adoption')?.rows).toEqual([
      {
        'Report Date': '2026-11',
        'ASPSP Brand ID': null,
        'One-off consents': 1,
        'Long-lived: outstanding at start': 2,
        'Long-lived: new': 3,
        'Long-lived: renewed': 1,
        'Long-lived: revoked': 3,
        'Long-lived: expired': 0,
        'Long-lived: requiring reauthentication': 1,
        'Long-lived: refreshed': 1,
        'Long-lived: outstanding at end': 2 + 3 + 1 - 3,
      },
    ]);
  });

  it('counts zero in a month without changes of consents or journeys, and nothing in a month without a trail', async () => {
    const quiet = await WrittenTrail.make();
    await writeDays(quiet, { from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z' });
    for (const [month, number] of [
      ['2026-11', 0],
      ['2026-10', null],
    ]) {
      const words = ['mi', '--month', String(month), '--trail', quiet.folder, '--out', out, '--json'];
      const report = JSON.parse((await reportCommand('2026-11-04T09:00:00Z', ...words)).text) as {
        tabs: readonly Tab[];
      };
      for (const [name, known] of [
        ['PSU Consent Adoption', (field: string) => /^(One-off|Long-lived)/.test(field)],
        ['Auth Efficacy', (field: string) => /^(Consents|Authentications|Confirmations)/.test(field)],
      ] as const) {
        const [row = {}] = report.tabs.find((tab) => tab.name === name)?.rows ?? [];
        const counted = Object.keys(row).filter(known);
        expect([name, counted.map((field) => row[field])]).toEqual([name, counted.map(() => number)]);
        expect(counted.length).toBeGreaterThan(7);
      }
    }
    await quiet.remove();
  });

  it('has journeys, TPPs and outliers', async () => {
    const all = await tabs();
    expect(all.get('Auth Efficacy')?.rows).toMatchObject([
      {
        'Consents requiring authentication': 2,
        'Authentications attempted': 3,
        'Authentications abandoned': 1,
        'Authentications succeeded': 2,
        'Authentications failed': 1,
        'Confirmations required': 2,
        'Confirmations accepted': 1,
        'Confirmations rejected': 0,
        Channel: null,
      },
    ]);
    expect(all.get('TPP Volumes')?.rows).toMatchObject([
      { 'AISPs at start': 2, 'AISPs added': 0, 'AISPs removed': 1, 'AISPs at end': 1 },
    ]);
    expect(all.get('Response Outliers')?.rows).toMatchObject([{ TTLB: 900, 'TPP application': 'silver-rent' }]);
  });

  it('writes the client id of a TPP as text, which no spreadsheet carries out', async () => {
    const hostile = await WrittenTrail.make();
    const span = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z' };
    await writeDays(hostile, span, [], () => [
      request('hostile', '2026-11-01T10:00:00.500Z', { tpp: '=HYPERLINK("http://x")', lastByteMs: 800 }),
    ]);
    await reportCommand('2026-11-04T09:00:00Z', 'mi', '--month', '2026-11', '--trail', hostile.folder, '--out', out);
    expect(await readFile(join(out, 'mi-2026-11-response-outliers.csv'), 'utf8')).toContain(
      `,"'=HYPERLINK(""http://x"")",`,
    );
    await hostile.remove();
  });

  it('leaves no cell of its CSV files empty', async () => {
    const all = await tabs();
    for (const file of ['performance-and-availability', 'consent-adoption', 'psu-interface', 'additional-metrics']) {
      const [header = '', ...lines] = (await readFile(join(out, `mi-2026-11-${file}.csv`), 'utf8'))
        .trimEnd()
        .split('\r\n');
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines)
        expect(line.split(',').map((cell) => cell !== '')).toEqual(header.split(',').map(() => true));
    }
    expect(all.get('PSU Interface P&A')?.rows.length).toBe(3);
  });

  it('takes from a file the values that only the bank’s own channels know', async () => {
    const file = await imported(
      'PSU Interface P&A,2026-11-02,,,Up Time,86400',
      'P&A,,balances,,Endpoint ID,17',
      'Auth Efficacy,,,,Channel,"App, web"',
    );
    const all = await tabs('--import', file);
    expect(all.get('PSU Interface P&A')?.rows.map((row) => row['Up Time'])).toEqual([null, '86400', null]);
    expect(all.get('P&A')?.rows.map((row) => row['Endpoint ID'])).toEqual(['0', '17', '17', '17']);
    expect(await readFile(join(out, 'mi-2026-11-authentication-efficacy.csv'), 'utf8')).toContain('"App, web"');
  });

  it.each([
    ['P&B,,,,Up Time,1', /line 2 of the imported file: there is no such tab; the tabs are P&A, /],
    ['P&A,,,,Uptime,1', /line 2 of the imported file: P&A has no such field/],
    ['P&A,2026-11-02,balances,,Up Time,86400', /the trail has the value of Up Time itself/],
    ['P&A,2026-12-02,,,Core/Non-Core hours,Core', /no row has this date, endpoint and version/],
    ['P&A,2026-11-02', /is not valid CSV: /],
    ['P&A,,,,"Up Time,1', /is not valid CSV: /],
  ])('refuses to import %s', async (line, complaint) => {
    const words = ['mi', '--month', '2026-11', '--trail', trail.folder, '--out', out, '--import', await imported(line)];
    const { code, told } = await reportCommand('2026-11-04T09:00:00Z', ...words);
    expect([code, told.at(-1)]).toEqual([1, expect.stringMatching(complaint)]);
  });

  it.each([
    ['a file that is absent', 'absent.csv', /absent.csv cannot be read \(ENOENT\)/],
    ['a file with other columns', 'other.csv', /the first line of .* must be tab,date,endpoint,version,field,value/],
  ])('refuses to import %s', async (_, name, complaint) => {
    await writeFile(join(out, 'other.csv'), 'tab,field\nP&A,x\n');
    const words = ['mi', '--month', '2026-11', '--trail', trail.folder, '--out', out, '--import', join(out, name)];
    const { code, told } = await reportCommand('2026-11-04T09:00:00Z', ...words);
    expect([code, told.at(-1)]).toEqual([1, expect.stringMatching(complaint)]);
  });

  it('can be asked as single figures, also by the stage at which customers left', async () => {
    const words = ['figures', '--from', '2026-11-01', '--to', '2026-11-03', '--trail', trail.folder, '--json'];
    const figures = async (...by: string[]) =>
      JSON.parse((await reportCommand('2026-11-04T09:00:00Z', ...words, ...by)).text).groups;
    expect((await figures()).consent_changes[0]).toMatchObject({
      'consents-approved': 4,
      'consents-withdrawn-by-tpp': 2,
      'consents-withdrawn-by-operator': 1,
    });
    expect((await figures('--by', 'stage')).journeys).toMatchObject([
      { key: '', 'journeys-begun': 2 },
      { key: 'accounts', 'journeys-abandoned': 1 },
    ]);
    expect((await figures('--by', 'endpoint')).availability).toMatchObject([
      { key: 'v3.1 balances', 'unplanned-downtime-seconds': 300 },
    ]);
    expect((await figures('--by', 'hour')).availability).toHaveLength(72);
    expect((await figures('--by', 'version')).requests).toMatchObject([
      { key: '' },
      { key: 'v3.1', 'distinct-tpps': 2 },
    ]);
  });

  it('is explained by the events behind a figure', async () => {
    const words = ['explain', 'consents-withdrawn-by-tpp', '--day', '2026-11-01', '--trail', trail.folder, '--json'];
    const explained = JSON.parse((await reportCommand('2026-11-04T09:00:00Z', ...words)).text);
    expect(explained).toMatchObject({
      value: 2,
      events: [
        { consent: 'never-approved', event: 'deleted', actor: 'tpp' },
        { consent: 'gone', event: 'deleted', actor: 'tpp' },
      ],
    });
  });

  it('explains a consent that a measure against its TPP ended by the event of the measure', async () => {
    const words = [
      'explain',
      'consents-withdrawn-by-operator',
      '--day',
      '2026-11-01',
      '--trail',
      trail.folder,
      '--json',
    ];
    const measure = november.find(({ event }) => event === 'consents-revoked');
    expect(JSON.parse((await reportCommand('2026-11-04T09:00:00Z', ...words)).text)).toMatchObject({
      value: 1,
      events: [{ id: measure?.['id'], consent: 'of-another', event: 'revoked', actor: 'operator' }],
    });
  });

  it.each(['2026-13', '2026-1', '2026Q4', ''])('refuses the month "%s"', async (month) => {
    const { code, told } = await reportCommand('2026-11-04T09:00:00Z', 'mi', '--month', month);
    expect([code, told[0]]).toEqual([2, expect.stringMatching(/--month is not a month: write it like 2026-11/)]);
  });
});
