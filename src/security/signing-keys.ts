import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose';
import type { Clock } from '../clock/clock.js';
import { BootError } from '../config/boot-error.js';
import { tokenAlgorithms, type TokenAlgorithm } from '../config/config.js';
import { CachedRows } from '../persistence/cached-rows.js';
import { openBytes, sealBytes } from '../open-banking/sealed-bytes.js';
import type { SigningKeyStore, StoredSigningKey } from './signing-key.store.js';

/** The time between publication and first use of a key. By then every process and every cache of our key set has it. */
const publishedBeforeMs = 5 * 60_000;
/** Longer than the lifetime of any token that a key signs. */
const publishedAfterMs = 2 * 60 * 60_000;
/** All keys are read and kept in one entry. */
const allKeys = 'all';

/**
 * The keys that sign tokens, the same for all processes. For each algorithm the newest key signs whose time has come, so a
 * rotation needs no agreement between processes: see {@link rotate}.
 */
export class SigningKeys {
  private keys: readonly StoredSigningKey[] = [];
  private verify: JWTVerifyGetKey | undefined;
  private readonly cache: CachedRows<readonly StoredSigningKey[]>;
  private signing = '';
  private readonly listeners: (() => void)[] = [];

  private constructor(
    private readonly store: SigningKeyStore,
    private readonly encryptionKey: Buffer,
    private readonly clock: Clock,
  ) {
    this.cache = new CachedRows(() => store.published(new Date(clock.nowMs())));
  }

  /** Loads the keys, and makes the first ones. @throws BootError when they cannot be unsealed. */
  static async open(store: SigningKeyStore, encryptionKey: Buffer, clock: Clock): Promise<SigningKeys> {
    const keys = new SigningKeys(store, encryptionKey, clock);
    await keys.load();
    for (const alg of tokenAlgorithms) if (!keys.keys.some((key) => key.alg === alg)) await keys.add(alg, 0);
    await keys.load();
    try {
      keys.privateJwks();
    } catch {
      throw new BootError(
        'the signing keys in the database were sealed with another KEY_ENCRYPTION_KEY: set the previous one',
      );
    }
    return keys;
  }

  /** Called when the published key set or the key that signs changes. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /**
   * Gives every algorithm a new key. It is published at once and signs some minutes later; its predecessor stays published
   * until all tokens that it signed have expired. So no request fails at any process. An algorithm whose next key already
   * waits, from another process for example, gets no further key.
   */
  async rotate(): Promise<void> {
    await this.load();
    const now = new Date(this.clock.nowMs());
    for (const alg of tokenAlgorithms)
      if (!this.keys.some((key) => key.alg === alg && key.signsFrom > now)) await this.add(alg, publishedBeforeMs);
    await this.load();
  }

  async rotateWhenOlderThan(ageMs: number): Promise<void> {
    const newestMs = Math.max(...this.keys.map(({ signsFrom }) => signsFrom.getTime()));
    if (this.clock.nowMs() - newestMs > ageMs) await this.rotate();
  }

  /** Takes over the changes that this process, the others and the time have made up to now. */
  load(): Promise<void> {
    this.cache.forget(allKeys);
    return this.refresh();
  }

  /** Takes over the changes up to a second ago, before each use of the keys. */
  async refresh(): Promise<void> {
    const published = await this.cache.find(allKeys, () => true);
    const order = inOrderOfSigning(published ?? [], new Date(this.clock.nowMs()));
    const signing = order.map(({ kid }) => kid).join();
    if (signing === this.signing) return;
    this.keys = order;
    this.signing = signing;
    this.verify = order.length === 0 ? undefined : createLocalJWKSet({ keys: order.map(({ publicJwk }) => publicJwk) });
    for (const listener of this.listeners) listener();
  }

  /** The keys that sign come first; see {@link rotate}. */
  get published(): readonly StoredSigningKey[] {
    return this.keys;
  }

  sweep(): Promise<void> {
    return this.store.sweep(new Date(this.clock.nowMs()));
  }

  /** The private keys. For each algorithm the key that signs comes first. */
  privateJwks(): { keys: JWK[] } {
    return {
      keys: this.keys.map(
        ({ kid, sealedPrivate }) =>
          JSON.parse(openBytes(this.encryptionKey, kid, Buffer.from(sealedPrivate, 'base64'))) as JWK,
      ),
    };
  }

  /** Resolves when there is a key by which tokens can be verified. */
  readonly present = async (): Promise<void> => {
    if (this.verify === undefined) await this.load();
    if (this.verify === undefined) throw new Error('there is no signing key');
  };

  /**
   * Finds the public key of a token of any of our processes. A key that was made in the last second does not sign yet.
   */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    await this.refresh();
    if (this.verify === undefined) throw new Error('there is no signing key');
    return this.verify(header, token);
  };

  private async add(alg: TokenAlgorithm, delayMs: number): Promise<void> {
    const generation = 1 + Math.max(0, ...this.keys.filter((key) => key.alg === alg).map((key) => key.generation));
    const pair = await generateKeyPair(alg, { extractable: true, modulusLength: 2_048 });
    const privateJwk = { ...(await exportJWK(pair.privateKey)), alg, use: 'sig' };
    const kid = await calculateJwkThumbprint(privateJwk);
    const publicJwk = { ...(await exportJWK(pair.publicKey)), alg, use: 'sig', kid };
    const signsFromMs = this.clock.nowMs() + delayMs;
    const sealedPrivate = sealBytes(this.encryptionKey, kid, JSON.stringify({ ...privateJwk, kid })).toString('base64');
    const key = { kid, alg, generation, publicJwk, sealedPrivate, signsFrom: new Date(signsFromMs) };
    // If another process was first, its key serves as well.
    await this.store.succeed(key, new Date(signsFromMs + publishedAfterMs));
  }
}

/** First the keys whose time has come, newest first, then the keys that wait: these are published and do not sign. */
function inOrderOfSigning(keys: readonly StoredSigningKey[], now: Date): readonly StoredSigningKey[] {
  const newestFirst = [...keys].sort((a, b) => b.generation - a.generation);
  const ready = newestFirst.filter(({ signsFrom }) => signsFrom <= now);
  return [...ready, ...newestFirst.filter((key) => !ready.includes(key))];
}
