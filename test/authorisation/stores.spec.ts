import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ArtefactStore, sweepArtefacts, useCode } from '../../src/authorisation-server/oidc/artefact.store.js';
import {
  dashboardIdleMs,
  dashboardLongestMs,
} from '../../src/authorisation-server/dashboard/dashboard-session.store.js';
import {
  DashboardSessionStore,
  sweepDashboardSessions,
} from '../../src/authorisation-server/dashboard/dashboard-session.store.js';
import { journeyVersion, type Journey } from '../../src/authorisation-server/sign-in/journey.js';
import {
  beginJourney,
  ended as endedJourney,
  signedIn,
  withMessage,
} from '../../src/authorisation-server/sign-in/states.js';
import {
  JourneyStore,
  removeExpiredJourneys,
  sweepForgottenJourneys,
  type StoredJourney,
} from '../../src/authorisation-server/sign-in/journey.store.js';
import { hashed, keyOf, seal } from '../../src/authorisation-server/sealing.js';
import { SigningKeyStore } from '../../src/security/signing-key.store.js';
import { SigningKeys } from '../../src/security/signing-keys.js';
import { ConsentStore } from '../../src/consents/consent.store.js';
import { cachedForMs } from '../../src/persistence/cached-rows.js';
import type { PrismaService } from '../../src/persistence/prisma.service.js';
import { FakeClock } from '../support/fake-clock.js';
import { emptyDatabase, type EmptyDatabase } from '../support/lent-pglite.js';
import { tppNamed } from '../support/tpp-named.js';

const start = Date.parse('2026-06-15T12:00:00.000Z');

