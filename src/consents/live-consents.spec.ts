import { beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryConsentStore } from '../../test/support/in-memory-consent.store.js';
import { PublicIds } from '../open-banking/public-ids.js';
import type { Consent } from './consent.js';
import { LiveConsents } from './live-consents.js';
import { tppId } from '../open-banking/tpp-id.js';

const now = new Date('2026-06-15T12:00:00Z');

/** A store that counts its reads and can hold one back. */
class WatchedStore extends InMemoryConsentStore {
  reads = 0;
  private gate: Promise<void> | undefined;

  override async find(consentId: string): Promise<Consent | undefined> {
    this.reads++;
    const found = await super.find(consentId);
    await this.gate;
    return found;
  }

  /** Every read from now on ends only when the answer is called; what it found is then old. */
  holdReads(): () => void {
    let release = (): void => undefined;
    this.gate = new Promise((resolve) => (release = resolve));
    return () => {
      this.gate = undefined;
      release();
    };
  }
}

describe('live consents', () => {
  const tpp = tppId('https://as.example', 'tpp');
  let store: WatchedStore;
  let live: LiveConsents;
  const status = async (consentId = 'c1'): Promise<string | undefined> => (await live.find(consentId))?.consent.status;

  beforeEach(async () => {
    store = new WatchedStore();
    live = new LiveConsents(store, store.changes, new PublicIds('key'));
    for (const consentId of ['c1', 'c2']) {
      await store.create({
        ...{ consentId, tpp, permissions: ['ReadAccountsBasic'], status: 'awaiting' },
        ...{ createdAt: now, statusUpdatedAt: now, transactionsFrom: { text: '', atMs: 5 } },
      });
      await store.authorise(
        consentId,
        {
          customerRef: 'C1',
          displayName: 'Ann',
          accounts: [{ ref: 'A1', product: 'Savings' }],
          lastAuthenticatedAt: now,
        },
        now,
      );
    }
    store.reads = 0;
  });

  it('are read once and then at hand', async () => {
    expect(await status()).toBe('authorised');
    expect([await status(), await status(), store.reads]).toEqual(['authorised', 'authorised', 1]);
  });

  it('carry what the guards ask of them', async () => {
    const grant = (await live.find('c1'))?.grant;
    expect(grant).toEqual({
      ...{ consentId: 'c1', customerRef: 'C1', displayName: 'Ann' },
      permissions: new Set(['ReadAccountsBasic']),
      accounts: new Map([[expect.any(String), { ref: 'A1', product: 'Savings' }]]),
      history: { fromMs: 5 },
      lastAuthenticatedAtMs: now.getTime(),
    });
  });

  it('are read anew after a change, and only those that changed', async () => {
    await status('c1');
    await status('c2');
    await store.revoke('c1', now, 'bank');
    expect([await status('c1'), await status('c2'), store.reads]).toEqual(['revoked', 'authorised', 3]);
  });

  it('are forgotten at once when this process says so, without hearing of it', async () => {
    await status();
    live.forget('c1');
    expect([await status(), store.reads]).toEqual(['authorised', 2]);
  });

  it('that are unknown, or deleted, are asked for each time: they may come to be', async () => {
    expect([await status('c3'), await status('c3'), store.reads]).toEqual([undefined, undefined, 2]);
    await status('c1');
    await store.delete('c1', tpp, now);
    expect(await status('c1')).toBeUndefined();
  });

  it('are asked of the store each time while changes cannot be heard', async () => {
    await status();
    store.changes.setTrusted(false);
    await store.revoke('c1', now, 'bank');
    expect([await status(), await status(), store.reads]).toEqual(['revoked', 'revoked', 3]);
  });

  it('are kept again when changes can be heard, nothing of before among them', async () => {
    await status();
    store.changes.setTrusted(false);
    await store.revoke('c1', now, 'bank');
    store.changes.setTrusted(true);
    expect([await status(), await status(), store.reads]).toEqual(['revoked', 'revoked', 2]);
  });

  it.each<[string, (changed: WatchedStore) => unknown]>([
    ['of the consent', (changed) => changed.revoke('c1', now, 'bank')],
    ['that this process made', () => live.forget('c1')],
    [
      'of whether changes are heard',
      (changed) => (changed.changes.setTrusted(false), changed.changes.setTrusted(true)),
    ],
  ])('read before a change %s are not kept after it', async (_name, change) => {
    const release = store.holdReads();
    const reading = live.find('c1');
    await change(store);
    release();
    await reading;
    store.reads = 0;
    await status();
    expect(store.reads).toBe(1);
  });

  it('read while changes are not heard are not kept when they are heard again', async () => {
    store.changes.setTrusted(false);
    const release = store.holdReads();
    const reading = live.find('c1');
    store.changes.setTrusted(true);
    release();
    await reading;
    store.reads = 0;
    await status();
    expect(store.reads).toBe(1);
  });

  it('that cannot be read fail, and are tried anew', async () => {
    const failing = new WatchedStore();
    const find = failing.find.bind(failing);
    failing.find = () => Promise.reject(new Error('away'));
    const consents = new LiveConsents(failing, failing.changes, new PublicIds('key'));
    await expect(consents.find('c1')).rejects.toThrow('away');
    failing.find = find;
    expect(await consents.find('c1')).toBeUndefined();
  });
});
