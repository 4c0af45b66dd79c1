import { Logger } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import type { HttpService } from '@nestjs/axios';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Clock } from '../../clock/clock.js';
import { BootError } from '../../config/boot-error.js';
import type { JwtIssuerConfig } from '../../config/config.js';
import { IssuerClient } from './issuer.client.js';
import { IssuerUnreachable, type KeyFinder } from './token-issuer.js';

/** Older keys are fetched again in the background of the request that noticed their age. */
const refreshAfterMs = 5 * 60_000;
/** How long the gateway trusts the last keys of an unreachable issuer: a withdrawn key must not be trusted for ever. */
const lastGoodKeysMs = 24 * 60 * 60_000;
/** A token can name any key, so an unknown key causes at most one fetch in this time. */
const cooldownMs = 10_000;

type Key = Awaited<ReturnType<JWTVerifyGetKey>>;

/** Finds the key that signed a token. The finder rejects with {@link IssuerUnreachable} when it has no keys at all. */
export function issuerKeys(
  http: HttpService,
  config: Pick<JwtIssuerConfig, 'jwks' | 'jwksCaFile'>,
  clock: Clock,
): KeyFinder {
  if (!/^https?:\/\//i.test(config.jwks)) return keysOfFile(config.jwks);
  const client = new IssuerClient(http, config.jwksCaFile === undefined ? {} : { caFile: config.jwksCaFile });
  const keys = new RemoteKeys(async () => createLocalJWKSet((await client.get(config.jwks)) as JSONWebKeySet), clock);
  const find: JWTVerifyGetKey = (header, token) => keys.find(header, token);
  return Object.assign(find, { present: () => keys.present(), ageMs: () => keys.ageMs() });
}

function keysOfFile(file: string): JWTVerifyGetKey {
  try {
    return createLocalJWKSet(JSON.parse(readFileSync(file, 'utf8')) as JSONWebKeySet);
  } catch {
    throw new BootError(
      `the key set "${file}" (TOKEN_JWKS, DIRECTORY_JWKS, or jwks in ISSUERS_FILE) is not a readable JSON Web Key Set: name a file or an http(s) URL`,
    );
  }
}

/**
 * The last valid key set of an issuer. It stays in use while the issuer is unreachable, which jose's remote set does not
 * offer. Where it lacks a key, it asks the issuer.
 */
export class RemoteKeys {
  private readonly logger = new Logger(RemoteKeys.name);
  private keys: JWTVerifyGetKey | undefined;
  private fetchedAtMs = Number.NEGATIVE_INFINITY;
  private triedAtMs = Number.NEGATIVE_INFINITY;
  private lastTryFailed = false;
  private fetching: Promise<void> | undefined;

  constructor(
    private readonly fetchKeys: () => Promise<JWTVerifyGetKey>,
    private readonly clock: Clock,
  ) {}

  async find(...[header, token]: Parameters<JWTVerifyGetKey>): Promise<Key> {
    const ageMs = this.clock.nowMs() - this.fetchedAtMs;
    if (this.keys === undefined || ageMs >= lastGoodKeysMs) await this.refresh();
    // No request waits for this fetch. The next request uses its result; after a failure the present keys stay.
    else if (ageMs >= refreshAfterMs && !this.coolingDown())
      this.refresh().catch((error: unknown) =>
        this.logger.warn(
          'the keys of an issuer could not be renewed; the gateway uses its previous keys for at most a day',
          error,
        ),
      );
    try {
      return await this.findInMemory(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      // The issuer may have begun to sign with a new key.
      if (this.fetching !== undefined || !this.coolingDown()) await this.refresh();
      else if (this.lastTryFailed) throw new IssuerUnreachable('the key may be a new one', { cause: error });
      return this.findInMemory(header, token);
    }
  }

  /** Resolves when there are trusted keys. Asks the issuer only where there are no keys yet. */
  async present(): Promise<void> {
    if (this.keys === undefined || this.clock.nowMs() - this.fetchedAtMs >= lastGoodKeysMs) await this.refresh();
  }

  /** Milliseconds since the keys were fetched; `undefined` where none were. */
  ageMs(): number | undefined {
    return this.keys === undefined ? undefined : this.clock.nowMs() - this.fetchedAtMs;
  }

  private async findInMemory(...[header, token]: Parameters<JWTVerifyGetKey>): Promise<Key> {
    if (this.keys === undefined) throw new IssuerUnreachable('no keys have been fetched yet');
    return this.keys(header, token);
  }

  private coolingDown(): boolean {
    return this.clock.nowMs() - this.triedAtMs < cooldownMs;
  }

  /** One fetch at a time for all callers. Without keys there is no pause between fetches: each token has to wait for them. */
  private refresh(): Promise<void> {
    this.fetching ??= this.fetchOnce().finally(() => {
      this.fetching = undefined;
    });
    return this.fetching;
  }

  private async fetchOnce(): Promise<void> {
    this.triedAtMs = this.clock.nowMs();
    try {
      this.keys = await this.fetchKeys();
      this.fetchedAtMs = this.clock.nowMs();
      this.lastTryFailed = false;
    } catch (error) {
      this.lastTryFailed = true;
      throw new IssuerUnreachable('the key set of the issuer cannot be fetched', { cause: error });
    }
  }
}
