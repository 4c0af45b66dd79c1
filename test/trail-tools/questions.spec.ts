import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pseudonymOfCustomer } from '../../src/trail/pseudonyms.js';
import { trailCommand } from '../support/ops-command.js';
import { formerPseudonymKey, type Members, pseudonymKey, request, WrittenTrail } from '../support/written-trail.js';

const [one, other] = ['gateway-1-11111111', 'gateway-2-22222222'];
const amelia = pseudonymOfCustomer(pseudonymKey, 'C1001');
const formerAmelia = pseudonymOfCustomer(formerPseudonymKey, 'C1001');
const issuer = 'https://issuer.example';
const consent = (id: string, at: string, event: string, members: Members): Members => ({
  kind: 'consent',
  id: `${id}-${event}`,
  at,
  consent: id,
  issuer,
  tpp: 'copper-budget',
  event,
  ...members,
});

let trail: WrittenTrail;
beforeEach(async () => {
  process.env['PSEUDONYM_KEY'] = `${pseudonymKey},${formerPseudonymKey}`;
  trail = await WrittenTrail.make();
});
afterEach(async () => {
  delete process.env['PSEUDONYM_KEY'];
  await trail.remove();
});
const ask = (...words: string[]) => trailCommand(...words, ...(words.length === 0 ? [] : ['--trail', trail.folder]));

describe('trail customer', () => {
  beforeEach(async () => {
    await trail.close('2026-09-01T09:00:00.000Z', other, [
      consent('aac-1', '2026-09-01T09:01:00.000Z', 'created', { by: 'tpp', permissions: ['ReadBalances'] }),
      {
        kind: 'authorisation',
        id: 's-1',
        at: '2026-09-01T09:02:00.000Z',
        step: 'approved',
        consent: 'aac-1',
        tpp: 'copper-budget',
        customer: formerAmelia,
      },
      consent('aac-1', '2026-09-01T09:02:00.000Z', 'authorised', {
        by: 'customer',
        customer: formerAmelia,
        accounts: 2,
      }),
    ]);
    const ofAmelia = { customer: amelia };
    await trail.close('2026-10-05T14:00:00.000Z', one, [
      request('r-1', '2026-10-05T14:01:00.000Z', { customer: formerAmelia }),
      request('r-2', '2026-10-05T14:02:00.000Z', { ...ofAmelia, attended: false }),
      request('r-3', '2026-10-05T14:03:00.000Z', { ...ofAmelia, status: 403, refusedBy: 'permission' }),
      request('r-4', '2026-10-05T14:04:00.000Z', { ...ofAmelia, endpoint: 'party' }),
      request('r-5', '2026-10-05T14:05:00.000Z', { customer: pseudonymOfCustomer(pseudonymKey, 'C2002') }),
    ]);
    await trail.close('2026-11-02T10:00:00.000Z', one, [
      request('r-6', '2026-11-02T10:01:00.000Z', ofAmelia),
      ...['10:01:30', '10:01:40'].map((time) =>
        request(time, `2026-11-02T${time}.000Z`, {
          ...ofAmelia,
          listener: 'bank',
          by: 'operator:rea',
          tpp: undefined,
          endpoint: 'find',
        }),
      ),
      consent('aac-1', '2026-11-02T10:02:00.000Z', 'deleted', { by: 'tpp', ...ofAmelia }),
    ]);
  });

  it('finds a customer under the present and the previous keys: each TPP, endpoint and deleted consent', async () => {
    const { code, text } = await ask('customer', 'C1001');
    expect(text).toBe(
      [
        `The trail knows the customer as ${amelia} and ${formerAmelia}.`,
        '',
        'Requests for the customer’s data:',
        `  copper-budget (${issuer}), balances, under aac-1: 3 answers, 2 with the customer present, 1 request without data; from 2026-10-05T14:01:00.000Z to 2026-11-02T10:01:00.000Z`,
        `  copper-budget (${issuer}), party, under aac-1: 1 answer, 1 with the customer present, 0 requests without data; from 2026-10-05T14:04:00.000Z to 2026-10-05T14:04:00.000Z`,
        '',
        'Lookups at the bank’s port:',
        '  operator:rea, find: 2 requests; from 2026-11-02T10:01:30.000Z to 2026-11-02T10:01:40.000Z',
        '',
        'Consents:',
        `  aac-1 of copper-budget (${issuer}), for ReadBalances`,
        '    2026-09-01T09:01:00.000Z created by tpp',
        '    2026-09-01T09:02:00.000Z authorised by customer',
        '    2026-11-02T10:02:00.000Z deleted by tpp',
        '',
        'Authorisations:',
        '  2026-09-01T09:02:00.000Z the authorisation of the consent aac-1 of the TPP copper-budget: approved',
        '',
        `Searched: 2 instances (${one}, ${other}), on 3 days from 2026-09-01 to 2026-11-02, with no event of an open segment.`,
      ].join('\n'),
    );
    expect(code).toBe(0);
  });

  it('counts the requests of the asked time only, a day as a whole, and shows their consents from the beginning', async () => {
    const { text } = await ask('customer', 'C1001', '--from', '2026-10-01', '--to', '2026-10-31', '--json');
    const report = JSON.parse(text);
    expect(report.reads.map(({ endpoint, answered }: Members) => [endpoint, answered])).toEqual([
      ['balances', 2],
      ['party', 1],
    ]);
    expect(report.consents[0].changes.map(({ event }: Members) => event)).toEqual(['created', 'authorised', 'deleted']);
  });

  it('says of a customer without events that no TPP asked', async () => {
    expect((await ask('customer', 'C9')).text).toContain('No TPP asked for the customer’s data.');
  });

  it('names the days that the retention dropped or whose segment is not there, and denies nothing of them', async () => {
    await trail.drop('2026-10-05');
    await rm(trail.path(await trail.close('2026-10-07T10:00:00.000Z', one, []), 'closed'));
    const dropped = await ask('customer', 'C1001', '--from', '2026-10-05', '--to', '2026-10-07');
    expect(dropped.code).toBe(3);
    expect(dropped.text).toContain('On the days that were searched, no TPP asked for the customer’s data.');
    expect(dropped.text).not.toMatch(/^No TPP asked/m);
    expect(dropped.text).toMatch(
      /The trail of 2026-10-05 is dropped: retention deleted it\.\nThe trail of 2026-10-06 is missing: it has no event\.\nThe trail of 2026-10-07 is incomplete: .*\nThis search says nothing about other days\.$/,
    );
    for (const question of [['tpp', 'copper-budget'], ['load'], ['why', 'r-1']])
      expect(await ask(...question, '--from', '2026-10-05')).toMatchObject({
        code: 3,
        text: expect.stringContaining('The trail of 2026-10-05 is dropped'),
      });
    expect((await ask('customer', 'C1001', '--from', '2026-11-02')).code).toBe(0);
    expect((await ask('why', 'r-6', '--json')).code).toBe(0);
    expect((await ask('customer', 'C1001', '--from', '2027-01-01')).code).toBe(3);
  });

  it('needs the key of the pseudonyms, and a time that it understands', async () => {
    expect((await ask('customer', 'C1', '--from', 'yesterday')).told.join()).toContain('--from is not a time');
    expect((await ask('customer', 'C1', '--to', '2026-11-24T14:00:00')).told.join()).toContain('--to is not a time');
    delete process.env['PSEUDONYM_KEY'];
    expect((await ask('customer', 'C1')).told.join()).toContain('PSEUDONYM_KEY is not set');
  });
});

