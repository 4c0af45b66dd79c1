import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Authorisation, Consent } from '../../src/consents/consent.js';
import { storedStatuses, type StoredStatus } from '../../src/open-banking/consent-state.js';
import { ConsentStore } from '../../src/consents/consent.store.js';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import type { FreshDatabase } from '../support/fresh-database.js';
import { freshPglite, freshPostgres, postgresUrl } from '../support/fresh-database.js';
import { tppNamed } from '../support/tpp-named.js';

interface Backend {
  readonly store: ConsentStore;
  close(): Promise<void>;
}

async function onDatabase(database: FreshDatabase): Promise<Backend> {
  const prisma = await PrismaService.open(database.config);
  return {
    store: new ConsentStore(prisma),
    close: async () => {
      await prisma.onApplicationShutdown();
      await database.drop();
    },
  };
}

const backends: [name: string, open: () => Promise<Backend>][] = [
  ['PGlite', async () => onDatabase(await freshPglite())],
];
if (postgresUrl !== undefined) {
  const url = postgresUrl;
  backends.push(['PostgreSQL', async () => onDatabase(await freshPostgres(url))]);
}

const createdAt = new Date('2026-03-01T10:00:00.123Z');
const now = new Date('2026-03-01T10:05:00.456Z');
const later = new Date('2026-03-01T11:00:00.789Z');

const authorisation: Authorisation = {
  customerRef: 'customer-1',
  displayName: 'Zoë Łukasz 李',
  accounts: [
    { ref: 'core/0001', product: 'CurrentAccount' },
    { ref: 'core/0002', product: 'CreditCard', core: 'cards', customerRef: 'customer-at-cards' },
  ],
  lastAuthenticatedAt: new Date('2026-03-01T10:04:59.999Z'),
};

function newConsent(over: Partial<Consent> = {}): Consent {
  const consentId = randomUUID();
  return {
    consentId,
    tpp: tppNamed('tpp-1'),
    kind: 'account-access',
    permissions: ['ReadAccountsBasic', 'ReadBalances'],
    status: 'awaiting',
    createdAt,
    createdIn: 'v3.1',
    statusUpdatedAt: createdAt,
    ...over,
  };
}

const forFunds: Partial<Consent> = {
  kind: 'funds-confirmation',
  permissions: [],
  debtor: {
    schemeName: 'UK.OBIE.SortCodeAccountNumber',
    identification: '04000410010117',
    name: 'Zoë Łukasz 李',
    secondaryIdentification: 'roll 7',
    proxy: { identification: '+44 7700 900000', code: 'MBNO' },
  },
  debtorAccount: { ref: 'core/0002', product: 'CurrentAccount', core: 'cards' },
};

/** A page that is long enough for all. */
const whole = { limit: 1_000 };

/** The answer to a change of an absent consent, or of one whose guard did not hold. */
const refused = undefined;

