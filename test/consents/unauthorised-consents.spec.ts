import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import { oneError } from '../support/error-shape.js';
import { postgresUrl } from '../support/fresh-database.js';
import { dayMs, minuteMs, noon, Stack, type Answer } from '../support/stack.js';
import { WatchedDatabase } from '../support/watched-database.js';

const path = '/account-access-consents';
const unknownAtBank = oneError({ ErrorCode: 'consent-not-found', Path: 'ConsentId' });
const unknown = oneError({ Code: '400 BadRequest', ErrorCode: 'UK.OBIE.Resource.NotFound', Path: 'ConsentId' });

describe('a consent that is not authorised', () => {
  const database = new WatchedDatabase();
  let stack: Stack;
  let token: string;
  beforeAll(async () => {
    stack = await Stack.start({ persistence: database.module });
    token = await stack.bank.mintToken({ clientId: 'tpp-one', expiresInSeconds: 3 * 86_400 });
  });
  afterAll(() => stack.close());
  afterEach(() => stack.clock.set(noon));

  const ask = (consentId: string, method = 'GET', as = token): Promise<Answer> =>
    stack.ask(`${path}/${consentId}`, { method, token: as });
  async function create(): Promise<string> {
    const payload = { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} };
    return (await stack.ask(path, { method: 'POST', token, payload })).json.Data.ConsentId as string;
  }
  const authorise = (consentId: string): Promise<Answer> =>
    stack.report(`/consents/${consentId}/authorise`, {
      customerRef: stack.persona('saver').customerRef,
      accounts: stack.persona('saver').accounts.map(({ ref }) => ref),
      authenticatedAt: new Date(stack.clock.nowMs()).toISOString(),
    });
  const rows = (): Promise<number> => database.prisma.consent.count();

  it('is known for a day, to the millisecond, and can be authorised until then', async () => {
    const [one, other] = [await create(), await create()];
    stack.clock.advance(dayMs - 1);
    expect([(await ask(one)).status, (await authorise(one)).status]).toEqual([200, 200]);
    stack.clock.advance(1);
    expect([(await ask(one)).status, (await ask(other)).json]).toEqual([200, unknown]);
  });

  it('is then unknown to its TPP, to another TPP and to the bank, before its row is removed', async () => {
    const consentId = await create();
    const before = await rows();
    stack.clock.advance(dayMs);
    const another = await stack.bank.mintToken({ clientId: 'tpp-two', expiresInSeconds: 3 * 86_400 });
    const answers = [await ask(consentId), await ask(consentId, 'DELETE'), await ask(consentId, 'GET', another)];
    const reports = [
      await stack.report(`/consents/${consentId}`),
      await authorise(consentId),
      await stack.report(`/consents/${consentId}/reject`, {}),
      await stack.report(`/consents/${consentId}/revoke`, {}),
    ];
    expect(answers.map(({ status, json }) => [status, json])).toEqual(Array(3).fill([400, unknown]));
    expect(reports.map(({ status, json }) => [status, json])).toEqual(Array(4).fill([400, unknownAtBank]));
    expect(await rows()).toBe(before);
  });

  it('is removed by the next sweep, also where its TPP deleted it; consents that a customer or the bank has decided stay', async () => {
    const consentIds = await Promise.all(Array.from({ length: 5 }, create));
    const [, deleted = '', rejected = '', revoked = '', authorised = ''] = consentIds;
    await ask(deleted, 'DELETE');
    await stack.report(`/consents/${rejected}/reject`, {});
    await authorise(revoked);
    await authorise(authorised);
    await stack.report(`/consents/${revoked}/revoke`, {});
    const left = async (): Promise<string[]> => {
      const where = { consentId: { in: consentIds } };
      return (await database.prisma.consent.findMany({ where })).map(({ status }) => status).sort();
    };
    stack.clock.advance(dayMs - 1);
    await stack.gateway.sweep();
    expect(await left()).toEqual(['authorised', 'awaiting', 'awaiting', 'cancelled', 'rejected']);
    stack.clock.advance(1);
    await stack.gateway.sweep();
    expect(await left()).toEqual(['authorised', 'cancelled', 'rejected']);
  });

  it('is removed with many others in a few statements, without any other consent', async () => {
    const fresh = await create();
    const before = await rows();
    await database.prisma.$executeRaw`INSERT INTO consents
      (consent_id, issuer, client_id, kind, permissions, status, created_at, created_in, status_updated_at)
      SELECT 'lapsed-' || n, 'https://as.example', 'tpp-one', 'account-access', '{ReadBalances}', 'awaiting', ${new Date(noon - dayMs)}, 'v3.1', ${new Date(noon - dayMs)}
      FROM generate_series(1, 2500) AS n`;
    database.statements.length = 0;
    await stack.gateway.sweep();
    expect([await rows(), (await ask(fresh)).status]).toEqual([before, 200]);
    expect(database.statements.filter((statement) => statement.startsWith('DELETE FROM consents')).length).toBe(3);
  });

  it('is found by an index of the waiting consents only', async () => {
    const [, plan] = await database.prisma.$transaction([
      database.prisma.$executeRaw`SET LOCAL enable_seqscan = off`,
      database.prisma.$queryRawUnsafe(
        `EXPLAIN SELECT consent_id FROM consents WHERE status = 'awaiting' AND created_at <= now()`,
      ),
    ]);
    // In a small table both indexes cost the same.
    const [index] = /consents_status_(created|begun)_at_idx/.exec(JSON.stringify(plan)) ?? [];
    const [found] = await database.prisma.$queryRaw<{ definition: string }[]>`
      SELECT indexdef AS definition FROM pg_indexes WHERE indexname = ${index}`;
    expect(found?.definition).toMatch(/WHERE \(status = 'awaiting'/);
  });

  it('stays while the database is unreachable, which the log reports without its words, and disappears at the next sweep', async () => {
    const consentId = await create();
    stack.clock.advance(dayMs);
    database.failing = true;
    stack.log.length = 0;
    await stack.gateway.sweep();
    database.failing = false;
    expect(stack.log.join('')).toMatch(/consents that were not authorised in time could not be rejected or removed/);
    expect(stack.log.join('')).not.toContain('the test says');
    expect(await database.prisma.consent.count({ where: { consentId } })).toBe(1);
    await stack.gateway.sweep();
    expect(await database.prisma.consent.count({ where: { consentId } })).toBe(0);
  });

  it('is removed once a minute, also by a gateway without the embedded authorization server', async () => {
    const watched = new WatchedDatabase();
    const sweeps = (): number =>
      watched.statements.filter((statement) => statement.startsWith('DELETE FROM consents')).length;
    jest.useFakeTimers({
      doNotFake: [
        ...(['Date', 'nextTick', 'queueMicrotask', 'performance'] as const),
        ...(['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] as const),
      ],
    });
    const other = await Stack.start({ persistence: watched.module });
    try {
      expect(other.gateway.authorisationServer).toBeUndefined();
      const payload = { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} };
      await other.ask(path, { method: 'POST', token: await other.clientToken(), payload });
      expect(await watched.prisma.consent.count()).toBe(1);
      other.clock.advance(dayMs);
      jest.advanceTimersByTime(minuteMs - 1);
      expect(sweeps()).toBe(0);
      jest.advanceTimersByTime(1);
      expect(sweeps()).toBe(1);
      // Joins the sweep that is under way.
      await other.gateway.sweep();
      expect(sweeps()).toBe(1);
      expect(await watched.prisma.consent.count()).toBe(0);
    } finally {
      jest.useRealTimers();
      await other.close();
    }
  });
});

describe('the time in which a consent can be authorised', () => {
  it('is a setting of the bank', async () => {
    const stack = await Stack.start({ rules: { consentAuthorisationHours: 1 } });
    try {
      const token = await stack.bank.mintToken({ clientId: 'tpp-one', expiresInSeconds: 3 * 86_400 });
      const payload = { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} };
      const created = await stack.ask(path, { method: 'POST', token, payload });
      const read = (): Promise<Answer> => stack.ask(`${path}/${created.json.Data.ConsentId}`, { token });
      stack.clock.advance(60 * minuteMs - 1);
      const before = await read();
      stack.clock.advance(1);
      expect([before.status, (await read()).json]).toEqual([200, unknown]);
    } finally {
      await stack.close();
    }
  });
});

// An embedded database serves one process, so several gateways share a PostgreSQL.
(postgresUrl === undefined ? describe.skip : describe)('two gateways without the embedded authorization server', () => {
  it('remove the consents at the same time without waiting for each other', async () => {
    const first = await Stack.start();
    const { database, cores, issuers } = first.config;
    const second = await Stack.start({ config: { database, cores, issuers } });
    const prisma = await PrismaService.open(database);
    try {
      const old = new Date(noon - dayMs);
      await prisma.$executeRaw`INSERT INTO consents
        (consent_id, issuer, client_id, kind, permissions, status, created_at, created_in, status_updated_at)
        SELECT 'lapsed-' || n, 'https://as.example', 'tpp-one', 'account-access', '{ReadBalances}', 'awaiting', ${old}, 'v3.1', ${old}
        FROM generate_series(1, 5000) AS n`;
      await Promise.all([first.gateway.sweep(), second.gateway.sweep()]);
      expect(await prisma.consent.count()).toBe(0);
      expect([...first.log, ...second.log].join('')).not.toContain('could not be removed');
    } finally {
      await prisma.onApplicationShutdown();
      await second.close();
      await first.close();
    }
  });
});
