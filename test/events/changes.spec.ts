import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { removeAccount } from '../../src/consents/account-removal.store.js';
import { CaseStore } from '../../src/consents/cases/case.store.js';
import { ConsentStore } from '../../src/consents/consent.store.js';
import type { Authorisation } from '../../src/consents/consent.js';
import { RecoveryStore } from '../../src/consents/recovery.store.js';
import { sweepUnauthorisedConsents } from '../../src/consents/unauthorised-consents.store.js';
import { announceNext, ConsentEventStore } from '../../src/events/consent-event.store.js';
import { Prisma } from '../../prisma/client/client.js';
import { sweepAll } from '../../src/persistence/sweep.js';
import type { PrismaService } from '../../src/persistence/prisma.service.js';
import { TppStandingStore } from '../../src/security/tpp-standing.store.js';
import { FakeClock } from '../support/fake-clock.js';
import { emptyDatabase, type EmptyDatabase } from '../support/lent-pglite.js';
import { tppNamed } from '../support/tpp-named.js';

const createdAt = new Date('2026-03-01T10:00:00.000Z');
const approvedAt = new Date('2026-03-01T10:01:00.000Z');
const at = new Date('2026-03-01T11:00:00.000Z');
const later = new Date('2026-03-01T12:00:00.000Z');
const tpp = tppNamed('tpp-one');

