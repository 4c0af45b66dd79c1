import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose';
import type { Clock } from '../../clock/clock.js';
import { BootError } from '../../config/boot-error.js';
import { tokenAlgorithms, type TokenAlgorithm } from '../../config/config.js';
import { KeptRows } from '../../persistence/kept-rows.js';
import { open, seal } from '../sealing.js';
import type { SigningKeyStore, StoredSigningKey } from './signing-key.store.js';

/** A new key is published for so long before it signs: every process, and whoever keeps our key set, has it by then. */
const publishedBeforeMs = 5 * 60_000;
/** Longer than anything that a key signed is good for. */
const publishedAfterMs = 2 * 60 * 60_000;
/** They are read and kept as one. */
const allKeys = 'all';

/**
 * The keys with which tokens are signed, the same for all processes. The first key of an algorithm to sign is the newest
 * whose time has come, so that a rotation asks nothing of anybody: see {@link rotate}.
 */
export class SigningKeys {
  private keys: readonly StoredSigningKey[] = [];
  private verify: JWTVerifyGetKey | undefined;
  private readonly kept: KeptRows<readonly StoredSigningKey[]>;
  private signing = '';
  private readonly listeners: (() => void)[] = [];

  private constructor(
    private readonly store: SigningKeyStore,
    private readonly encryptionKey: Buffer,
    private readonly clock: Clock,
  ) {
    this.kept = new KeptRows(() => store.published(new Date(clock.nowMs())));
  }

  /** Loads the keys, making the first ones where there are none. @throws BootError when they cannot be unsealed. */
  static async open(store: SigningKeyStore, encryptionKey: Buffer, clock: Clock): Promise<SigningKeys> {
    const keys = new SigningKeys(store, encryptionKey, clock);
    await keys.load();
    for (const alg of tokenAlgorithms) if (!keys.keys.some((key) => key.alg === alg)) await keys.add(alg, 0);
    await keys.load();
    try {
      keys.privateJwks();
    } catch {
      throw new BootError(
        'the signing keys in the database were sealed with another KEY_ENCRYPTION_KEY: set the one of before',
      );
    }
    return keys;
  }

  /** Called whenever another key set is to be published or another key is to sign. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /**
   * Gives every algorithm a new key. It is published at once and signs some minutes later; its predecessor stays published
   * until nothing that it signed is good any more. So no request fails, in whatever process. An algorithm whose next key
   * waits already, by another process for example, gets none.
   */
  async rotate(): Promise<void> {
    await this.load();
    const now = new Date(this.clock.nowMs());
    for (const alg of tokenAlgorithms)
      if (!this.keys.some((key) => key.alg === alg && key.signsFrom > now)) await this.add(alg, publishedBeforeMs);
    await this.load();
  }

  /** Rotates where the newest key is older than `ageMs`. */
  async rotateWhenOlderThan(ageMs: number): Promise<void> {
    const newestMs = Math.max(...this.keys.map(({ signsFrom }) => signsFrom.getTime()));
    if (this.clock.nowMs() - newestMs > ageMs) await this.rotate();
  }

  /** Takes over the changes that this process, the others and the time have made up to now. */
  load(): Promise<void> {
    this.kept.forget(allKeys);
    return this.refresh();
  }

  /** The same up to a second ago, before each use of the keys. */
  async refresh(): Promise<void> {
    const published = await this.kept.find(allKeys, () => true);
    const order = inOrderOfSigning(published ?? [], new Date(this.clock.nowMs()));
    const signing = order.map(({ kid }) => kid).join();
    if (signing === this.signing) return;
    this.keys = order;
    this.signing = signing;
    this.verify = order.length === 0 ? undefined : createLocalJWKSet({ keys: order.map(({ publicJwk }) => publicJwk) });
    for (const listener of this.listeners) listener();
  }

  /** Those that sign first; see {@link rotate}. */
  get published(): readonly StoredSigningKey[] {
    return this.keys;
  }

  sweep(): Promise<void> {
    return this.store.sweep(new Date(this.clock.nowMs()));
  }

  /** The private keys; of each algorithm the one that signs comes first. */
  privateJwks(): { keys: JWK[] } {
    return {
      keys: this.keys.map(({ kid, sealedPrivate }) => JSON.parse(open(this.encryptionKey, kid, sealedPrivate)) as JWK),
    };
  }

  /** Resolves when there is a key by which tokens can be verified. */
  readonly present = async (): Promise<void> => {
    if (this.verify === undefined) await this.load();
    if (this.verify === undefined) throw new Error('there is no signing key');
  };

  /**
   * Finds the public key of a token of ours, whichever process signed it. A key that was made in the last second signs
   * nothing yet.
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
    const sealedPrivate = seal(this.encryptionKey, kid, JSON.stringify({ ...privateJwk, kid }));
    const key = { kid, alg, generation, publicJwk, sealedPrivate, signsFrom: new Date(signsFromMs) };
    // Where another process was first, its key is as good as ours.
    await this.store.succeed(key, new Date(signsFromMs + publishedAfterMs));
  }
}

/** Those whose time has come, newest first; then those that only wait, which are published and never chosen. */
function inOrderOfSigning(keys: readonly StoredSigningKey[], now: Date): readonly StoredSigningKey[] {
  const newestFirst = [...keys].sort((a, b) => b.generation - a.generation);
  const ready = newestFirst.filter(({ signsFrom }) => signsFrom <= now);
  return [...ready, ...newestFirst.filter((key) => !ready.includes(key))];
}
