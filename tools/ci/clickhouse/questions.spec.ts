import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventColumns } from '../../../ops/trail/event-columns.js';
import type { StoredEvent } from '../../../src/trail/stored-event.js';
import type { TrailSearch } from '../../../src/trail/trail-search.js';
import { why } from '../../../src/trail/why.js';
import { linesOfFile, trailEvents, trailFiles } from '../../../test/support/read-trail.js';
import { realNowMs } from '../../../test/support/real-time.js';
import { Stack, type ConsentedCustomer } from '../../../test/support/stack.js';
import { trailKeys } from '../../../test/support/trail-keys.js';
import { trailCommand } from '../../../test/support/ops-command.js';
import { request, WrittenTrail } from '../../../test/support/written-trail.js';
import { CopiedTrail, type Row } from './copied-trail.js';

// The package of the engine has this platform alone.
const onLinux = process.platform === 'linux' && process.arch === 'x64' ? describe : describe.skip;
const time = { from: '2026-06-15 00:00:00', to: '2026-06-16 00:00:00' };
const ids = (last: number): string => `93bac548-d2de-4546-b106-880a5018${String(last).padStart(4, '0')}`;

onLinux('the questions to ClickHouse, on the trail of a gateway', () => {
  let copy: CopiedTrail;
  let folder: string;
  let customer: ConsentedCustomer;
  let errorId: string;

  beforeAll(async () => {
    process.env['PSEUDONYM_KEY'] = trailKeys.PSEUDONYM_KEY;
    const stack = await Stack.start();
    folder = stack.config.trail.directory;
    customer = await stack.consent({ persona: 'saver', permissions: ['ReadAccountsBasic', 'ReadBalances'] });
    const other = await stack.consent({ persona: 'saver', permissions: ['ReadAccountsBasic'] });
    const account = `/accounts/${customer.accountId('Savings')}`;
    let asked = 0;
    const ask = async (path: string, token = customer.token, headers = {}) => {
      stack.clock.advance(60_000);
      return stack.ask(path, { token, headers: { 'x-fapi-interaction-id': ids(++asked), ...headers } });
    };
    await ask('/accounts');
    await ask(`${account}/balances`, customer.token, { 'x-fapi-customer-ip-address': '203.0.113.77' });
    errorId = (await ask(`${account}/transactions`)).json.Id as string;
    await ask('/accounts', other.token);
    await ask('/accounts', 'no-token');
    stack.clock.advance(3_600_000);
    await ask('/accounts');
    await stack.report(`/consents/${customer.consentId}/revoke`, {});
    await stack.close();
    copy = new CopiedTrail();
    await copy.take(folder);
    // Collectors may send what they sent before.
    await copy.take(folder);
  });
  afterAll(async () => {
    delete process.env['PSEUDONYM_KEY'];
    copy.close();
    await rm(folder, { recursive: true });
  });
  const tool = async (...words: string[]) =>
    JSON.parse((await trailCommand(...words, '--trail', folder, '--json')).text);

  it('have each event once, as its line is in the segment', async () => {
    const files = (await trailFiles(folder)).filter(({ state }) => state === 'closed');
    const lines = (await Promise.all(files.map(({ path }) => linesOfFile(path)))).flat();
    const copied = copy.rows('SELECT line FROM trail.events FINAL').map(({ line }) => line);
    expect(copied.sort()).toEqual([...lines].sort());
    expect(lines.length).toBeGreaterThan(10);
    expect(copy.rows('SELECT DISTINCT segment FROM trail.events ORDER BY segment')).toEqual(
      files.map(({ segment }) => ({ segment })),
    );
  });

  it('have the members of each event in its columns, and null where it has none', async () => {
    const events = (await trailEvents(folder)) as unknown as StoredEvent[];
    const rows = copy.rows('SELECT * EXCEPT (line, segment) FROM trail.events FINAL ORDER BY segment, seq');
    const names = Object.keys(rows[0] ?? {});
    // The status of a consent is a text: the column is for the answers of requests.
    const inColumn = (name: string, value: unknown) => (name === 'status' && typeof value === 'string' ? null : value);
    expect(rows).toEqual(
      events.map((event) => Object.fromEntries(names.map((name) => [name, inColumn(name, event[name] ?? null)]))),
    );
    expect([...names, 'segment', 'rest'].sort()).toEqual(eventColumns.replaceAll('"', '').split(', ').sort());
  });

  it('explain a decision by the same events as npm run ops -- trail why', async () => {
    const search: TrailSearch = {
      find: ({ values: [id = ''] }) =>
        Promise.resolve({
          events: copy.ask('why', { id }).map(({ line }) => JSON.parse(String(line)) as StoredEvent),
          searched: { instances: [], days: [], openEvents: 0 },
        }),
    };
    for (const id of [ids(1), ids(3), errorId, 'unknown']) {
      const { explanations } = await why(search, id);
      expect(explanations).toEqual(
        id === 'unknown' ? [] : JSON.parse(JSON.stringify((await tool('why', id)).explanations)),
      );
    }
    expect(copy.ask('why', { id: errorId })).toMatchObject([
      { endpoint: 'transactions', status: 403, refusedBy: 'permission', reason: 'permission-missing' },
    ]);
  });

  it('show who read a customer’s data', async () => {
    const { reads, pseudonyms } = await tool('customer', customer.customerRef);
    const answers = copy.ask('customer', { ...time, pseudonyms });
    expect(answers).toEqual(
      reads.map(({ attended, ...members }: Record<string, unknown>) => ({ ...members, attendedAnswers: attended })),
    );
    expect(reads.length).toBeGreaterThan(2);
  });

  it('show the load as the tool does', async () => {
    const { tpps, endpoints, hours } = await tool('load');
    // The two engines add the times in another order: the last digit may differ, and with it the order of two groups.
    const grouped = (grouping: string, rows: Row[]) =>
      rows.map(({ seconds, p95Ms, tpp: _tpp, issuer: _issuer, ...row }) => ({
        grouping,
        seconds: expect.closeTo(Number(seconds), 2),
        p95Ms: expect.closeTo(Number(p95Ms), 0),
        ...row,
      }));
    const expected = [...grouped('endpoint', endpoints), ...grouped('hour', hours), ...grouped('tpp', tpps)];
    const load = copy.ask('load', time);
    expect(load).toEqual(expect.arrayContaining(expected));
    expect(load).toHaveLength(expected.length);
    expect(hours).toHaveLength(2);
  });
});

