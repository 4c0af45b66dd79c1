import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { literal, withDuckDb } from '../../ops/trail/trail-database.js';
import { trailCommand } from '../support/ops-command.js';
import { request, WrittenTrail } from '../support/written-trail.js';

const [one, other] = ['gateway-1-11111111', 'gateway-2-22222222'];
const closedWindow = request('id-window', '2026-11-24T14:03:03.000Z', {
  endpoint: 'direct-debits',
  status: 403,
  bytes: 300,
  core: undefined,
  coreMs: undefined,
  rows: undefined,
  product: undefined,
  error: 'reauthentication',
  refusedBy: 'authentication window',
  reason: 'window-closed',
  facts: { authenticationAgeS: 1_350, windowS: 300 },
});

describe('trail why', () => {
  let trail: WrittenTrail;
  beforeEach(async () => {
    trail = await WrittenTrail.make();
  });
  afterEach(() => trail.remove());
  const why = (...words: string[]) => trailCommand('why', ...words, '--trail', trail.folder);

  it('explains a refusal: the request, each check with its facts, the reason, and the way through', async () => {
    await trail.close('2026-11-24T14:00:00.000Z', one, [request('id-other', '2026-11-24T14:01:00.000Z'), closedWindow]);
    const { code, text } = await why('id-window');
    expect(text).toBe(
      [
        'At 2026-11-24 14:03:03Z the TPP copper-budget of the issuer https://issuer.example asked GET direct-debits (v3.1), under the consent aac-1, with the customer present.',
        'The gateway answered 403 after 41 ms: the check “authentication window” refused it (error reauthentication).',
        '  + host: passed',
        '  + token: passed (the TPP copper-budget of the issuer https://issuer.example)',
        '  + rate limit: passed',
        '  + path: passed (direct-debits)',
        '  + method: passed (GET)',
        '  + live consent: passed (the consent aac-1)',
        '  + headers: passed',
        '  + body: passed',
        '  + scope: passed',
        '  + consent version: passed',
        '  + permission: passed',
        '  + account: passed',
        '  + query: passed',
        '  x authentication window: refused (the customer authenticated 22 min 30 s before, at 2026-11-24 13:40:33Z; the window is 5 min)',
        '  - unattended access: not reached',
        '  - access state: not reached',
        'Reason window-closed: The customer’s last authentication was longer ago than the authentication window.',
        'Remedy: The customer authenticates again for the same consent.',
        'Needed to pass: an authentication of the customer after 2026-11-24 13:58:03Z.',
        'The core was not asked.',
        'Written by gateway-1-11111111.',
      ].join('\n'),
    );
    expect(code).toBe(0);
  });

  const told = async (members: Record<string, unknown>): Promise<string> => {
    await trail.close('2026-11-24T14:00:00.000Z', one, [request('id-1', '2026-11-24T14:03:00.000Z', members)]);
    return (await why('id-1')).text;
  };
  const refused = { core: undefined, coreMs: undefined, rows: undefined, product: undefined };

  it('names the missing permission, of each group one, and not those that the consent has', async () => {
    const text = await told({
      ...refused,
      status: 403,
      error: 'permission-missing',
      refusedBy: 'permission',
      reason: 'permission-missing',
      facts: {
        permissionsHeld: ['ReadAccountsBasic', 'ReadTransactionsDetail'],
        permissionsNeeded: [
          ['ReadTransactionsBasic', 'ReadTransactionsDetail'],
          ['ReadTransactionsCredits', 'ReadTransactionsDebits'],
        ],
      },
    });
    expect(text).toContain(
      'x permission: refused (the endpoint needs ReadTransactionsBasic or ReadTransactionsDetail and ' +
        'ReadTransactionsCredits or ReadTransactionsDebits; the consent has ReadAccountsBasic, ReadTransactionsDetail)',
    );
    expect(text).toContain('Needed to pass: the permission ReadTransactionsCredits or ReadTransactionsDebits.');
    expect(text).toContain('- account: not reached');
  });

  it('says when the rate limit would have let the request pass', async () => {
    const text = await told({
      ...refused,
      status: 429,
      error: 'too-many-requests',
      refusedBy: 'rate limit',
      reason: 'rate-limit',
      facts: { limit: 500, retryAfterS: 2 },
    });
    expect(text).toContain('x rate limit: refused (the limit is 500 a second)');
    expect(text).toContain('Needed to pass: the same request after 2026-11-24 14:03:02Z.');
  });

  it('says of an old history that a later start would have done, too', async () => {
    const text = await told({
      ...refused,
      endpoint: 'transactions',
      status: 403,
      error: 'reauthentication',
      refusedBy: 'authentication window',
      reason: 'history-older-than-90-days',
      facts: { authenticationAgeS: 301, windowS: 300, historyFromAgeDays: 120 },
    });
    expect(text).toContain('the asked history begins 120 days before');
    expect(text).toMatch(/Needed to pass: an authentication .* or a later fromBookingDateTime/);
  });

  it('says how long the core took for an answer, and how many records it gave', async () => {
    const text = await told({ badRecords: 1, facts: { permissionsNeeded: [['ReadBalances']] } });
    expect(text).toContain('The gateway answered 200 after 41 ms with 1,234 bytes.');
    expect(text).toContain('+ permission: passed (the endpoint needs ReadBalances)');
    expect(text).toContain('+ access state: passed (the product pca)');
    expect(text).toContain(
      'The core ledger took 38 ms and gave 2 records of the product pca; 1 further record could not be read, and the answer lacks them.',
    );
    expect(text).not.toContain('Needed to pass');
  });

  it('finds a failed request by the error id that the TPP received', async () => {
    await trail.close('2026-11-24T14:00:00.000Z', one, [
      request('id-1', '2026-11-24T14:03:00.000Z', {
        ...refused,
        core: 'ledger',
        coreMs: 2_000,
        coreFault: 'timeout',
        status: 503,
        error: 'unavailable',
        errorId: 'error-1',
        reason: 'core-timeout',
      }),
    ]);
    const { text } = await why('error-1');
    expect(text).toContain('The gateway answered 503 after 41 ms: the gateway failed (error unavailable).');
    expect(text).toContain('+ unattended access: passed\n  - access state: not reached');
    expect(text).toContain('The core ledger took 2 s and failed: timeout.');
    expect(text).toContain('The caller received the error id error-1.');
  });

  it('finds an interaction id in small letters and in capitals, and the events that it caused', async () => {
    const id = '41d5da76-a1f1-45f9-8fb9-49211aa92109';
    await trail.close('2026-11-24T14:00:00.000Z', one, [request(id, '2026-11-24T14:03:00.000Z')]);
    await trail.open('2026-11-24T15:00:00.000Z', one, [
      {
        kind: 'tpp',
        id: 't-1',
        at: '2026-11-24T15:01:00.000Z',
        interactionId: id,
        event: 'changed',
        tpp: 'one',
        by: 'tpp',
      },
    ]);
    expect((await why(id)).text).toContain('2 events have this id');
    expect((await why(id.toUpperCase())).text).toContain('2 events have this id');
  });

  it('names the withdrawal that a request ordered', async () => {
    const withdrawal = { kind: 'withdrawal', id: 'w-1', at: '2026-11-24T15:01:00.000Z', interactionId: 'id-1' };
    await trail.open('2026-11-24T15:00:00.000Z', one, [{ ...withdrawal, event: 'consent-deleted', consent: 'aac-1' }]);
    const { text } = await why('id-1');
    expect(text).toMatch(/the withdrawal consent-deleted of the consent aac-1 was written before it was made/i);
  });

  it('finds an id in an index and in an open segment, whatever its characters', async () => {
    const id = `a"b\\c'd\u00e9`;
    await trail.close('2026-11-24T14:00:00.000Z', one, [request(id, '2026-11-24T14:03:00.000Z')]);
    await trail.open('2026-11-24T15:00:00.000Z', one, [
      request('id-other', '2026-11-24T15:02:00.000Z', { endpoint: id }),
      request(id, '2026-11-24T15:03:00.000Z'),
    ]);
    const { explanations, searched } = JSON.parse((await why(id, '--json')).text);
    const found = explanations.map(({ event }: { event: { at: string } }) => event.at);
    expect(found).toEqual(['2026-11-24T14:03:00.000Z', '2026-11-24T15:03:00.000Z']);
    // The search read every line of the open segment, its first one too.
    expect(searched.openEvents).toBe(3);
  });

  it('shows every event with the id by time, of several machines, and the changes that the requests made', async () => {
    const second = await WrittenTrail.make();
    await second.close('2026-11-24T13:00:00.000Z', other, [
      request('id-1', '2026-11-24T13:30:00.000Z'),
      ...[{ kind: 'consent', id: 'c-1', at: '2026-11-24T13:30:00.100Z', interactionId: 'id-1' }].map((event) => ({
        ...event,
        consent: 'aac-1',
        tpp: 'copper-budget',
        event: 'revoked',
        by: 'operator:jo',
        status: 'cancelled',
      })),
    ]);
    await trail.open('2026-11-24T14:00:00.000Z', one, [request('id-1', '2026-11-24T14:03:00.000Z')]);
    const { text } = await why('id-1', '--trail', second.folder);
    expect(text.match(/^(At|3 events)(?:[^,.\n]|[.]\d)*/gm)).toEqual([
      '3 events have this id:',
      'At 2026-11-24 13:30:00Z the TPP copper-budget of the issuer https://issuer',
      'At 2026-11-24 13:30:00.100Z the consent aac-1 of the TPP copper-budget: revoked',
      'At 2026-11-24 14:03:00Z the TPP copper-budget of the issuer https://issuer',
    ]);
    expect(text).toContain('revoked, by the operator jo.\nIts status is then cancelled.');
    await second.remove();
  });

  it('says that the work went on where the caller had gone before the answer', async () => {
    await trail.close('2026-11-24T14:00:00.000Z', one, [
      request('id-1', '2026-11-24T14:03:00.000Z', { lastByteMs: 50, status: 499, unsentStatus: 201 }),
    ]);
    const { text } = await why('id-1');
    expect(text).toContain('The caller closed the connection before the answer, after 50 ms.');
    expect(text).toContain('The gateway finished the work; its answer would have been 201.');
  });

  it('says in one sentence where it searched for an id that no event has', async () => {
    await trail.close('2026-11-22T14:00:00.000Z', other, [request('id-1', '2026-11-22T14:03:00.000Z')]);
    await trail.close('2026-11-24T13:00:00.000Z', one, []);
    await trail.open('2026-11-24T14:00:00.000Z', one, [request('id-2', '2026-11-24T14:03:00.000Z')]);
    const { code, text } = await why('id-3');
    expect(code).toBe(1);
    expect(text).toBe(
      'No event has the id id-3. Searched: 2 instances (gateway-1-11111111, gateway-2-22222222), on 2 days from ' +
        '2026-11-22 to 2026-11-24, with 2 events of open segments. A gateway writes an event at most a second after its answer.',
    );
  });

  it('looks only in the time that it is given', async () => {
    await trail.close('2026-11-22T14:00:00.000Z', one, [request('id-1', '2026-11-22T14:03:00.000Z')]);
    await trail.close('2026-11-24T14:00:00.000Z', one, [request('id-1', '2026-11-24T14:03:00.000Z')]);
    const { told: progress } = await why('id-1', '--from', '2026-11-24');
    expect(progress).toEqual(['indexing 2026-11-24: 1 segment']);
  });

  it('survives hostile and half lines, and shows members and kinds that it does not know', async () => {
    const hostile = await trail.close('2026-11-24T14:00:00.000Z', one, [
      request('id-1', '2026-11-24T14:03:00.000Z', {
        status: 'x',
        facts: 5,
        reason: 'of-a-later-release',
        later: { a: 1 },
      }),
      { kind: 'comet', id: 'id-1', at: '2026-11-24T14:04:00.000Z', tail: '\u001b[2J' },
    ]);
    await trail.tamper(hostile, (lines) => [...lines, '{{{', '', 'null', '[', '{"kind":{},"at":[],"id":"id-1"}']);
    await trail.open('2026-11-24T15:00:00.000Z', one, [request('id-1', '2026-11-24T15:03:00.000Z')], '{"kind":"requ');
    const { text } = await why('id-1');
    expect(text).toContain('4 events have this id');
    expect(text).toContain('Reason of-a-later-release: This release does not know the reason.');
    expect(text).toContain('an event of the kind comet');
    // eslint-disable-next-line no-control-regex -- a terminal would obey it
    expect(text).not.toMatch(/\u001b/);
    const { text: json } = await why('id-1', '--json');
    expect(JSON.parse(json).explanations[0].event).toMatchObject({ id: 'id-1', later: { a: 1 } });
  });
});