describe('the counts', () => {
  beforeEach(async () => {
    const health = { listener: 'bank', endpoint: 'live', tpp: undefined };
    await trail.close('2026-11-24T14:00:00.000Z', one, [
      request('r-1', '2026-11-24T14:01:00.000Z', { lastByteMs: 100 }),
      request('r-2', '2026-11-24T14:02:00.000Z', { lastByteMs: 900, bytes: 66 }),
      request('r-3', '2026-11-24T14:03:00.000Z', {
        status: 403,
        refusedBy: 'permission',
        reason: 'permission-missing',
      }),
      request('r-4', '2026-11-24T14:04:00.000Z', health),
    ]);
    await trail.open('2026-11-24T15:00:00.000Z', other, [
      request('r-5', '2026-11-24T15:01:00.000Z', {
        tpp: 'slow-mirror',
        endpoint: 'transactions',
        lastByteMs: 5_000,
        bytes: 9,
      }),
      request('r-6', '2026-11-24T15:02:00.000Z', { tpp: 'slow-mirror', status: 503, lastByteMs: 2_000 }),
    ]);
  });

  it('show which TPP, endpoint and hour cause the load', async () => {
    const { tpps, endpoints, hours } = JSON.parse((await ask('load', '--json')).text);
    const figures = ({ name, requests, bytes, seconds, refused, failed }: Members) => [
      name,
      requests,
      bytes,
      seconds,
      refused,
      failed,
    ];
    expect(tpps.map(figures)).toEqual([
      ['slow-mirror', 2, 1_243, 7, 0, 1],
      ['copper-budget', 3, 2_534, 1.041, 1, 0],
    ]);
    expect(endpoints.map(figures)).toEqual([
      ['transactions', 1, 9, 5, 0, 0],
      ['balances', 4, 3_768, 3.041, 1, 1],
    ]);
    expect(hours.map(({ name, requests }: Members) => [name, requests])).toEqual([
      ['2026-11-24T14:00Z', 3],
      ['2026-11-24T15:00Z', 2],
    ]);
    expect((await ask('load', '--to', '2026-11-24T14:30:00Z')).text).toMatch(
      /^By TPP\nname +requests .*\ncopper-budget +3 /,
    );
  });

  it('take an event of several requests as often as it has requests', async () => {
    const stranger = { tpp: undefined, status: 401, lastByteMs: undefined, bytes: undefined, count: 40 };
    await trail.close('2026-11-24T16:00:00.000Z', one, [request('r-7', '2026-11-24T16:01:00.000Z', stranger)]);
    const { tpps } = JSON.parse((await ask('load', '--json')).text);
    expect(tpps.find(({ name }: Members) => name === 'without a TPP')).toMatchObject({ requests: 40, refused: 40 });
  });

  it('show the requests and refusals of a TPP', async () => {
    const { text } = await ask('tpp', 'copper-budget');
    expect(
      text
        .split('\n\n')[0]
        ?.split('\n')
        .map((line) => line.split(/ {2,}/)),
    ).toEqual([
      ['issuer', 'endpoint', 'status', 'refusedBy', 'reason', 'requests', 'first', 'last', 'latestId'],
      [issuer, 'balances', '200', '2', '2026-11-24T14:01:00.000Z', '2026-11-24T14:02:00.000Z', 'r-2'],
      [
        issuer,
        'balances',
        '403',
        'permission',
        'permission-missing',
        '1',
        ...Array<string>(2).fill('2026-11-24T14:03:00.000Z'),
        'r-3',
      ],
    ]);
    expect((await ask('tpp', 'none')).text).toMatch(
      /^No request of the TPP none was found: .*\n\nSearched: 2 instances \(/,
    );
  });
});

describe('trail export', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'export-'));
    await trail.close('2026-11-24T14:00:00.000Z', one, [request('r-1', '2026-11-24T14:01:00.000Z', { later: [1] })]);
    await trail.open('2026-11-24T15:00:00.000Z', one, [request('r-2', '2026-11-24T15:01:00.000Z')]);
  });
  afterEach(() => rm(folder, { recursive: true }));
  const exported = async (name: string, ...words: string[]) => {
    const result = await ask('export', '--out', join(folder, name), ...words);
    expect([result.code, (await stat(join(folder, name))).mode & 0o777]).toEqual([0, 0o600]);
    return readFile(join(folder, name), 'utf8');
  };

  it('writes the lines as they are in the segments', async () => {
    const lines = await trail.lines(
      await trail.close('2026-11-23T14:00:00.000Z', one, [request('r-0', '2026-11-23T14:01:00.000Z')]),
    );
    expect(await exported('all.ndjson', '--from', '2026-11-23', '--to', '2026-11-23')).toBe(`${lines.join('\n')}\n`);
    expect((await exported('later.ndjson', '--from', '2026-11-24T14:00:30Z')).trim().split('\n')).toHaveLength(3);
  });

  it('writes the members as CSV and as Parquet', async () => {
    const [header = '', ...rows] = (
      await exported('all.csv', '--from', '2026-11-24T14:00:30Z', '--to', '2026-11-24T14:30:00Z')
    )
      .trim()
      .split('\n');
    expect([header.split(',').slice(0, 3), rows]).toEqual([
      ['kind', 'id', 'at'],
      [expect.stringMatching(/^request,r-1,/)],
    ]);
    expect((await exported('all.parquet')).slice(0, 4)).toBe('PAR1');
  });

  it('writes no cell into CSV that a spreadsheet would carry out, as the reports do', async () => {
    await trail.close('2026-11-25T14:00:00.000Z', one, [
      request('r-9', '2026-11-25T14:01:00.000Z', { tpp: '=1+1', issuer: '@SUM(A1)', endpoint: 'say "a", b' }),
    ]);
    const [, row = ''] = (await exported('formulas.csv', '--from', '2026-11-25T14:00:30Z')).split('\r\n');
    expect(row).toContain(",'@SUM(A1),'=1+1,");
    expect(row).toContain(',"say ""a"", b",');
  });

  it('overwrites no file, and knows three forms', async () => {
    await exported('all.csv');
    expect((await ask('export', '--out', join(folder, 'all.csv'))).told.join()).toContain('cannot be made (EEXIST)');
    expect((await ask('export', '--out', join(folder, 'all.xls'))).code).toBe(2);
    expect((await ask('export')).told.join()).toContain("required option '--out <FILE>' not specified");
  });
});