describe.each(backends)('The consent store on %s', (_name, open) => {
  let backend: Backend;
  let store: ConsentStore;

  beforeAll(async () => {
    backend = await open();
    store = backend.store;
  });

  afterAll(() => backend.close());

  async function stored(
    status: StoredStatus,
    over: Partial<Consent> = {},
    customerRef = 'customer-1',
  ): Promise<string> {
    const consent = newConsent(over);
    const { consentId } = consent;
    await store.create(consent);
    if (status === 'rejected') await store.reject(consentId, now);
    if (status === 'authorised' || status === 'cancelled') {
      await store.authorise(consentId, { ...authorisation, customerRef }, now);
    }
    if (status === 'cancelled') await store.cancel(consentId, now, 'bank-withdrew');
    expect((await store.find(consentId))?.status).toBe(status);
    return consentId;
  }

  async function deleted(status: StoredStatus): Promise<string> {
    const consentId = await stored(status);
    expect(await store.delete(consentId, tppNamed('tpp-1'), now)).toBe(true);
    return consentId;
  }

  describe('the authorisations of a consent', () => {
    const given = { ...authorisation, authorisationId: 'first' };

    /** Authorised with an authorisation, and a second authorisation approved. */
    async function reapproved(): Promise<{ consentId: string; first: string; second: string }> {
      const consent = newConsent();
      const { consentId } = consent;
      const [first, second] = [`${consentId}-1`, `${consentId}-2`];
      await store.create(consent);
      await store.authorise(consentId, { ...given, authorisationId: first }, now);
      await store.reauthenticate(consentId, 'customer-1', later, later, second);
      return { consentId, first, second };
    }

    const ids = async (consentId: string): Promise<unknown> => {
      const { authorisationId, nextAuthorisationId } = (await store.find(consentId))?.authorisation ?? {};
      return [authorisationId, nextAuthorisationId];
    };

    it('the first is current at once, and a later one waits until it begins', async () => {
      const { consentId, first, second } = await reapproved();
      expect(await ids(consentId)).toEqual([first, second]);
      expect((await store.beginAuthorisation(consentId, second, later))?.authorisation?.authorisationId).toBe(second);
      expect(await ids(consentId)).toEqual([second, undefined]);
    });

    it('one that is current begins again without a change, and one that was replaced never begins', async () => {
      const { consentId, first, second } = await reapproved();
      expect(await store.beginAuthorisation(consentId, first, later)).toBeDefined();
      await store.beginAuthorisation(consentId, second, later);
      expect(await store.beginAuthorisation(consentId, first, later)).toBe(refused);
      expect(await store.beginAuthorisation(consentId, 'unknown', later)).toBe(refused);
    });

    it('a later approval replaces one that has not begun', async () => {
      const { consentId, first, second } = await reapproved();
      await store.reauthenticate(consentId, 'customer-1', later, later, `${consentId}-3`);
      expect(await store.beginAuthorisation(consentId, second, later)).toBe(refused);
      expect(await ids(consentId)).toEqual([first, `${consentId}-3`]);
    });

    it('a re-authentication that the bank reports leaves them alone', async () => {
      const { consentId, first, second } = await reapproved();
      await store.reauthenticate(consentId, 'customer-1', later, later);
      expect(await ids(consentId)).toEqual([first, second]);
    });

    it('one that was ended is neither current nor next any more, and the consent stays', async () => {
      const { consentId, first, second } = await reapproved();
      await store.endAuthorisation(first);
      expect(await ids(consentId)).toEqual([undefined, second]);
      await store.endAuthorisation(second);
      expect(await ids(consentId)).toEqual([undefined, undefined]);
      expect(await store.beginAuthorisation(consentId, second, later)).toBe(refused);
      expect((await store.find(consentId))?.status).toBe('authorised');
    });

    it('cannot begin on a consent that was revoked, was deleted or has expired', async () => {
      const revoked = await reapproved();
      await store.cancel(revoked.consentId, later, 'bank-withdrew');
      const gone = await reapproved();
      await store.delete(gone.consentId, tppNamed('tpp-1'), later);
      for (const { consentId, first, second } of [revoked, gone])
        for (const id of [first, second]) expect(await store.beginAuthorisation(consentId, id, later)).toBe(refused);
      const expiring = newConsent({ expires: { text: later.toISOString(), atMs: later.getTime() } });
      await store.create(expiring);
      await store.authorise(expiring.consentId, { ...given, authorisationId: expiring.consentId }, now);
      expect(await store.beginAuthorisation(expiring.consentId, expiring.consentId, later)).toBe(refused);
    });
  });

  describe('keeps a consent', () => {
    it('exactly as it was created, with the zone and wording of each stated date-time', async () => {
      const consent = newConsent({
        expires: { text: '2027-01-01T00:00:00.5+05:30', atMs: Date.parse('2027-01-01T00:00:00.500+05:30') },
        transactionsFrom: { text: '2020-02-29T23:59:59-11:00', atMs: Date.parse('2020-02-29T23:59:59-11:00') },
        transactionsTo: { text: '2025-06-01T12:00:00Z', atMs: Date.parse('2025-06-01T12:00:00Z') },
      });
      await store.create(consent);
      expect(await store.find(consent.consentId)).toStrictEqual(consent);
    });

    it('with absent members still absent', async () => {
      const consent = newConsent();
      await store.create(consent);
      expect(await store.find(consent.consentId)).toStrictEqual(consent);
    });

    it('whose dates are the first and the last possible date-time', async () => {
      const consent = newConsent({
        transactionsFrom: { text: '0000-01-01T00:00:00+14:00', atMs: Date.parse('0000-01-01T00:00:00+14:00') },
        expires: { text: '9999-12-31T23:59:59-12:00', atMs: Date.parse('9999-12-31T23:59:59-12:00') },
      });
      await store.create(consent);
      expect(await store.find(consent.consentId)).toStrictEqual(consent);
    });

    it('with its authorisation, to the millisecond', async () => {
      const consent = newConsent();
      await store.create(consent);
      const expected = { ...consent, status: 'authorised', statusUpdatedAt: now, authorisedAt: now, authorisation };
      expect(await store.authorise(consent.consentId, authorisation, now)).toStrictEqual(expected);
      expect(await store.find(consent.consentId)).toStrictEqual(expected);
    });

    it('authorised without a display name and without accounts', async () => {
      const consentId = await stored('awaiting');
      const bare = { customerRef: 'customer-1', accounts: [], lastAuthenticatedAt: now };
      expect((await store.authorise(consentId, bare, now))?.authorisation).toStrictEqual(bare);
    });

    it('for confirmation of funds, with the account as its TPP named it', async () => {
      const consent = newConsent(forFunds);
      await store.create(consent);
      expect(await store.find(consent.consentId)).toStrictEqual(consent);
    });

    it.each<[string, Partial<Consent>]>([
      ['for account access without a permission', { permissions: [] }],
      [
        'for account access with an account of the TPP',
        { ...forFunds, kind: 'account-access', permissions: ['ReadBalances'] },
      ],
      ['for confirmation of funds with a permission', { ...forFunds, permissions: ['ReadBalances'] }],
      ['for confirmation of funds without an account', { kind: 'funds-confirmation', permissions: [] }],
    ])('but none %s', async (_what, terms) => {
      await expect(store.create(newConsent(terms))).rejects.toThrow();
    });

    it('only once under one id', async () => {
      const consent = newConsent();
      await store.create(consent);
      await expect(store.create(consent)).rejects.toThrow();
    });
  });

  describe('moves a consent between its statuses', () => {
    const transitions: [
      name: string,
      from: StoredStatus,
      to: StoredStatus,
      move: (id: string) => Promise<Consent | undefined>,
    ][] = [
      ['authorise', 'awaiting', 'authorised', (id) => store.authorise(id, authorisation, later)],
      ['reject', 'awaiting', 'rejected', (id) => store.reject(id, later)],
      ['cancel', 'authorised', 'cancelled', (id) => store.cancel(id, later, 'bank-withdrew')],
    ];

    it.each(['customer-withdrew', 'bank-withdrew', 'fraud'] as const)('and remembers the reason %s', async (reason) => {
      const consentId = await stored('authorised');
      expect((await store.cancel(consentId, later, reason))?.reason).toBe(reason);
      expect((await store.find(consentId))?.reason).toBe(reason);
    });

    describe.each(transitions)('%s', (_transition, from, to, move) => {
      it.each(storedStatuses)('from %s', async (status) => {
        const consentId = await stored(status);
        const before = await store.find(consentId);
        const moved = await move(consentId);
        if (status === from) {
          expect(moved).toMatchObject({ status: to, statusUpdatedAt: later });
          expect(await store.find(consentId)).toStrictEqual(moved);
        } else {
          expect(moved).toBe(refused);
          expect(await store.find(consentId)).toStrictEqual(before);
        }
      });

      it('not when its TPP has deleted it', async () => {
        expect(await move(await deleted(from))).toBe(refused);
      });

      it('not when it is unknown', async () => {
        expect(await move(randomUUID())).toBe(refused);
      });
    });

    it('keeps the authorisation of a cancelled consent', async () => {
      expect((await store.find(await stored('cancelled')))?.authorisation).toStrictEqual(authorisation);
    });

    it('authorises no consent that has expired, and one that expires a millisecond later', async () => {
      const expires = { text: 'as stated', atMs: now.getTime() };
      const consentId = await stored('awaiting', { expires });
      expect(await store.authorise(consentId, authorisation, now)).toBe(refused);
      expect((await store.authorise(consentId, authorisation, new Date(now.getTime() - 1)))?.status).toBe('authorised');
    });

    it('rejects and cancels consents that have expired', async () => {
      const expires = { text: 'as stated', atMs: now.getTime() };
      const awaiting = await stored('awaiting', { expires });
      expect((await store.reject(awaiting, later))?.status).toBe('rejected');
      const authorised = newConsent({ expires });
      await store.create(authorised);
      await store.authorise(authorised.consentId, authorisation, createdAt);
      expect((await store.cancel(authorised.consentId, later, 'bank-withdrew'))?.status).toBe('cancelled');
    });
  });

  describe('cancels a consent', () => {
    it('which then has no current and no next authorisation', async () => {
      const consent = newConsent();
      const { consentId } = consent;
      await store.create(consent);
      await store.authorise(consentId, { ...authorisation, authorisationId: `${consentId}-1` }, now);
      await store.reauthenticate(consentId, 'customer-1', now, now, `${consentId}-2`);
      const ended = await store.cancel(consentId, later, 'customer-withdrew');
      expect(ended).toStrictEqual({
        ...consent,
        status: 'cancelled',
        reason: 'customer-withdrew',
        statusUpdatedAt: later,
        authorisedAt: now,
        authorisation: { ...authorisation, lastAuthenticatedAt: now },
      });
      expect(await store.find(consentId)).toStrictEqual(ended);
      for (const id of [`${consentId}-1`, `${consentId}-2`])
        expect(await store.beginAuthorisation(consentId, id, later)).toBe(refused);
    });

    it('once, also when ten processes try at once', async () => {
      const consentId = await stored('authorised');
      const results = await Promise.all(
        Array.from({ length: 10 }, () => store.cancel(consentId, later, 'bank-withdrew')),
      );
      expect(results.filter((result) => result !== refused)).toHaveLength(1);
    });

    it('until the customer authenticates again, later than its end', async () => {
      const consentId = await stored('authorised');
      await store.cancel(consentId, later, 'customer-withdrew');
      const muchLater = new Date(later.getTime() + 60_000);
      expect(await store.reauthenticate(consentId, 'customer-1', later, muchLater, `${consentId}-3`)).toBe(refused);
      expect(await store.reauthenticate(consentId, 'customer-2', muchLater, muchLater)).toBe(refused);
      const after = new Date(later.getTime() + 1);
      const given = await store.reauthenticate(consentId, 'customer-1', after, muchLater, `${consentId}-3`);
      expect(given).toMatchObject({ status: 'authorised', statusUpdatedAt: muchLater, authorisedAt: now });
      expect([given?.reason, given?.authorisation?.lastAuthenticatedAt]).toEqual([undefined, after]);
      expect(await store.beginAuthorisation(consentId, `${consentId}-3`, muchLater)).toBeDefined();
    });
  });

  it('never gives a withdrawn confirmation of funds again', async () => {
    const consentId = await stored('cancelled', forFunds);
    expect(await store.reauthenticate(consentId, 'customer-1', later, later)).toBe(refused);
    expect((await store.find(consentId))?.status).toBe('cancelled');
  });

  describe('records a later authentication', () => {
    const at = (consent: Consent | undefined): Date | undefined => consent?.authorisation?.lastAuthenticatedAt;

    it('and changes nothing else', async () => {
      const consentId = await stored('authorised');
      const before = await store.find(consentId);
      const after = await store.reauthenticate(consentId, 'customer-1', later, later);
      expect(after).toStrictEqual({ ...before, authorisation: { ...authorisation, lastAuthenticatedAt: later } });
      expect(await store.find(consentId)).toStrictEqual(after);
    });

    it('without ever moving the time backwards', async () => {
      const consentId = await stored('authorised');
      expect(at(await store.reauthenticate(consentId, 'customer-1', createdAt, later))).toEqual(
        authorisation.lastAuthenticatedAt,
      );
    });

    it('as the latest of many that arrive at once', async () => {
      const consentId = await stored('authorised');
      const times = [5, 9, 1, 8, 2, 7, 3, 6, 4, 0].map((second) => new Date(later.getTime() + second * 1000));
      await Promise.all(times.map((time) => store.reauthenticate(consentId, 'customer-1', time, later)));
      expect(at(await store.find(consentId))).toEqual(new Date(later.getTime() + 9000));
    });

    it('but not for another customer', async () => {
      const consentId = await stored('authorised');
      expect(await store.reauthenticate(consentId, 'customer-2', later, later)).toBe(refused);
      expect(at(await store.find(consentId))).toEqual(authorisation.lastAuthenticatedAt);
    });

    it('but not once the consent has expired', async () => {
      const consentId = await stored('authorised', { expires: { text: 'as stated', atMs: later.getTime() } });
      expect(await store.reauthenticate(consentId, 'customer-1', later, later)).toBe(refused);
      expect(await store.reauthenticate(consentId, 'customer-1', later, new Date(later.getTime() - 1))).toBeDefined();
    });

    it.each(['awaiting', 'rejected'] as const)('but not while it is %s', async (status) => {
      expect(await store.reauthenticate(await stored(status), 'customer-1', later, later)).toBe(refused);
    });

    it('but not on a deleted or unknown one', async () => {
      expect(await store.reauthenticate(await deleted('authorised'), 'customer-1', later, later)).toBe(refused);
      expect(await store.reauthenticate(randomUUID(), 'customer-1', later, later)).toBe(refused);
    });
  });

  describe('deletes a consent', () => {
    it.each(storedStatuses)('that is %s, once, and never finds it again', async (status) => {
      const consentId = await deleted(status);
      expect(await store.find(consentId)).toBeUndefined();
      expect(await store.delete(consentId, tppNamed('tpp-1'), now)).toBe(false);
    });

    it('only for the TPP that created it', async () => {
      const consentId = await stored('authorised');
      for (const other of [tppNamed('tpp-2'), tppNamed('tpp-1', 'https://other.example')])
        expect(await store.delete(consentId, other, now)).toBe(false);
      expect(await store.find(consentId)).toBeDefined();
    });

    it('without freeing its id', async () => {
      const consentId = await deleted('authorised');
      await expect(store.create(newConsent({ consentId }))).rejects.toThrow();
    });
  });

  it('lists the consents that a customer ever authorised and no TPP deleted, newest first', async () => {
    const customer = `customer-${randomUUID()}`;
    const on = (day: number) => ({ createdAt: new Date(Date.UTC(2026, 0, day)) });
    const second = await stored('authorised', on(2), customer);
    const third = await stored('cancelled', on(3), customer);
    const first = await stored('authorised', { ...on(1), tpp: tppNamed('tpp-2') }, customer);
    await store.delete(await stored('authorised', on(4), customer), tppNamed('tpp-1'), now);
    await stored('authorised', on(5), `${customer}-other`);
    const listed = await store.listForCustomer(customer, whole);
    expect(listed.map(({ consentId }) => consentId)).toEqual([third, second, first]);
    expect(await store.listForCustomer('nobody', whole)).toEqual([]);
  });

  it('lists all consents that a customer gave or refused, deleted or not, newest first', async () => {
    const customer = `customer-${randomUUID()}`;
    const on = (day: number) => ({ createdAt: new Date(Date.UTC(2026, 0, day)) });
    const revoked = await stored('cancelled', on(2), customer);
    const gone = await stored('authorised', on(4), customer);
    await store.delete(gone, tppNamed('tpp-1'), later);
    const given = await stored('authorised', on(1), customer);
    const refusedByThem = await stored('awaiting', on(3));
    await store.reject(refusedByThem, later, customer);
    const refusedBySomebody = await stored('awaiting', on(5));
    await store.reject(refusedBySomebody, later);
    await stored('authorised', on(6), `${customer}-other`);
    const [current, past] = await Promise.all(
      (['current', 'past'] as const).map((part) => store.historyOfCustomer(customer, part, later, whole)),
    );
    expect(current?.map(({ consent }) => consent.consentId)).toEqual([given]);
    const history = [...(past ?? []), ...(current ?? [])];
    expect(history.map(({ consent, ...more }) => [consent.consentId, more])).toEqual([
      [gone, { deletedAt: later }],
      [refusedByThem, {}],
      [revoked, {}],
      [given, {}],
    ]);
    expect(history.slice(1).map(({ consent }) => consent)).toStrictEqual([
      await store.find(refusedByThem),
      await store.find(revoked),
      await store.find(given),
    ]);
    expect(await store.historyOfCustomer('a\0b', 'past', later, whole)).toEqual([]);
    for (const { consent, ...more } of history)
      expect(await store.findOfCustomer(customer, consent.consentId)).toStrictEqual({ consent, ...more });
    expect(await store.findOfCustomer(`${customer}-other`, given)).toBeUndefined();
    expect(await store.findOfCustomer(customer, 'unknown')).toBeUndefined();
  });

  it('lists pages that do not move when consents with any times are added', async () => {
    const customer = `customer-${randomUUID()}`;
    const at = (second: number) => ({ createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, second)) });
    // Five of the same moment among nine, so that a page ends between two of them.
    for (const second of [1, 2, 3, 3, 3, 3, 3, 4, 5]) await stored('authorised', at(second), customer);
    const all = (await store.listForCustomer(customer, whole)).map(({ consentId }) => consentId);
    const seen: string[] = [];
    let after: Consent | undefined;
    for (let pages = 0; pages < 3; pages++) {
      const page = await store.listForCustomer(customer, { limit: 3, ...(after && { after }) });
      seen.push(...page.map(({ consentId }) => consentId));
      after = page.at(-1);
      await stored('authorised', at(10 + pages), customer);
    }
    expect(seen).toEqual(all);
    expect(await store.listForCustomer(customer, { limit: 3, ...(after && { after }) })).toEqual([]);
    const current = await store.historyOfCustomer(customer, 'current', later, { limit: 4 });
    expect(current.map(({ consent }) => consent.createdAt.getUTCSeconds())).toEqual([12, 11, 10, 5]);
  });

  it('lists an access among the current ones until the millisecond in which it expires', async () => {
    const customer = `customer-${randomUUID()}`;
    await stored('authorised', { expires: { text: 'as stated', atMs: later.getTime() } }, customer);
    const ended = await stored('authorised', {}, customer);
    await store.cancel(ended, later, 'customer-withdrew');
    const count = async (part: 'current' | 'past', atMs: number) =>
      (await store.historyOfCustomer(customer, part, new Date(atMs), whole)).length;
    expect([await count('current', later.getTime() - 1), await count('past', later.getTime() - 1)]).toEqual([1, 1]);
    expect([await count('current', later.getTime()), await count('past', later.getTime())]).toEqual([0, 2]);
  });

  it('finds no consent under an id that no database can store', async () => {
    const impossible = 'a\0b';
    expect(await store.find(impossible)).toBeUndefined();
    expect(await store.cancel(impossible, now, 'bank-withdrew')).toBe(refused);
    expect(await store.reauthenticate(impossible, impossible, now, now)).toBe(refused);
    expect(await store.delete(impossible, tppNamed(impossible), now)).toBe(false);
    expect(await store.listForCustomer(impossible, whole)).toEqual([]);
  });

  describe('lets exactly one win', () => {
    const won = (results: readonly unknown[]): number =>
      results.filter((result) => result !== undefined && result !== false).length;

    it('of ten concurrent authorisations', async () => {
      const consentId = await stored('awaiting');
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          store.authorise(consentId, { ...authorisation, customerRef: `customer-${i}` }, now),
        ),
      );
      expect(won(results)).toBe(1);
      expect(await store.find(consentId)).toStrictEqual(results.find((result) => result !== undefined));
    });

    it('of an authorisation and a rejection', async () => {
      const consentId = await stored('awaiting');
      const results = await Promise.all([
        store.authorise(consentId, authorisation, now),
        store.reject(consentId, now),
        store.authorise(consentId, authorisation, now),
        store.reject(consentId, now),
      ]);
      expect(won(results)).toBe(1);
      expect(await store.find(consentId)).toStrictEqual(results.find((result) => result !== undefined));
    });

    it('of many deletions, while an authorisation or a revocation comes before them or not at all', async () => {
      for (const status of ['awaiting', 'authorised'] as const) {
        const consentId = await stored(status);
        const [, ...deletions] = await Promise.all([
          status === 'authorised'
            ? store.cancel(consentId, now, 'bank-withdrew')
            : store.authorise(consentId, authorisation, now),
          ...Array.from({ length: 5 }, () => store.delete(consentId, tppNamed('tpp-1'), now)),
        ]);
        expect(won(deletions)).toBe(1);
        expect(await store.find(consentId)).toBeUndefined();
      }
    });
  });
});
