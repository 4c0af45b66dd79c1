import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readBankAddress } from '../../src/config/bank-address.js';
import { readRetentionDays } from '../../src/config/retention-days.js';
import type { CommandSettings } from '../../ops/command-settings.js';
import type { Consent } from '../../src/consents/consent.js';
import { ConsentStore } from '../../src/consents/consent.store.js';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import { revokeConsentsOfTpp } from '../../src/security/tpp-standing.store.js';
import { AuthorisationSetting, defaultPermissions } from '../authorisation/setting.js';
import type { TestTpp } from '../authorisation/tpp.js';
import { FakeClock } from '../support/fake-clock.js';
import { freshRoles, postgresUrl } from '../support/fresh-database.js';
import { emptyDatabase } from '../support/lent-pglite.js';
import { opsCommand } from '../support/ops-command.js';
import { eventsOf, trailEvents } from '../support/read-trail.js';
import { portOf } from '../support/raw-http.js';
import { bankCredential, dayMs, noon, type StackOptions } from '../support/stack.js';
import { tppNamed } from '../support/tpp-named.js';
import { WatchedDatabase } from '../support/watched-database.js';

interface Outcome {
  readonly code: number;
  readonly said: string;
  readonly complaint: string;
}

async function command(args: readonly string[], settings: Partial<CommandSettings>): Promise<Outcome> {
  const { code, text, told } = await opsCommand(args, settings);
  return { code, said: text, complaint: told.join('\n') };
}

/** A command closes the database that it opened; the test's stays open. */
function lent(prisma: PrismaService): CommandSettings['openDatabase'] {
  return async () =>
    new Proxy(prisma, {
      get: (target, name) => (name === 'onApplicationShutdown' ? async () => undefined : Reflect.get(target, name)),
    });
}

/** Every row of every table. */
async function everyRow(prisma: PrismaService): Promise<string> {
  const tables = await prisma.$queryRaw<{ name: string }[]>`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`;
  let text = '';
  for (const { name } of tables) {
    const rows = await prisma.$queryRawUnsafe<{ row: string }[]>(`SELECT kept::text AS row FROM ${name} AS kept`);
    text += rows.map(({ row }) => `${name} ${row}\n`).join('');
  }
  return text;
}