describe('the rows of the authorization server', () => {
  let database: EmptyDatabase;
  let prisma: PrismaService;
  const clock = new FakeClock(start);
  beforeAll(async () => {
    database = await emptyDatabase();
    prisma = database.prisma;
  });
  afterAll(async () => {
    await database.close();
  });

  const artefacts = (model: string): ArtefactStore =>
    new ArtefactStore(model, prisma, clock, {
      complete: (store) => prisma.$transaction((transaction) => store(transaction)),
    });

  describe('artefacts', () => {
    it('come back as they were stored, to the holder of the bearer value', async () => {
      const store = artefacts('RefreshToken');
      const id = randomUUID();
      await store.upsert(id, { jti: id, grantId: 'grant-1', accountId: 'aac-1' }, 60);
      expect(await store.find(id)).toEqual({ jti: id, grantId: 'grant-1', accountId: 'aac-1' });
      expect(await store.find(randomUUID())).toBeUndefined();
      expect(await artefacts('AuthorizationCode').find(id)).toBeUndefined();
    });

    it('are in the database without the bearer value and without anything that can be read', async () => {
      const id = randomUUID();
      await artefacts('AuthorizationCode').upsert(id, { jti: id, accountId: 'aac-secret', grantId: 'grant-2' }, 60);
      const rows = await prisma.oidcArtefact.findMany({ where: { grantId: 'grant-2' } });
      expect(rows.length).toBe(1);
      expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${id}|aac-secret`));
    });

    it('of 20 that use a code up at once, one succeeds', async () => {
      const store = artefacts('AuthorizationCode');
      const id = randomUUID();
      await store.upsert(id, { jti: id }, 60);
      const use = () => prisma.$transaction((transaction) => useCode(transaction, id, new Date(start)));
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, use));
      expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(1);
      expect((await store.find(id))?.['consumed']).toBe(start / 1_000);
    });

    it('an assertion id is inserted once, also by ten at once', async () => {
      const store = artefacts('ReplayDetection');
      const id = randomUUID();
      const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => store.upsert(id, { jti: id }, 60)));
      expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(1);
      expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { error: 'invalid_client' },
      });
    });

    it('of an authorisation go when it is revoked', async () => {
      const [id, other] = [randomUUID(), randomUUID()];
      await artefacts('RefreshToken').upsert(id, { jti: id, grantId: 'grant-3' }, 60);
      await artefacts('RefreshToken').upsert(other, { jti: other, grantId: 'grant-4' }, 60);
      await artefacts('RefreshToken').revokeByGrantId('grant-3');
      expect(await artefacts('RefreshToken').find(id)).toBeUndefined();
      expect(await artefacts('RefreshToken').find(other)).toBeDefined();
    });

    it('of codes are swept an hour after their end, in batches', async () => {
      await prisma.oidcArtefact.deleteMany();
      for (let i = 0; i < 5; i++) await artefacts('AuthorizationCode').upsert(`old-${i}`, { jti: `old-${i}` }, 60);
      await artefacts('AuthorizationCode').upsert('new', { jti: 'new' }, 7_200);
      expect(await sweepArtefacts(prisma, start + 60_000 + 3_600_000, 10)).toBe(0);
      const anHourLaterMs = start + 60_000 + 3_600_001;
      expect(await sweepArtefacts(prisma, anHourLaterMs, 3)).toBe(3);
      expect(await sweepArtefacts(prisma, anHourLaterMs, 3)).toBe(2);
      expect(await prisma.oidcArtefact.count()).toBe(1);
    });

    it.each([
      ['PushedAuthorizationRequest', 0],
      ['Interaction', 0],
      ['RefreshToken', 0],
      ['ReplayDetection', 60_000],
    ])('of the kind %s are swept %i ms after their end', async (model, keptMs) => {
      await prisma.oidcArtefact.deleteMany();
      await artefacts(model).upsert('over', { jti: 'over' }, 60);
      expect(await sweepArtefacts(prisma, start + 60_000 + keptMs, 10)).toBe(0);
      expect(await sweepArtefacts(prisma, start + 60_000 + keptMs + 1, 10)).toBe(1);
    });
  });

  describe('artefacts of an authorisation', () => {
    const consents = (): ConsentStore => new ConsentStore(prisma);
    const now = new Date(start);
    const later = new Date(start + 1);
    let consentId: string;
    let current: string;
    let next: string;
    const kept = async (): Promise<string[]> =>
      (await prisma.oidcArtefact.findMany({ where: { grantId: { in: [current, next] } } }))
        .map(({ model, grantId }) => `${grantId === current ? 'current' : 'next'} ${model}`)
        .sort();
    const all = ['current RefreshToken', 'next AuthorizationCode'];
    beforeEach(async () => {
      [consentId, current, next] = [randomUUID(), randomUUID(), randomUUID()];
      const permissions = ['ReadBalances' as const];
      const at = { createdAt: now, createdIn: 'v3.1', statusUpdatedAt: now };
      await consents().create({
        consentId,
        tpp: tppNamed('tpp'),
        kind: 'account-access',
        permissions,
        status: 'awaiting',
        ...at,
      });
      await artefacts('RefreshToken').upsert(randomUUID(), { grantId: current }, 60);
      await artefacts('AuthorizationCode').upsert(randomUUID(), { grantId: next }, 60);
      const given = { customerRef: 'C1', accounts: [], lastAuthenticatedAt: now, authorisationId: current };
      await consents().authorise(consentId, given, now);
      await consents().reauthenticate(consentId, 'C1', now, now, next);
    });

    it('stay while it is the current one or the next', async () => {
      expect(await kept()).toEqual(all);
      await consents().reauthenticate(consentId, 'C1', later, later);
      await consents().beginAuthorisation(consentId, current, now);
      expect(await kept()).toEqual(all);
    });

    it('go when the next one replaces it', async () => {
      await consents().beginAuthorisation(consentId, next, now);
      expect(await kept()).toEqual(['next AuthorizationCode']);
    });

    it('go when a later one becomes the next', async () => {
      await consents().reauthenticate(consentId, 'C1', later, later, randomUUID());
      expect(await kept()).toEqual(['current RefreshToken']);
    });

    it('go when it is revoked, and those of another authorisation stay', async () => {
      await consents().endAuthorisation(current);
      expect(await kept()).toEqual(['next AuthorizationCode']);
    });

    it.each<[string, () => Promise<unknown>]>([
      ['is deleted', () => consents().delete(consentId, tppNamed('tpp'), now)],
      ['is cancelled', () => consents().cancel(consentId, now, 'bank-withdrew')],
    ])('go when its consent %s', async (_how, end) => {
      await end();
      expect(await kept()).toEqual([]);
    });

    it('of a consent whose access is given again are the new ones', async () => {
      await consents().cancel(consentId, now, 'customer-withdrew');
      next = randomUUID();
      await artefacts('AuthorizationCode').upsert(randomUUID(), { grantId: next }, 60);
      await consents().reauthenticate(consentId, 'C1', later, later, next);
      await consents().beginAuthorisation(consentId, next, later);
      expect(await kept()).toEqual(['next AuthorizationCode']);
    });
  });

  const journeys = (): JourneyStore => new JourneyStore(prisma);
  const until = (deadlineMs: number): Journey => ({ ...beginJourney(start), deadlineMs });

  describe('a journey', () => {
    const end = new Date(start + 60_000);
    const request = (): { id: string; uid: string } => ({ id: randomUUID(), uid: randomUUID() });
    const begin = async (of = request()): Promise<string> =>
      journeys().beginOf(of, beginJourney(start, of), { consentId: 'aac-1', tpp: tppNamed('tpp-one') }, end);
    const found = async (bearer: string): Promise<StoredJourney> => {
      const stored = await journeys().find(bearer, start);
      if (stored === undefined) throw new Error('there is no such journey');
      return stored;
    };

    it('of one authorization request is one, however often the request is opened: the last one', async () => {
      const of = request();
      const rows = await prisma.customerJourney.count();
      const opened = [];
      for (let time = 0; time < 3; time++) opened.push(await begin({ ...of, uid: randomUUID() }));
      const again = await Promise.all(Array.from({ length: 10 }, () => begin({ ...of, uid: randomUUID() })));
      expect(await prisma.customerJourney.count()).toBe(rows + 1);
      const alive = await Promise.all([...opened, ...again].map((bearer) => journeys().find(bearer, start)));
      expect(alive.filter(Boolean)).toHaveLength(1);
      expect(alive.slice(0, 3)).toEqual([undefined, undefined, undefined]);
    });

    it('takes the library’s artefact of the one before with it', async () => {
      const [of, uid] = [request(), randomUUID()];
      await artefacts('Interaction').upsert(of.uid, { jti: of.uid }, 60);
      await artefacts('Interaction').upsert(uid, { jti: uid }, 60);
      await begin(of);
      await begin({ ...of, uid });
      expect([await artefacts('Interaction').find(of.uid), await artefacts('Interaction').find(uid)]).toEqual([
        undefined,
        { jti: uid },
      ]);
    });

    it('is over at its end to the millisecond, swept or not', async () => {
      const bearer = await begin();
      expect(await journeys().find(bearer, end.getTime() - 1)).toBeDefined();
      expect(await journeys().find(bearer, end.getTime())).toBeUndefined();
    });

    it('is ended by one of the requests that end it at the same moment', async () => {
      const bearer = await begin();
      const ended = await Promise.all(Array.from({ length: 5 }, () => journeys().end(bearer)));
      expect(ended.filter(Boolean)).toHaveLength(1);
    });

    it('is in the database sealed, without its cookie and its request', async () => {
      const of = request();
      const bearer = await begin(of);
      const stored = await found(bearer);
      const renewed = await journeys().renew(stored, stored.journey);
      const rows = JSON.stringify(await prisma.customerJourney.findMany());
      for (const secret of [bearer, renewed?.bearer ?? '', of.id, of.uid, 'deadlineMs'])
        expect([secret.length > 0, rows.includes(secret)]).toEqual([true, false]);
    });

    it('is found under its new cookie only', async () => {
      const bearer = await begin();
      const stored = await found(bearer);
      const renewed = await journeys().renew(stored, stored.journey);
      expect(renewed?.bearer).not.toBe(bearer);
      expect(await journeys().find(bearer, start)).toBeUndefined();
      expect(await found(renewed?.bearer ?? '')).toEqual(renewed);
    });

    it('of which another release has written the state, or a state that fits no schema, counts as expired', async () => {
      const bearer = await begin();
      const { journey } = await found(bearer);
      const key = hashed('CustomerJourney', bearer);
      const write = async (stored: unknown): Promise<unknown> => {
        const state = seal(keyOf('CustomerJourney', bearer), 'CustomerJourney', JSON.stringify(stored));
        await prisma.customerJourney.update({ where: { key }, data: { state } });
        return journeys().find(bearer, start);
      };
      expect(await write({ version: journeyVersion, state: journey })).toMatchObject({ journey });
      for (const other of [
        { version: journeyVersion + 1, state: journey },
        { state: journey },
        { version: journeyVersion, state: { ...journey, step: 'unknown' } },
        { version: journeyVersion, state: { ...journey, deadlineMs: '1' } },
        { version: journeyVersion, state: { ...journey, more: true } },
        { version: journeyVersion, state: { ...journey, step: 'decide' } },
        journey,
      ])
        expect([other, await write(other)]).toEqual([other, undefined]);
    });

    it('may change its text without a new version, unless another request changed it or took a step', async () => {
      const stored = await found(await begin());
      const first = withMessage(stored.journey, 'incomplete');
      const second = withMessage(stored.journey, 'unavailable');
      const changed = await journeys().note(stored, first);
      expect([changed?.version, await journeys().note(stored, second)]).toEqual([stored.version, undefined]);
      // A form of the page before the change is still good.
      expect(await journeys().step(stored, second)).toBeDefined();
      expect(await journeys().note(changed ?? stored, first)).toBeUndefined();
    });

    it('of 20 that take a step at once, with or without another cookie, lets one', async () => {
      const stored = await found(await begin());
      const steps = Array.from({ length: 20 }, async (_, turn) =>
        turn % 2 ? journeys().step(stored, stored.journey) : journeys().renew(stored, stored.journey),
      );
      expect((await Promise.all(steps)).filter(Boolean)).toHaveLength(1);
    });
  });

  it('journeys are removed when they have expired, in batches', async () => {
    await prisma.customerJourney.deleteMany();
    for (const uid of ['one', 'two']) await journeys().begin(uid, until(start + 60_000), start);
    const removed = async (nowMs: number, limit: number) => (await removeExpiredJourneys(prisma, nowMs, limit)).removed;
    expect(await removed(start + 60_000, 10)).toBe(0);
    expect(await removed(start + 60_001, 1)).toBe(1);
    expect(await removed(start + 60_001, 10)).toBe(1);
  });

  it('journeys that no gateway removed go a day later', async () => {
    await prisma.customerJourney.deleteMany();
    await journeys().begin('one', until(start), start);
    expect(await sweepForgottenJourneys(prisma, start + 86_400_000, 10)).toBe(0);
    expect(await sweepForgottenJourneys(prisma, start + 86_400_001, 10)).toBe(1);
  });

  it('each journey that expires without a decision is reported to one of ten that remove it at the same moment', async () => {
    await prisma.customerJourney.deleteMany();
    const expiresAt = new Date(start + 60_000);
    const subject = { consentId: 'aac-1', tpp: tppNamed('tpp-one') };
    const begun = async () => {
      const of = { id: randomUUID(), uid: randomUUID() };
      const bearer = await journeys().beginOf(of, beginJourney(start, of), subject, expiresAt);
      return (await journeys().find(bearer, start)) ?? Promise.reject(new Error('there is no such journey'));
    };
    const [, deciding, decided] = [await begun(), await begun(), await begun()];
    const customer = { customerRef: 'C1', displayName: 'Mary', authenticatedAtMs: start };
    const atAccounts = signedIn(deciding.journey, [customer]);
    await journeys().step(deciding, atAccounts);
    await journeys().renew(decided, endedJourney(decided.journey));
    // The dashboard's is not a TPP's request.
    await journeys().begin('dashboard', until(start + 60_000), start);
    const told = await Promise.all(Array.from({ length: 10 }, () => removeExpiredJourneys(prisma, start + 60_001, 10)));
    expect(told.reduce((sum, { removed }) => sum + removed, 0)).toBe(4);
    expect(told.flatMap(({ undecided }) => undecided).sort((one, other) => (one.stage < other.stage ? -1 : 1))).toEqual(
      [
        { consentId: 'aac-1', clientId: 'tpp-one', stage: 'accounts' },
        { consentId: 'aac-1', clientId: 'tpp-one', stage: 'sign-in' },
      ],
    );
  });

  it('a session of the dashboard ends an hour after its begin, to the millisecond, however often it is used', async () => {
    const sessions = new DashboardSessionStore(prisma);
    const mary = { customerRef: 'C1', displayName: 'Mary' };
    await sessions.begin('used all the time', mary, start);
    const endMs = start + dashboardLongestMs;
    for (let nowMs = start; nowMs < endMs; nowMs += dashboardIdleMs - 1)
      expect(await sessions.use('used all the time', nowMs)).toEqual(mary);
    expect(await sessions.use('used all the time', endMs - 1)).toEqual(mary);
    expect(await sessions.use('used all the time', endMs)).toBeUndefined();
    expect(await prisma.dashboardSession.count()).toBe(0);
  });

  it('sessions of the dashboard are swept when they have expired, in batches', async () => {
    await prisma.dashboardSession.deleteMany();
    const sessions = new DashboardSessionStore(prisma);
    for (const bearer of ['one', 'two'])
      await sessions.begin(bearer, { customerRef: 'C1', displayName: 'Mary' }, start);
    const endMs = start + dashboardIdleMs;
    expect(await sweepDashboardSessions(prisma, endMs, 10)).toBe(0);
    expect(await sweepDashboardSessions(prisma, endMs + 1, 1)).toBe(1);
    expect(await sweepDashboardSessions(prisma, endMs + 1, 10)).toBe(1);
  });

  describe('signing keys', () => {
    const open = (key: Buffer): Promise<SigningKeys> => SigningKeys.open(new SigningKeyStore(prisma), key, clock);
    beforeEach(() => prisma.signingKey.deleteMany());

    it('are sealed, and another KEY_ENCRYPTION_KEY is refused at boot', async () => {
      const key = randomBytes(32);
      const keys = await open(key);
      const [{ d } = {}] = keys.privateJwks().keys;
      expect(JSON.stringify(await prisma.signingKey.findMany())).not.toContain(String(d));
      await expect(open(randomBytes(32))).rejects.toThrow(/KEY_ENCRYPTION_KEY/);
    });

    it('that another process has made are published here a second later, and sign minutes later', async () => {
      const key = randomBytes(32);
      const [one, other] = [await open(key), await open(key)];
      const kids = (keys: SigningKeys): string[] => keys.published.map(({ kid }) => kid).sort();
      const before = kids(other);
      await one.rotate();
      const rotatedMs = performance.now();
      expect(kids(one).length).toBe(before.length + 2);
      while (performance.now() - rotatedMs < cachedForMs) await sleep(10);
      await other.refresh();
      expect(kids(other)).toEqual(kids(one));
      expect(other.privateJwks().keys[0]?.kid).toBe(one.privateJwks().keys[0]?.kid);
      expect(before).toContain(other.privateJwks().keys[0]?.kid);
    });

    it('that were removed are made again at the next start, under another KEY_ENCRYPTION_KEY too, and sign at once', async () => {
      const before = (await open(Buffer.alloc(32, 1))).published.map(({ kid }) => kid);
      await prisma.signingKey.deleteMany();
      const after = await open(Buffer.alloc(32, 2));
      expect(after.published.map(({ alg, signsFrom }) => [alg, signsFrom.getTime() <= clock.nowMs()]).sort()).toEqual([
        ['ES256', true],
        ['PS256', true],
      ]);
      expect(after.published.filter(({ kid }) => before.includes(kid))).toEqual([]);
    });

    it('two processes that start, or rotate, at once agree on one key of each algorithm', async () => {
      const key = randomBytes(32);
      const [one, two] = await Promise.all([open(key), open(key)]);
      expect(await prisma.signingKey.count()).toBe(2);
      await Promise.all([one.rotate(), two.rotate()]);
      expect(await prisma.signingKey.count()).toBe(4);
      await Promise.all([one.load(), two.load()]);
      expect(one.privateJwks()).toEqual(two.privateJwks());
    });
  });
});