describe('the event of a changed consent', () => {
  let database: EmptyDatabase;
  let prisma: PrismaService;
  let consents: ConsentStore;
  let cases: CaseStore;
  let standings: TppStandingStore;
  let recovery: RecoveryStore;
  let events: ConsentEventStore;
  beforeAll(async () => {
    database = await emptyDatabase();
    prisma = database.prisma;
    consents = new ConsentStore(prisma);
    cases = new CaseStore(prisma);
    standings = new TppStandingStore(prisma);
    recovery = new RecoveryStore(prisma, () => Promise.resolve('unknown'), []);
    events = new ConsentEventStore(prisma, new FakeClock(at.getTime()));
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await prisma.consent.deleteMany();
    await prisma.tppStanding.deleteMany();
    await prisma.operator.deleteMany();
    await prisma.consentEvent.deleteMany();
  });

  const accounts = [
    { ref: 'core/1', product: 'Savings' },
    { ref: 'core/2', product: 'CreditCard', core: 'cards' },
  ];
  const authorisation: Authorisation = { customerRef: 'C1', accounts, lastAuthenticatedAt: approvedAt };
  async function awaiting(): Promise<string> {
    const consentId = randomUUID();
    const terms = {
      consentId,
      tpp,
      kind: 'account-access' as const,
      permissions: ['ReadBalances'] as const,
      createdAt,
      createdIn: 'v3.1',
      statusUpdatedAt: createdAt,
    };
    await consents.create({ ...terms, status: 'awaiting' });
    return consentId;
  }
  async function authorised(): Promise<string> {
    const consentId = await awaiting();
    await consents.authorise(consentId, { ...authorisation, authorisationId: consentId }, approvedAt);
    await prisma.consentEvent.deleteMany();
    return consentId;
  }
  const found = async (): Promise<[string, string, Date][]> => {
    // The announcement of a withdrawal of all consents, in parts.
    while (await announceNext(prisma, 2));
    return (await events.waiting(tpp, 10)).map(({ consentId, kind, occurredAt }) => [consentId, kind, occurredAt]);
  };

  type Change = (consentId: string) => PromiseLike<unknown>;
  const operator = 'operator:ann' as const;
  const case_ = { at, by: operator, reason: 'customer-request' } as const;
  const addOperator = () =>
    prisma.operator.create({
      data: { name: 'ann', role: 'admin', secretDigest: '', addedAt: createdAt, addedBy: operator },
    });
  const recovered =
    (event: 'consent-revoked' | 'consent-deleted'): Change =>
    (subject) =>
      recovery.apply({ event, subject, at, by: 'bank', issuer: undefined } as never);
  it.each<[change: string, kind: string, time: Date, change: Change]>([
    ['the customer’s withdrawal', 'withdrawn', at, (id) => consents.cancel(id, at, 'customer-withdrew')],
    ['the bank’s withdrawal', 'withdrawn', at, (id) => consents.cancel(id, at, 'bank-withdrew')],
    [
      'the withdrawal of an operator’s case',
      'withdrawn',
      at,
      async (id) => {
        await addOperator();
        await cases.withdraw([id], case_);
      },
    ],
    [
      'an operator’s withdrawal of all consents of the TPP',
      'withdrawn',
      at,
      async () => {
        await addOperator();
        await cases.withdrawTpp(tpp, case_);
      },
    ],
    ['the bank’s withdrawal of all consents of the TPP', 'withdrawn', at, () => standings.revokeConsents(tpp, at)],
    ['a withdrawal that is recovered', 'withdrawn', at, recovered('consent-revoked')],
    ['a deletion by the TPP', 'updated', at, (id) => consents.delete(id, tpp, at)],
    ['a deletion that is recovered', 'updated', at, recovered('consent-deleted')],
    [
      'an access that its customer gives again',
      'updated',
      later,
      async (id) => {
        await consents.cancel(id, at, 'customer-withdrew');
        await prisma.consentEvent.deleteMany();
        await consents.reauthenticate(id, 'C1', later, later);
      },
    ],
  ])('of an authorised consent is written with %s', async (_, kind, time, change) => {
    const consentId = await authorised();
    await change(consentId);
    expect(await found()).toEqual([[consentId, kind, time]]);
  });

  it.each<[change: string, change: Change]>([
    ['its approval', (id) => consents.authorise(id, authorisation, at)],
    ['its refusal', (id) => consents.reject(id, at, 'C1')],
    ['the withdrawal of all consents of the TPP', () => standings.revokeConsents(tpp, at)],
  ])('of a consent that awaits its customer is written with %s', async (_, change) => {
    const consentId = await awaiting();
    await change(consentId);
    expect(await found()).toEqual([[consentId, 'updated', at]]);
  });

  it('says of each account that left the consent, and of no other change of accounts', async () => {
    const consentId = await authorised();
    const [, left] = accounts;
    await removeAccount(prisma, [consentId], left!, at, 'bank-withdrew');
    const event = { consentId, kind: 'account-left', account: left, occurredAt: at };
    expect(await events.waiting(tpp, 10)).toMatchObject([event]);
    await prisma.consent.update({ where: { consentId }, data: { accounts } });
    expect(await events.waiting(tpp, 10)).toHaveLength(1);
  });

  it('says of the last account that left, and of the end of its consent', async () => {
    const consentId = await authorised();
    for (const account of accounts) await removeAccount(prisma, [consentId], account, at, 'bank-withdrew');
    const kinds = (await events.waiting(tpp, 10)).map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(['account-left', 'account-left', 'withdrawn']);
  });

  it('is not written for an account of another core with the same reference', async () => {
    const consentId = await authorised();
    const others = accounts.map(({ ref, core }) => ({ ref, ...(core === undefined && { core: 'cards' }) }));
    for (const account of others) expect(await removeAccount(prisma, [consentId], account, at, 'fraud')).toEqual([]);
    expect(await found()).toEqual([]);
  });

  it.each<[change: string, change: Change]>([
    ['a later authentication', (id) => consents.reauthenticate(id, 'C1', later, later)],
    ['the end of its tokens', (id) => consents.endAuthorisation(id)],
    ['the suspension of the TPP, which ends no consent', () => standings.suspend(tpp, at)],
    ['a withdrawal that is refused', (id) => consents.reauthenticate(id, 'C2', later, later)],
    ['a withdrawal of all consents of another TPP', () => standings.revokeConsents(tppNamed('tpp-two'), at)],
  ])('is not written with %s', async (_, change) => {
    await change(await authorised());
    expect(await found()).toEqual([]);
  });

  it('is written once where the bank withdraws all consents of the TPP twice', async () => {
    await authorised();
    await standings.revokeConsents(tpp, at);
    await standings.revokeConsents(tpp, later);
    expect(await found()).toHaveLength(1);
  });

  it('is announced for every consent of a withdrawn TPP, and not again for those of an earlier withdrawal', async () => {
    const first = [await authorised(), await authorised(), await authorised(), await authorised(), await awaiting()];
    await standings.revokeConsents(tpp, at);
    expect((await found()).map(([id]) => id).sort()).toEqual(first.sort());
    const consentId = randomUUID();
    const terms = {
      consentId,
      tpp,
      kind: 'account-access' as const,
      permissions: ['ReadBalances'] as const,
      createdIn: 'v3.1',
    };
    await consents.create({ ...terms, createdAt: later, statusUpdatedAt: later, status: 'awaiting' });
    await standings.revokeConsents(tpp, later);
    expect((await found()).slice(first.length)).toEqual([[consentId, 'updated', later]]);
    expect(await prisma.withdrawalToAnnounce.count()).toBe(0);
  });

  it('is not written where the transaction of the change is undone', async () => {
    const consentId = await authorised();
    const undone = prisma.$transaction(async (transaction) => {
      await transaction.consent.update({ where: { consentId }, data: { deletedAt: at } });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await found()).toEqual([]);
  });

  it('is not written with the removal of an unauthorised consent or the erasure of an ended one, and no longer names an account then', async () => {
    await awaiting();
    await sweepAll(sweepUnauthorisedConsents(0), prisma, at.getTime());
    const consentId = await authorised();
    await removeAccount(prisma, [consentId], accounts[1]!, at, 'bank-withdrew');
    await consents.cancel(consentId, at, 'customer-withdrew');
    // As the operators' command erases it.
    const erased = { customerRef: null, displayName: null, accounts: Prisma.DbNull, lastAuthenticatedAt: null };
    await database.asMaintenance((role) =>
      role.consent.update({ where: { consentId }, data: { ...erased, erasedAt: later } }),
    );
    expect((await found()).map(([, kind]) => kind)).toEqual(['withdrawn']);
  });

  it('is of the TPP of its issuer alone: another issuer may have a TPP with the same client id', async () => {
    const consentId = await authorised();
    await consents.cancel(consentId, at, 'customer-withdrew');
    const [event] = await events.waiting(tpp, 1);
    const same = { ...tpp, issuer: 'https://another.example', key: `https://another.example ${tpp.clientId}` };
    expect(await events.waiting(same, 10)).toEqual([]);
    expect(await events.withEvents([same, tpp])).toEqual([tpp.key]);
    await events.settle(same, { acknowledged: [event!.eventId], faulty: [event!.eventId] });
    expect(await prisma.consentEvent.findMany()).toMatchObject([{ eventId: event!.eventId, errors: 0 }]);
  });
});