describe('erase customer', () => {
  const database = new WatchedDatabase();
  const closings: (() => Promise<unknown>)[] = [];
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  /** On PostgreSQL the command has the rights of the maintenance role, and the test those of the owner. */
  let prismaOf: Readonly<Record<'maintenance' | 'owner', PrismaService>>;
  beforeAll(async () => {
    const options: Pick<StackOptions, 'database' | 'persistence'> = { persistence: database.module };
    if (postgresUrl === undefined) {
      setting = await AuthorisationSetting.start(options);
      prismaOf = { maintenance: database.prisma, owner: database.prisma };
    } else {
      const roles = await freshRoles(postgresUrl);
      const [maintenance, owner] = [await PrismaService.open(roles.maintenance), await PrismaService.open(roles.owner)];
      closings.push(
        roles.drop,
        () => maintenance.onApplicationShutdown(),
        () => owner.onApplicationShutdown(),
      );
      setting = await AuthorisationSetting.start({
        ...options,
        database: { config: roles.serving, drop: () => Promise.resolve() },
      });
      prismaOf = { maintenance, owner };
    }
    closings.push(() => setting.close());
    tpp = await setting.tpp('tpp-one');
  });
  afterAll(async () => {
    for (const close of closings.reverse()) await close();
  });

  const settings = (prisma = prismaOf.maintenance): Partial<CommandSettings> => ({
    gateway: () =>
      readBankAddress({ BANK_PORT: String(portOf(setting.stack.gateway.bankServer)), BANK_CREDENTIAL: bankCredential }),
    openDatabase: lent(prisma),
    clock: setting.clock,
  });
  const erase = (customerRef: string, ...more: string[]) =>
    command(['erase', 'customer', customerRef, ...more], settings());
  const ask = async (path: string, token: string) => (await tpp.ask(path, token)).status;

  /** The customer's reference, name and accounts. */
  function traces(loginName: string): string[] {
    const { customerRef, displayName, accounts } = setting.person(loginName);
    return [customerRef, displayName, ...accounts.map(({ ref }) => ref)];
  }
  const found = async (loginName: string) => {
    const text = await everyRow(prismaOf.owner);
    return traces(loginName).filter((trace) => text.includes(trace));
  };

  it('is refused in one line while a consent gives access, and changes nothing', async () => {
    const { customerRef } = setting.person('saver');
    const access = await setting.access(tpp, 'saver');
    const before = await everyRow(prismaOf.owner);
    expect(await erase(customerRef)).toEqual({
      code: 1,
      said: '',
      complaint:
        '1 consents of the customer give access, and nothing was erased: withdraw them first, or add --withdraw',
    });
    expect(await everyRow(prismaOf.owner)).toBe(before);
    expect(await ask('/accounts', access.accessToken)).toBe(200);
    await setting.stack.report(`/consents/${access.consentId}/revoke`, {});
    expect((await erase(customerRef)).code).toBe(0);
  });

  it('with --withdraw ends the access in the trail first, and leaves no trace of the customer in the database', async () => {
    const { customerRef } = setting.person('complete');
    const [one, deleted] = [await setting.access(tpp, 'complete'), await setting.access(tpp, 'complete')];
    const other = await setting.access(tpp, 'joint');
    const token = await tpp.ownToken();
    await tpp.ask(`/account-access-consents/${deleted.consentId}`, token, { method: 'DELETE' });
    const refused = await tpp.createConsent(defaultPermissions);
    await setting.stack.report(`/consents/${refused}/reject`, { customerRef });
    expect(await ask('/accounts', one.accessToken)).toBe(200);
    expect(await found('complete')).toEqual(traces('complete'));

    const outcome = await erase(customerRef, '--withdraw', '--json');
    expect({ ...outcome, said: JSON.parse(outcome.said) }).toEqual({
      code: 0,
      said: { withdrawn: [one.consentId], erased: expect.any(Number) },
      complaint: '',
    });
    expect(await found('complete')).toEqual([]);
    expect(await ask('/accounts', one.accessToken)).toBe(401);
    await expect(tpp.refresh(one.refreshToken)).rejects.toMatchObject({ error: 'invalid_grant' });
    const { directory } = setting.stack.config.trail;
    const withdrawals = await eventsOf(directory, 'withdrawal');
    expect(withdrawals.filter(({ consent }) => consent === one.consentId)).toMatchObject([
      { event: 'consent-revoked', by: 'bank' },
    ]);
    const written = JSON.stringify(await trailEvents(directory));
    expect(traces('complete').filter((trace) => written.includes(trace))).toEqual([]);

    expect(await erase(customerRef, '--withdraw')).toEqual({
      code: 0,
      said: 'no consent names the customer: nothing was left to erase',
      complaint: '',
    });
    expect(await ask('/accounts', other.accessToken)).toBe(200);
    expect(await found('joint')).toEqual(traces('joint'));
  });

  it('leaves the TPP and the bank the state of the consent, which no customer can confirm again', async () => {
    const { customerRef } = setting.person('saver');
    const { consentId, begun } = await setting.access(tpp, 'saver');
    const { said } = await erase(customerRef, '--withdraw');
    expect(said).toBe(
      `1 consents were withdrawn (${consentId}). The customer, the accounts and the names of 1 consents were erased`,
    );
    const seen = await tpp.ask(`/account-access-consents/${consentId}`, await tpp.ownToken());
    expect(seen.json.Data).toMatchObject({ ConsentId: consentId, Status: 'Revoked' });
    const { json } = await setting.stack.report(`/consents/${consentId}`);
    expect([json.Status, json.CustomerRef, json.Accounts]).toEqual(['cancelled', undefined, undefined]);
    const again = { customerRef, authenticatedAt: new Date(setting.clock.nowMs()).toISOString() };
    expect((await setting.stack.report(`/consents/${consentId}/reauthentications`, again)).status).toBe(400);
    expect(begun.url).toBeDefined();
  });

  it('says so where the customer gives access meanwhile, and finishes the next time', async () => {
    const { customerRef } = setting.person('saver');
    await setting.access(tpp, 'saver');
    let given: Promise<unknown> | undefined;
    const meanwhile = new Proxy(prismaOf.maintenance, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (name !== '$queryRaw') return value;
        return async (sql: TemplateStringsArray, ...values: unknown[]) => {
          if (/WITH erased/.test(sql.join(''))) await (given ??= setting.access(tpp, 'saver'));
          return (value as (...all: unknown[]) => unknown).call(target, sql, ...values);
        };
      },
    });
    const outcome = await command(['erase', 'customer', customerRef, '--withdraw'], settings(meanwhile));
    expect([outcome.code, outcome.complaint]).toEqual([
      1,
      '1 consents were erased; meanwhile 1 consents of the customer were given or changed: run this again',
    ]);
    expect((await erase(customerRef, '--withdraw')).code).toBe(0);
    expect(await found('saver')).toEqual([]);
  });

  it('erases nothing where the gateway cannot withdraw', async () => {
    const { customerRef } = setting.person('saver');
    await setting.access(tpp, 'saver');
    const gateway = () => readBankAddress({ BANK_PORT: '1', BANK_CREDENTIAL: bankCredential });
    const outcome = await command(['erase', 'customer', customerRef, '--withdraw'], { ...settings(), gateway });
    expect([outcome.code, outcome.complaint]).toEqual([1, expect.stringMatching(/^no gateway answers at /)]);
    expect(await found('saver')).toContain(customerRef);
    await erase(customerRef, '--withdraw');
  });

  it.each([[['erase']], [['erase', 'customer']], [['erase', 'account', 'A1']], [['erase', 'customer', 'C1', 'C2']]])(
    'does not guess: %j',
    async (args) => {
      expect(await command(args, settings())).toMatchObject({ code: 2, said: '' });
    },
  );
});

