import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { PrismaConsentStore } from '../../src/consents/prisma-consent.store.js';
import { FedChanges, type RowChange } from '../../src/persistence/change-feed.js';
import { Prisma } from '../../src/persistence/generated/client.js';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import { tppStandingRows, TppStandingStore } from '../../src/security/tpp-standing.store.js';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { until } from '../support/until.js';
import { consentRows } from '../../src/consents/live-consents.js';

const createdAt = new Date('2026-03-01T10:00:00.000Z');
const revokedAt = new Date('2026-03-01T11:00:00.000Z');
const later = new Date('2026-03-01T12:00:00.000Z');

describe('The revocation of all consents of a TPP', () => {
  let database: FreshDatabase;
  let prisma: PrismaService;
  let store: PrismaConsentStore;
  let standings: TppStandingStore;
  const changes: RowChange[] = [];
  beforeAll(async () => {
    database = await freshDatabase();
    prisma = await PrismaService.open(database.config);
    for (const kind of [consentRows, tppStandingRows])
      prisma.changes.subscribe(kind, (key) => changes.push({ kind, key }));
    store = new PrismaConsentStore(prisma);
    standings = new TppStandingStore(prisma, prisma.changes);
  });
  afterAll(async () => {
    await prisma.onApplicationShutdown();
    await database.drop();
  });
  beforeEach(async () => {
    await prisma.consent.deleteMany();
    await prisma.tppStanding.deleteMany();
  });

  const approved = { customerRef: 'C1', accounts: [], lastAuthenticatedAt: createdAt };
  async function awaiting(at = createdAt, tppId = 'tpp-one'): Promise<string> {
    const consentId = randomUUID();
    await store.create({
      ...{ consentId, tppId, permissions: ['ReadBalances'], status: 'AwaitingAuthorisation' },
      ...{ createdAt: at, statusUpdatedAt: at },
    });
    return consentId;
  }
  async function authorised(at?: Date, tppId?: string): Promise<string> {
    const consentId = await awaiting(at, tppId);
    await store.authorise(consentId, { ...approved, authorisationId: consentId }, createdAt);
    return consentId;
  }
  const read = async (id: string) => {
    const { status, statusUpdatedAt, ended } = (await store.find(id)) ?? {};
    return { status, at: statusUpdatedAt, ended };
  };
  const revoked = { status: 'Revoked', at: revokedAt, ended: { at: revokedAt, by: 'bank' } };
  /** Rows that still say what they said before. */
  const unwritten = () => prisma.consent.count({ where: { status: { in: ['Authorised', 'AwaitingAuthorisation'] } } });

  it('counts at once for every consent that was created up to then, and for no other', async () => {
    const given = await authorised();
    const last = await authorised(revokedAt);
    const open = await awaiting();
    const after = await authorised(new Date(revokedAt.getTime() + 1));
    const others = await authorised(createdAt, 'tpp-two');
    await standings.revokeConsents('tpp-one', revokedAt);
    expect(await unwritten()).toBe(5);
    expect([await read(given), await read(last)]).toEqual([revoked, revoked]);
    expect(await read(open)).toEqual({ status: 'Rejected', at: revokedAt });
    expect([(await read(after)).status, (await read(others)).status]).toEqual(['Authorised', 'Authorised']);
    const page = { limit: 10 };
    const listed = await store.listForCustomer('C1', page);
    expect(
      listed
        .filter(({ status }) => status === 'Revoked')
        .map(({ consentId }) => consentId)
        .sort(),
    ).toEqual([given, last].sort());
    const [current, past] = await Promise.all(
      (['current', 'past'] as const).map((part) => store.historyOfCustomer('C1', part, later, page)),
    );
    expect(current?.map(({ consent }) => consent.consentId).sort()).toEqual([after, others].sort());
    expect(past?.map(({ consent }) => consent.consentId).sort()).toEqual([given, last].sort());
  });

  it('lets no such consent change any more but be deleted', async () => {
    const [given, open] = [await authorised(), await awaiting()];
    await store.reauthenticate(given, 'C1', createdAt, createdAt, 'next');
    await standings.revokeConsents('tpp-one', revokedAt);
    expect(await store.authorise(open, approved, later)).toBeUndefined();
    expect(await store.reject(open, later)).toBeUndefined();
    expect(await store.revoke(given, later, 'customer')).toBeUndefined();
    expect(await store.endAccess(given, later, 'customer')).toBeUndefined();
    expect(await store.reauthenticate(given, 'C1', later, later)).toBeUndefined();
    for (const id of ['next', given]) expect(await store.beginAuthorisation(given, id, later)).toBeUndefined();
    expect(await read(given)).toEqual(revoked);
    expect(await store.delete(given, 'tpp-one', later)).toBe(true);
  });

  it('keeps the end of what had ended before', async () => {
    const [withdrawn, ended] = [await authorised(), await authorised()];
    await store.revoke(withdrawn, createdAt, 'customer');
    await store.endAccess(ended, createdAt, 'customer');
    const before = await read(withdrawn);
    const expected = { status: 'Revoked', at: revokedAt, ended: { at: createdAt, by: 'customer' } };
    await standings.revokeConsents('tpp-one', revokedAt);
    expect([await read(withdrawn), await read(ended)]).toEqual([before, expected]);
    while ((await standings.rewriteSome(1)) !== undefined);
    expect([await read(withdrawn), await read(ended)]).toEqual([before, expected]);
  });

  it('is written into the rows in batches, by whoever comes, and each row says the same before and after', async () => {
    const ids = [];
    for (let index = 0; index < 7; index++) ids.push(await (index % 2 ? authorised() : awaiting()));
    const alone = await authorised(later);
    await standings.revokeConsents('tpp-one', revokedAt);
    const seen = await Promise.all(ids.map(read));
    const others = new TppStandingStore(prisma, prisma.changes);
    const looked: (number | undefined)[] = [];
    const left: number[] = [];
    for (const by of [standings, others, standings, others]) {
      looked.push(await by.rewriteSome(3));
      left.push(await unwritten());
      // Every store that looks finds the standing that was set last.
      expect(await Promise.all(ids.map(read))).toEqual(seen);
    }
    expect(looked).toEqual([3, 3, 1, undefined]);
    expect(left).toEqual([5, 2, 1, 1]);
    expect((await read(alone)).status).toBe('Authorised');
    // As the rows say it themselves.
    await prisma.tppStanding.deleteMany();
    expect(await Promise.all(ids.map(read))).toEqual(seen);
  });

  it('begins anew with a later one, and never moves back', async () => {
    const [first, second] = [await authorised(), await authorised(later)];
    await standings.revokeConsents('tpp-one', revokedAt);
    while ((await standings.rewriteSome(10)) !== undefined);
    await standings.revokeConsents('tpp-one', later);
    await standings.revokeConsents('tpp-one', createdAt);
    expect([await read(first), (await read(second)).at]).toEqual([revoked, later]);
    while ((await standings.rewriteSome(10)) !== undefined);
    expect(await unwritten()).toBe(0);
  });

  /** The feed keeps the order: whatever was told before this consent changed has been heard when this resolves. */
  async function heardSoFar(): Promise<string> {
    const consentId = await awaiting(later, 'tpp-marker');
    await store.reject(consentId, later);
    await until(() => changes.some((change) => change.kind === consentRows && change.key === consentId));
    return consentId;
  }

  it('tells of itself once, and not of each row', async () => {
    for (let index = 0; index < 5; index++) await authorised();
    await heardSoFar();
    changes.splice(0);
    await standings.revokeConsents('tpp-one', revokedAt);
    while ((await standings.rewriteSome(2)) !== undefined);
    const consentId = await heardSoFar();
    expect(changes).toEqual([
      { kind: tppStandingRows, key: 'tpp-one' },
      { kind: consentRows, key: consentId },
    ]);
  });

  it('is asked of the store on each request while the feed of changes is not trusted', async () => {
    const deaf = new TppStandingStore(prisma, new FedChanges());
    expect(await deaf.find('tpp-one')).toEqual({});
    await standings.suspend('tpp-one', revokedAt);
    expect(await deaf.find('tpp-one')).toEqual({ suspendedAt: revokedAt });
    await standings.reinstate('tpp-one');
    await standings.revokeConsents('tpp-one', later);
    expect(await deaf.find('tpp-one')).toEqual({ consentsRevokedAt: later });
  });

  it('finds the next batch by the index, however many rows came before', async () => {
    await authorised();
    await standings.revokeConsents('tpp-one', revokedAt);
    const statements: Prisma.Sql[] = [];
    const $queryRaw = (strings: TemplateStringsArray, ...values: readonly unknown[]) => {
      statements.push(Prisma.sql(strings, ...values));
      return prisma.$queryRaw(strings, ...values);
    };
    await new TppStandingStore(Object.create(prisma, { $queryRaw: { value: $queryRaw } }), prisma.changes).rewriteSome(
      1,
    );
    const [batch] = statements.filter(({ sql }) => sql.includes('LIMIT'));
    // A table of one row would be read without any index.
    const [, , plan] = await prisma.$transaction([
      prisma.$executeRaw`SET LOCAL enable_seqscan = off`,
      prisma.$executeRaw`SET LOCAL enable_bitmapscan = off`,
      prisma.$queryRaw<Record<string, string>[]>(Prisma.sql`EXPLAIN ${batch ?? Prisma.empty}`),
    ]);
    expect(plan.flatMap(Object.values).join('\n')).toMatch(
      /consents_tpp_id_created_at_consent_id_idx.*\n\s*Index Cond: .*ROW\(created_at, consent_id\) > ROW\(/,
    );
  });

  it('waits for nobody: what another process has under way is left to it', async () => {
    for (let index = 0; index < 3; index++) await authorised();
    await standings.revokeConsents('tpp-one', revokedAt);
    const results = await Promise.all(Array.from({ length: 5 }, () => standings.rewriteSome(1)));
    expect(results.filter((looked) => looked === 1).length).toBeGreaterThan(0);
    while ((await standings.rewriteSome(1)) !== undefined);
    expect(await unwritten()).toBe(0);
  });
});