onLinux('the copy in ClickHouse', () => {
  let copy: CopiedTrail;
  let trail: WrittenTrail;
  beforeAll(() => void (copy = new CopiedTrail()));
  beforeEach(async () => {
    copy.empty();
    trail = await WrittenTrail.make();
  });
  afterEach(() => trail.remove());
  afterAll(() => copy.close());
  const one = 'gateway-1-11111111';

  it('takes the events of many days at once, as a new agent sends them', async () => {
    const lines = Array.from({ length: 400 }, (_, day) => {
      const at = new Date(Date.parse('2026-01-01T12:00:00.000Z') + day * 86_400_000).toISOString();
      return JSON.stringify({ v: 1, seq: 2, instance: one, ...request(at, at) });
    });
    await copy.insert(lines, 'a.ndjson');
    expect(copy.rows('SELECT count() AS days FROM trail.events')).toEqual([{ days: 400 }]);
  });

  it('leaves out half lines, lines that are not an event, and the records of other services', async () => {
    const line = JSON.stringify({ v: 1, seq: 2, instance: one, ...request('r-1', '2026-11-10T12:00:00.000Z') });
    await copy.insert([line.slice(0, 90), '', '[]', '{"kind":"request"}', line], 'a.open.ndjson');
    await copy.insert([line.replace('r-1', 'r-2')], 'b.ndjson', 'another-service');
    expect(copy.rows('SELECT segment, id FROM trail.events')).toEqual([{ segment: 'a', id: 'r-1' }]);
  });

  it('keeps an event of which a member has another type, and shows that member as absent', async () => {
    const event = { v: 2, seq: 2, instance: one, ...request('r-1', '2026-11-10T12:00:00.000Z', { status: 'late' }) };
    await copy.insert([JSON.stringify(event)], 'a.ndjson');
    expect(copy.rows('SELECT id, status FROM trail.events')).toEqual([{ id: 'r-1', status: null }]);
  });

  it('drops the days that ended as many days ago as the trail is kept, and no other', async () => {
    const days = Math.floor((realNowMs() - Date.parse('2020-01-10T00:00:00Z')) / 86_400_000);
    for (const at of ['2020-01-08T23:59:59.999Z', '2020-01-11T00:00:00.000Z'])
      await copy.insert([JSON.stringify({ v: 1, seq: 2, instance: one, ...request(at, at) })], 'a.ndjson');
    copy.run('retention.sql', { days });
    copy.rows('OPTIMIZE TABLE trail.events FINAL');
    expect(copy.rows('SELECT id FROM trail.events')).toEqual([{ id: '2020-01-11T00:00:00.000Z' }]);
  });
});