/** Writes a Parquet file as an attacker may. */
async function parquet(path: string, select: string): Promise<void> {
  await withDuckDb((connection) => connection.run(`COPY (${select}) TO ${literal(`${path}.forged`)} (FORMAT parquet)`));
  await rename(`${path}.forged`, path);
}

describe('the index of a day', () => {
  let trail: WrittenTrail;
  beforeEach(async () => {
    trail = await WrittenTrail.make();
  });
  afterEach(() => trail.remove());
  const day = () => join(trail.folder, '2026-11-24');
  const indexes = async () => (await readdir(day())).filter((file) => file.startsWith('index.'));
  const index = () => trailCommand('index', '--trail', trail.folder);
  const first = request('id-1', '2026-11-24T14:03:00.000Z');

  it('is made once, by a query too, and again when a segment was added', async () => {
    await trail.close('2026-11-24T14:00:00.000Z', one, [first]);
    expect((await index()).text).toMatch(/^Indexed: 2026-11-24\nSearched: 1 instance \(/);
    const [made] = await indexes();
    expect((await stat(join(day(), made ?? ''))).mode & 0o777).toBe(0o600);
    expect((await index()).text).toMatch(/^Every closed day has its index\./);
    await trail.close('2026-11-24T15:00:00.000Z', one, [request('id-2', '2026-11-24T15:03:00.000Z')]);
    expect((await trailCommand('why', 'id-2', '--trail', trail.folder)).told).toEqual([
      'indexing 2026-11-24: 2 segments',
    ]);
    const left = await indexes();
    expect([left.length, left.includes(made ?? '')]).toEqual([1, false]);
  });

  it.each<[string, (path: string) => Promise<unknown>]>([
    ['an empty index', (path) => parquet(path, `SELECT * FROM read_parquet(${literal(path)}) LIMIT 0`)],
    ['an index of other events', (path) => parquet(path, 'SELECT 1 AS a')],
    ['a file that is not an index', (path) => writeFile(path, 'x')],
    ['a pipe', async (path) => rm(path).then(() => execFileSync('mkfifo', [path]))],
  ])('is made again by the next question where another hand has put %s in its place', async (_, replace) => {
    await trail.close('2026-11-24T14:00:00.000Z', one, [first]);
    await index();
    const [made = ''] = await indexes();
    await replace(join(day(), made));
    const { code, text, told } = await trailCommand('why', 'id-1', '--trail', trail.folder);
    expect([code, text]).toEqual([0, expect.stringContaining('gateway answered 200')]);
    expect(told).toEqual([expect.stringContaining('does not match its segments'), 'indexing 2026-11-24: 1 segment']);
  });

  it('has the events of segments with a root only: the lines of the others are read themselves', async () => {
    const segment = await trail.close('2026-11-24T14:00:00.000Z', one, [first]);
    await rm(trail.path(segment, 'root'));
    expect(await trailCommand('why', 'id-1', '--trail', trail.folder)).toMatchObject({ code: 0, told: [] });
    expect(await indexes()).toEqual([]);
  });

  it('and the segments are read without waiting for a pipe, a link or a copy of a segment, which the question names', async () => {
    const segment = await trail.close('2026-11-24T14:00:00.000Z', one, [first]);
    execFileSync('mkfifo', [trail.path('20261124T150000000Z.gateway-9-99999999', 'open')]);
    await symlink('/dev/zero', trail.path('20261124T160000000Z.gateway-9-99999999', 'closed'));
    await mkdir(join(trail.folder, '2026-11-20'));
    await cp(trail.path(segment, 'closed'), join(trail.folder, '2026-11-20', `${segment}.ndjson`));
    const { code, text, told } = await trailCommand('why', 'id-1', '--trail', trail.folder);
    expect([code, text]).toEqual([0, expect.stringContaining('gateway answered 200')]);
    expect(text).not.toContain('2 events');
    expect(told.filter((line) => line.includes('was ignored: '))).toHaveLength(3);
  });

  it('has a Bloom filter of the ids, so that a search reads only the rows round an id', async () => {
    // DuckDB writes one for fewer ids in any case.
    const many = Array.from({ length: 5_000 }, (_, number) => request(`id-${number}`, '2026-11-24T14:03:00.000Z'));
    await trail.close('2026-11-24T14:00:00.000Z', one, many);
    await index();
    const [made = ''] = await indexes();
    const sql = `SELECT bloom_filter_length > 0 FROM parquet_metadata(${literal(join(day(), made))}) WHERE path_in_schema = 'id'`;
    expect(await withDuckDb(async (connection) => (await connection.runAndReadAll(sql)).getRows())).toEqual([[true]]);
  });

  it('is not needed: where the folder cannot be written, a query reads the segments', async () => {
    await trail.close('2026-11-24T14:00:00.000Z', one, [first]);
    await chmod(day(), 0o500);
    const { code, told } = await trailCommand('why', 'id-1', '--trail', trail.folder);
    await chmod(day(), 0o700);
    // Root may write everywhere.
    const isRoot = process.getuid?.() === 0;
    expect([code, told.join()]).toEqual([0, expect.stringContaining(isRoot ? 'indexing' : 'cannot be written')]);
  });

  it('of an empty trail finds nothing, and of a missing folder names the setting', async () => {
    expect((await trailCommand('why', 'id-1', '--trail', trail.folder)).text).toContain('Searched: no segment');
    await rm(trail.folder, { recursive: true });
    const { code, told } = await trailCommand('why', 'id-1', '--trail', trail.folder);
    await trail.open('2026-11-24T14:00:00.000Z', one, []);
    expect([code, told]).toEqual([
      1,
      [expect.stringContaining('cannot be read (ENOENT): name the folder of TRAIL_DIR')],
    ]);
  });
});
