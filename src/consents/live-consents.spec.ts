import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PublicIds } from '../open-banking/public-ids.js';
import type { Consent } from './consent.js';
import { LiveConsents, type LiveConsent } from './live-consents.js';
import { tppId } from '../open-banking/tpp-id.js';
import { pseudonymOfAccount, pseudonymOfCustomer, Pseudonyms } from '../trail/pseudonyms.js';

const now = new Date('2026-06-15T12:00:00Z');

/** The rows of the database. It counts its reads. */
class WatchedStore {
  readonly rows = new Map<string, Consent>();
  reads = 0;

  find(consentId: string): Promise<Consent | undefined> {
    this.reads++;
    return Promise.resolve(this.rows.get(consentId));
  }

  change(consentId: string, change: Partial<Consent>): void {
    const before = this.rows.get(consentId);
    if (before !== undefined) this.rows.set(consentId, { ...before, ...change });
  }
}

describe('live consents', () => {
  const tpp = tppId('https://as.example', 'tpp');
  let store: WatchedStore;
  let live: LiveConsents;
  let nowMs: number;
  let time: { mockRestore(): void };
  const givesGrant = ({ consent }: LiveConsent): boolean => consent.status === 'authorised';
  const status = async (consentId = 'c1'): Promise<string | undefined> =>
    (await live.find(consentId, givesGrant))?.consent.status;

  const awaiting: Omit<Consent, 'consentId'> = {
    tpp,
    kind: 'account-access',
    permissions: ['ReadAccountsBasic'],
    status: 'awaiting',
    createdAt: now,
    createdIn: 'v3.1',
    statusUpdatedAt: now,
    transactionsFrom: { text: '', atMs: 5 },
  };

  beforeEach(() => {
    nowMs = 100_000;
    time = jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    store = new WatchedStore();
    live = new LiveConsents(store, new PublicIds('key'), new Pseudonyms('key'));
    for (const consentId of ['c1', 'c2'])
      store.rows.set(consentId, {
        ...awaiting,
        consentId,
        status: 'authorised',
        authorisation: {
          customerRef: 'C1',
          displayName: 'Ann',
          accounts: [{ ref: 'A1', product: 'Savings' }],
          lastAuthenticatedAt: now,
          authorisationId: `${consentId}-authorisation`,
        },
      });
  });

  afterEach(() => {
    time.mockRestore();
  });

  it('are read once in a second', async () => {
    expect([await status(), await status(), store.reads]).toEqual(['authorised', 'authorised', 1]);
    nowMs += 1_000;
    expect([await status(), store.reads]).toEqual(['authorised', 2]);
  });

  it('carry the facts that the guards need', async () => {
    const grant = (await live.find('c1', givesGrant))?.grant;
    expect(grant).toEqual({
      consentId: 'c1',
      createdIn: 'v3.1',
      customerRef: 'C1',
      pseudonym: pseudonymOfCustomer('key', 'C1'),
      displayName: 'Ann',
      kind: 'account-access',
      permissions: new Set(['ReadAccountsBasic']),
      accounts: new Map([
        [expect.any(String), { ref: 'A1', product: 'Savings', pseudonym: pseudonymOfAccount('key', undefined, 'A1') }],
      ]),
      history: { fromMs: 5 },
      lastAuthenticatedAtMs: now.getTime(),
    });
  });

  it('that another process revokes permit nothing one second later', async () => {
    await status();
    store.change('c1', { status: 'cancelled' });
    nowMs += 749;
    expect([await status(), store.reads]).toEqual(['authorised', 1]);
    // In the last quarter of its second the row is read again, and serves this request.
    nowMs += 250;
    expect([await status(), store.reads]).toEqual(['authorised', 2]);
    nowMs += 1;
    // Before a refusal the row is read once more.
    expect([await status(), store.reads]).toEqual(['cancelled', 3]);
  });

  it('that another process authorises permit at once', async () => {
    store.rows.set('c3', { ...awaiting, consentId: 'c3' });
    expect(await status('c3')).toBe('awaiting');
    const authorisation = { customerRef: 'C1', accounts: [], lastAuthenticatedAt: now };
    store.change('c3', { status: 'authorised', authorisation });
    expect(await status('c3')).toBe('authorised');
  });

  it.each<[string, () => void]>([
    ['one consent', () => live.forget('c1')],
    ['all consents of its TPP', () => live.forgetAllOf(tpp.key)],
    ['its authorisation', () => live.forgetAuthorisation('c1-authorisation')],
  ])('are forgotten at once when this process changes %s', async (_what, forget) => {
    await status();
    store.change('c1', { status: 'cancelled' });
    forget();
    expect([await status(), store.reads]).toEqual(['cancelled', 2]);
  });

  it('that are unknown or deleted are read each time, because they may appear later', async () => {
    expect([await status('c3'), await status('c3'), store.reads]).toEqual([undefined, undefined, 2]);
    await status('c1');
    store.rows.delete('c1');
    live.forget('c1');
    expect(await status('c1')).toBeUndefined();
  });

  it('that cannot be read fail, and are read again by the next request', async () => {
    const find = store.find.bind(store);
    store.find = () => Promise.reject(new Error('unreachable'));
    await expect(status()).rejects.toThrow('unreachable');
    store.find = find;
    expect(await status()).toBe('authorised');
  });
});