describe('retention', () => {
  const clock = new FakeClock(noon);
  const closings: (() => Promise<unknown>)[] = [];
  let prismaOf: Readonly<Record<'maintenance' | 'serving' | 'owner', PrismaService>>;
  let store: ConsentStore;
  beforeAll(async () => {
    if (postgresUrl === undefined) {
      const { prisma, close } = await emptyDatabase();
      closings.push(close);
      prismaOf = { maintenance: prisma, serving: prisma, owner: prisma };
    } else {
      const roles = await freshRoles(postgresUrl);
      const [maintenance, serving, owner] = await Promise.all(
        [roles.maintenance, roles.serving, roles.owner].map((config) => PrismaService.open(config)),
      );
      if (!maintenance || !serving || !owner) throw new Error('each role has a connection');
      for (const prisma of [maintenance, serving, owner]) closings.push(() => prisma.onApplicationShutdown());
      closings.unshift(roles.drop);
      prismaOf = { maintenance, serving, owner };
    }
    store = new ConsentStore(prismaOf.serving);
  });
  afterAll(async () => {
    for (const close of closings.reverse()) await close();
  });
  beforeEach(async () => {
    await prismaOf.serving.consent.deleteMany();
    await prismaOf.serving.tppStanding.deleteMany();
  });
  afterEach(() => clock.set(noon));

  const retention = (days = '30') =>
    command(['retention', '--json'], {
      retentionDays: () => readRetentionDays({ RETENTION_DAYS: days }),
      openDatabase: lent(prismaOf.maintenance),
      clock,
    });
  const counts = async (): Promise<{ erased: number; removed: number; expired: number }> =>
    JSON.parse((await retention()).said);
  const at = new Date(noon);
  const tppOne = tppNamed('tpp-one');
  async function given(consentId: string, more: Partial<Consent> = {}): Promise<void> {
    const consent: Consent = {
      consentId,
      tpp: tppOne,
      kind: 'account-access',
      permissions: ['ReadAccountsBasic'],
      status: 'awaiting',
      createdAt: at,
      createdIn: 'v3.1',
      statusUpdatedAt: at,
      ...more,
    };
    await store.create(consent);
    const account = { ref: 'A-secret', product: 'Savings' };
    const approval = { customerRef: 'C-secret', displayName: 'N-secret', accounts: [account], lastAuthenticatedAt: at };
    await store.authorise(consentId, { ...approval, authorisationId: `of ${consentId}` }, consent.createdAt);
  }
  async function refused(consentId: string): Promise<void> {
    const times = { createdAt: at, createdIn: 'v3.1', statusUpdatedAt: at };
    const terms = { tpp: tppOne, kind: 'account-access', permissions: ['ReadAccountsBasic'], ...times } as const;
    await store.create({ ...terms, consentId, status: 'awaiting' });
    await store.reject(consentId, at, 'C-secret');
  }
  const atEnd = (daysLater: number, ms = 0): void => clock.set(noon + daysLater * dayMs + ms);

  it.each<[string, () => Promise<unknown>]>([
    ['deleted', async () => (await given('c'), store.delete('c', tppOne, at))],
    ['withdrawn', async () => (await given('c'), store.cancel('c', at, 'bank-withdrew'))],
    ['rejected', () => refused('c')],
    ['expired', () => given('c', { createdAt: new Date(noon - 1), expires: { text: 'at noon', atMs: noon } })],
    [
      'for confirmation of funds, and withdrawn',
      async () => {
        const debtor = { schemeName: 'UK.OBIE.IBAN', identification: 'GB-secret', name: 'N-secret' };
        const debtorAccount = { ref: 'A-secret', product: 'Savings' };
        await given('c', { kind: 'funds-confirmation', permissions: [], debtor, debtorAccount });
        await store.cancel('c', at, 'bank-withdrew');
      },
    ],
    ['revoked with all of its TPP', async () => (await given('c'), revokeConsentsOfTpp(prismaOf.serving, tppOne, at))],
  ])('erases the customer of a consent that was %s, to the millisecond, and later removes it', async (_how, end) => {
    await end();
    atEnd(30, -1);
    expect(await counts()).toMatchObject({ erased: 0, removed: 0 });
    expect(await everyRow(prismaOf.owner)).toContain('C-secret');
    atEnd(30);
    expect(await counts()).toMatchObject({ erased: 1, removed: 0 });
    expect(await everyRow(prismaOf.owner)).not.toContain('secret');
    atEnd(60, -1);
    expect(await counts()).toMatchObject({ erased: 0, removed: 0 });
    expect(await prismaOf.serving.consent.count()).toBe(1);
    atEnd(60);
    expect(await counts()).toMatchObject({ erased: 0, removed: 1 });
    expect(await prismaOf.serving.consent.count()).toBe(0);
  });

  it('leaves a consent that gives access, or waits for its customer, however old it is', async () => {
    await given('open');
    await given('later', { expires: { text: 'later', atMs: noon + 300 * dayMs } });
    await store.create({
      consentId: 'awaiting',
      tpp: tppOne,
      kind: 'account-access',
      permissions: ['ReadAccountsBasic'],
      status: 'awaiting',
      createdAt: at,
      createdIn: 'v3.1',
      statusUpdatedAt: at,
    });
    const before = await prismaOf.serving.consent.findMany();
    atEnd(300, -1);
    expect(await counts()).toMatchObject({ erased: 0, removed: 0 });
    expect(await prismaOf.serving.consent.findMany()).toEqual(before);
  });

  it('leaves an access that the customer gave again', async () => {
    await given('c');
    await store.cancel('c', at, 'customer-withdrew');
    const later = new Date(noon + dayMs);
    await store.reauthenticate('c', 'C-secret', later, later);
    atEnd(30);
    expect(await counts()).toMatchObject({ erased: 0 });
  });

  it('removes with the customer the uses and reads of the consent', async () => {
    await given('c');
    await store.cancel('c', at, 'bank-withdrew');
    const { serving } = prismaOf;
    await serving.consentUse.create({ data: { consentId: 'c', lastUsedAt: at } });
    const data = { part: 'AccountId balances', atMs: [noon], newestAt: new Date(noon + 30 * dayMs) };
    for (const subject of ['c', 'another']) await serving.limitCount.create({ data: { ...data, subject } });
    atEnd(30);
    expect(await counts()).toEqual({ erased: 1, removed: 0, expired: 0 });
    expect(await serving.consentUse.count()).toBe(0);
    expect((await serving.limitCount.findMany()).map(({ subject }) => subject)).toEqual(['another']);
  });

  it('removes the rows that have expired of each kind, also where no gateway removes them', async () => {
    const { serving } = prismaOf;
    const expiresAt = at;
    await serving.usedProof.create({ data: { proofId: 'p', expiresAt } });
    await serving.customerJourney.create({ data: { key: 'j', version: 1, state: 'sealed', expiresAt } });
    await serving.oidcArtefact.create({ data: { key: 'o', model: 'AccessToken', payload: 'sealed', expiresAt } });
    await serving.limitCount.create({ data: { subject: 's', part: '', atMs: [noon], newestAt: at } });
    clock.set(noon + 2 * dayMs);
    expect(await counts()).toEqual({ erased: 0, removed: 0, expired: 4 });
    expect(await counts()).toMatchObject({ expired: 0 });
  });

  /** Revoked at noon. */
  async function revoked(count: number): Promise<void> {
    await prismaOf.serving
      .$executeRaw`INSERT INTO consents (consent_id, issuer, client_id, kind, permissions, status, created_at,
        created_in, status_updated_at, status_reason, customer_ref, accounts, last_authenticated_at, authorised_at)
      SELECT 'c' || lpad(n::text, 6, '0'), 'https://as.example', 'tpp-one', 'account-access', '{ReadBalances}', 'cancelled', ${at}, 'v3.1', ${at},
        'bank-withdrew', 'C-secret', '[]', ${at}, ${at}
      FROM generate_series(1, ${count}::int) AS n`;
  }

  it('walks all consents in several statements, and reports its work in one sentence', async () => {
    await revoked(2_500);
    atEnd(30);
    const { said } = await command(['retention'], {
      retentionDays: () => 30,
      openDatabase: lent(prismaOf.maintenance),
      clock,
    });
    expect(said).toBe(
      '2500 consents that ended by 2026-06-15T12:00:00.000Z were erased, 0 that ended by 2026-05-16T12:00:00.000Z were ' +
        'removed, and 0 other rows that had expired were removed',
    );
    atEnd(60);
    expect(await counts()).toMatchObject({ erased: 0, removed: 2_500 });
  });

  it('that is cut off by the database is continued by the next run', async () => {
    // So that the consents lie in the first blocks of the table, which the first statements read.
    await prismaOf.owner.$executeRaw`TRUNCATE consents`;
    await revoked(2_500);
    atEnd(30);
    let statements = 0;
    const failing = new Proxy(prismaOf.maintenance, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (name !== '$queryRaw') return value;
        return (...sql: unknown[]) => {
          if (++statements > 4) return Promise.reject(new Error('the test says that the database is away'));
          return (value as (...all: unknown[]) => unknown).call(target, ...sql);
        };
      },
    });
    const cutOff = await command(['retention'], { retentionDays: () => 30, openDatabase: lent(failing), clock });
    expect([cutOff.code, cutOff.complaint]).toEqual([
      1,
      'the database failed (Error): fix the database and run this again; it continues where it stopped',
    ]);
    const left = await prismaOf.serving.consent.count({ where: { erasedAt: null } });
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(2_500);
    expect(await counts()).toMatchObject({ erased: left });
  });

  (postgresUrl === undefined ? it.skip : it)('waits for no consent that another statement holds', async () => {
    await revoked(3);
    atEnd(30);
    await prismaOf.serving.$transaction(
      async (held) => {
        await held.$executeRaw`SELECT FROM consents WHERE consent_id = 'c000002' FOR UPDATE`;
        expect(await counts()).toMatchObject({ erased: 2 });
      },
      { timeout: 60_000 },
    );
    expect(await counts()).toMatchObject({ erased: 1 });
  });

  it.each(['', '0', '-1', '1.5', 'thirty', '36501'])('erases nothing where RETENTION_DAYS is "%s"', async (days) => {
    expect(await retention(days)).toEqual({
      code: 1,
      said: '',
      complaint:
        'RETENTION_DAYS must be the days, from 1 to 36500, for which the bank keeps the customer of a consent that has ended: nothing was erased',
    });
  });
});