describe('the command line', () => {
  it.each([
    [[], 'name a command: '],
    [['fly'], "unknown command 'fly'"],
    [['wy', 'a'], '(Did you mean why?)'],
    [['why'], "missing required argument 'ID'"],
    [['why', 'a', 'b'], "too many arguments for 'why'"],
    [['key', '--from', '2026-11-01'], "unknown option '--from'"],
    [
      ['why', 'a', '--from', '2026-11-01', '--from', '2026-11-02'],
      "'--from <T>' argument '2026-11-02' is invalid. It may be given once",
    ],
    [['why', 'a', '--nothing'], "unknown option '--nothing'"],
  ])('refuses %j with one line', async (words, line) => {
    const { code, told } = await ask(...words);
    expect([code, told]).toEqual([2, [expect.stringContaining(line)]]);
    expect(told[0]).toMatch(/, see: npm run ops -- trail (why |key )?--help$/);
  });

  it('lists every command with its options', async () => {
    const { text } = await trailCommand('help');
    for (const command of [
      'why <ID>',
      'customer <REF>',
      'tpp <CLIENT_ID>',
      'load',
      'export --out <FILE>',
      'index',
      'verify',
      'prove <INTERACTION_ID>',
      'key',
    ])
      expect(text).toContain(`\n  trail ${command} `);
    expect((await trailCommand('--help')).text).toBe(text);
  });
});
