import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sweepUnauthorisedConsents } from '../../src/consents/unauthorised-consents.store.js';
import { ConsentStore } from '../../src/consents/consent.store.js';
import { cachedForMs } from '../../src/persistence/cached-rows.js';
import type { PrismaService } from '../../src/persistence/prisma.service.js';
import { TppStandingStore } from '../../src/security/tpp-standing.store.js';
import { emptyDatabase, type EmptyDatabase } from '../support/lent-pglite.js';
import { taggedBlocks } from '../support/documents.js';
import { tppNamed } from '../support/tpp-named.js';

const createdAt = new Date('2026-03-01T10:00:00.000Z');
const revokedAt = new Date('2026-03-01T11:00:00.000Z');
const later = new Date('2026-03-01T12:00:00.000Z');

describe('The revocation of all consents of a TPP', () => {
  let database: EmptyDatabase;
  let prisma: PrismaService;
  let store: ConsentStore;
  let standings: TppStandingStore;
  beforeAll(async () => {
    database = await emptyDatabase();
    prisma = database.prisma;
    store = new ConsentStore(prisma);
    standings = new TppStandingStore(prisma);
  });
  afterAll(async () => {
    await database.close();
  });
  beforeEach(async () => {
    await prisma.consent.deleteMany();
    await prisma.tppStanding.deleteMany();
  });

  const approved = { customerRef: 'C1', accounts: [], lastAuthenticatedAt: createdAt };
  async function awaiting(at = createdAt, clientId = 'tpp-one'): Promise<string> {
    const consentId = randomUUID();
    await store.create({
      consentId,
      tpp: tppNamed(clientId),
      kind: 'account-access',
      permissions: ['ReadBalances'],
      status: 'awaiting',
      createdAt: at,
      createdIn: 'v3.1',
      statusUpdatedAt: at,
    });
    return consentId;
  }
  async function authorised(at?: Date, clientId?: string): Promise<string> {
    const consentId = await awaiting(at, clientId);
    await store.authorise(consentId, { ...approved, authorisationId: consentId }, createdAt);
    return consentId;
  }
  const read = async (id: string) => {
    const { status, statusUpdatedAt, reason, isFinal } = (await store.find(id)) ?? {};
    return { status, at: statusUpdatedAt, reason, isFinal };
  };
  const reason = 'withdrawn-with-tpp';
  const revoked = { status: 'cancelled', at: revokedAt, reason, isFinal: true };

  it('counts at once for exactly the consents that were created up to then', async () => {
    const given = await authorised();
    const last = await authorised(revokedAt);
    const open = await awaiting();
    const after = await authorised(new Date(revokedAt.getTime() + 1));
    const others = await authorised(createdAt, 'tpp-two');
    await standings.revokeConsents(tppNamed('tpp-one'), revokedAt);
    expect([await read(given), await read(last)]).toEqual([revoked, revoked]);
    expect(await read(open)).toEqual({ status: 'rejected', at: revokedAt, reason });
    expect([(await read(after)).status, (await read(others)).status]).toEqual(['authorised', 'authorised']);
    const page = { limit: 10 };
    const listed = await store.listForCustomer('C1', page);
    expect(
      listed
        .filter(({ status }) => status === 'cancelled')
        .map(({ consentId }) => consentId)
        .sort(),
    ).toEqual([given, last].sort());
    const [current, past] = await Promise.all(
      (['current', 'past'] as const).map((part) => store.historyOfCustomer('C1', part, later, page)),
    );
    expect(current?.map(({ consent }) => consent.consentId).sort()).toEqual([after, others].sort());
    expect(past?.map(({ consent }) => consent.consentId).sort()).toEqual([given, last].sort());
  });

  it('lets no such consent change any more, except by deletion', async () => {
    const [given, open] = [await authorised(), await awaiting()];
    await store.reauthenticate(given, 'C1', createdAt, createdAt, 'next');
    await standings.revokeConsents(tppNamed('tpp-one'), revokedAt);
    expect(await store.authorise(open, approved, later)).toBeUndefined();
    expect(await store.reject(open, later)).toBeUndefined();
    expect(await store.cancel(given, later, 'customer-withdrew')).toBeUndefined();
    expect(await store.reauthenticate(given, 'C1', later, later)).toBeUndefined();
    for (const id of ['next', given]) expect(await store.beginAuthorisation(given, id, later)).toBeUndefined();
    expect(await read(given)).toEqual(revoked);
    expect(await store.delete(given, tppNamed('tpp-one'), later)).toBe(true);
  });

  it('keeps the end of consents that had ended before', async () => {
    const withdrawn = await authorised();
    await store.cancel(withdrawn, createdAt, 'customer-withdrew');
    await standings.revokeConsents(tppNamed('tpp-one'), revokedAt);
    expect(await read(withdrawn)).toEqual({
      status: 'cancelled',
      at: createdAt,
      reason: 'customer-withdrew',
      isFinal: true,
    });
    expect(await store.reauthenticate(withdrawn, 'C1', later, later)).toBeUndefined();
  });

  it('that is repeated ends the consents that were created since, and keeps the time of those that the first revocation ended', async () => {
    const [first, second, between] = [await authorised(), await authorised(later), await awaiting(later)];
    const last = new Date(later.getTime() + 1);
    await standings.revokeConsents(tppNamed('tpp-one'), revokedAt);
    await standings.revokeConsents(tppNamed('tpp-one'), last);
    expect(await read(first)).toEqual(revoked);
    expect(await read(second)).toEqual({ ...revoked, at: last });
    expect(await read(between)).toEqual({ status: 'rejected', at: last, reason });
    expect(await standings.find(tppNamed('tpp-one'))).toEqual({ consentsRevokedAt: last });
  });

  it('that is not later than the last one, by the clock of its process, changes nothing', async () => {
    const consentId = await authorised();
    await standings.revokeConsents(tppNamed('tpp-one'), revokedAt);
    for (const at of [createdAt, revokedAt]) await standings.revokeConsents(tppNamed('tpp-one'), at);
    expect(await read(consentId)).toEqual(revoked);
    expect((await prisma.tppStanding.findMany()).map(({ consentsRevokedAt }) => consentsRevokedAt)).toEqual([
      [revokedAt],
    ]);
  });

  it('keeps the consents that it revoked, and removes those that were not approved in time like any others', async () => {
    const [given, open] = [await authorised(), await awaiting()];
    await standings.revokeConsents(tppNamed('tpp-one'), revokedAt);
    const sweep = sweepUnauthorisedConsents(later.getTime() - createdAt.getTime());
    await sweep(prisma, later.getTime() - 1, 10);
    expect([await read(given), (await read(open)).status]).toEqual([revoked, 'rejected']);
    await sweep(prisma, later.getTime(), 10);
    expect([await read(given), await store.find(open)]).toEqual([revoked, undefined]);
  });

  it('of a client id is separate for each issuer', async () => {
    const [one, two] = [tppNamed('tpp-one'), tppNamed('tpp-one', 'https://two.example')];
    const mine = await authorised();
    await store.create({
      consentId: 'of-two',
      tpp: two,
      kind: 'account-access',
      permissions: ['ReadBalances'],
      status: 'awaiting',
      createdAt,
      createdIn: 'v3.1',
      statusUpdatedAt: createdAt,
    });
    await standings.revokeConsents(two, revokedAt);
    expect([(await read(mine)).status, (await read('of-two')).status]).toEqual(['authorised', 'rejected']);
    expect([await standings.find(one), await standings.find(two)]).toEqual([{}, { consentsRevokedAt: revokedAt }]);
  });

  it('continues under the new name of an issuer after the statements of the document', async () => {
    const old = tppNamed('tpp-one', 'https://old.bank.example');
    const renamed = tppNamed('tpp-one', 'https://new.bank.example');
    await store.create({
      consentId: 'renamed',
      tpp: old,
      kind: 'account-access',
      permissions: ['ReadBalances'],
      status: 'awaiting',
      createdAt: later,
      createdIn: 'v3.1',
      statusUpdatedAt: later,
    });
    await standings.suspend(old, revokedAt);
    for (const statement of taggedBlocks('issuer-name').join('').trim().split('\n'))
      await prisma.$executeRawUnsafe(statement);
    expect((await store.find('renamed'))?.tpp).toEqual(renamed);
    expect(await new TppStandingStore(prisma).find(renamed)).toEqual({ suspendedAt: revokedAt });
  });
});

describe('The suspension of a TPP', () => {
  let database: EmptyDatabase;
  let prisma: PrismaService;
  let here: TppStandingStore;
  let elsewhere: TppStandingStore;
  beforeAll(async () => {
    database = await emptyDatabase();
    prisma = database.prisma;
    [here, elsewhere] = [new TppStandingStore(prisma), new TppStandingStore(prisma)];
  });
  afterAll(async () => {
    await database.close();
  });

  it('takes effect at once in the process that received it, and within a second in another process', async () => {
    expect([await here.isSuspended(tppNamed('tpp-one')), await elsewhere.isSuspended(tppNamed('tpp-one'))]).toEqual([
      false,
      false,
    ]);
    await here.suspend(tppNamed('tpp-one'), revokedAt);
    const suspendedMs = performance.now();
    expect(await here.isSuspended(tppNamed('tpp-one'))).toBe(true);
    while (performance.now() - suspendedMs < cachedForMs) await sleep(10);
    expect(await elsewhere.isSuspended(tppNamed('tpp-one'))).toBe(true);
  });

  it('ends at once in every process', async () => {
    await here.suspend(tppNamed('tpp-two'), revokedAt);
    expect([await here.isSuspended(tppNamed('tpp-two')), await elsewhere.isSuspended(tppNamed('tpp-two'))]).toEqual([
      true,
      true,
    ]);
    await here.reinstate(tppNamed('tpp-two'));
    expect([await here.isSuspended(tppNamed('tpp-two')), await elsewhere.isSuspended(tppNamed('tpp-two'))]).toEqual([
      false,
      false,
    ]);
  });
});
