import { Logger } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Clock } from '../clock/clock.js';
import { BootError } from '../config/boot-error.js';
import type { JwtIssuerConfig } from '../config/config.js';
import { IssuerClient } from './issuer.client.js';
import { IssuerUnreachable, type KeyFinder } from './token-issuer.js';

/** Older keys are asked for anew, beside the request that noticed. */
const refreshAfterMs = 5 * 60_000;
/** What an issuer that stays away has signed with is trusted for so long: a withdrawn key must not be trusted for ever. */
const trustedForMs = 24 * 60 * 60_000;
/** A token can name any key: it makes us ask no more often than this. */
const cooldownMs = 10_000;

type Key = Awaited<ReturnType<JWTVerifyGetKey>>;

/** Finds the key that signed a token. Rejects with {@link IssuerUnreachable} when that cannot be known. */
export function issuerKeys(config: Pick<JwtIssuerConfig, 'jwks' | 'jwksCaFile'>, clock: Clock): KeyFinder {
  if (!/^https?:\/\//i.test(config.jwks)) return keysOfFile(config.jwks);
  const client = new IssuerClient(config.jwksCaFile === undefined ? {} : { caFile: config.jwksCaFile });
  const keys = new RemoteKeys(async () => createLocalJWKSet((await client.get(config.jwks)) as JSONWebKeySet), clock);
  const find: JWTVerifyGetKey = (header, token) => keys.find(header, token);
  return Object.assign(find, { present: () => keys.present() });
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
 * The last good key set of an issuer. It stays in use while the issuer is away, which jose's own remote set does not
 * do; a key that it does not have is looked for at the issuer.
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
    if (this.keys === undefined || ageMs >= trustedForMs) await this.refresh();
    // Nobody waits for it: the next request profits, and a failure leaves the keys that there are.
    else if (ageMs >= refreshAfterMs && !this.coolingDown())
      this.refresh().catch((error: unknown) =>
        this.logger.warn('the keys of an issuer could not be renewed; those of before are good for a day', error),
      );
    try {
      return await this.known(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      // The issuer may have begun to sign with a new key.
      if (this.fetching !== undefined || !this.coolingDown()) await this.refresh();
      else if (this.lastTryFailed) throw new IssuerUnreachable('the key may be a new one', { cause: error });
      return this.known(header, token);
    }
  }

  /** Resolves when there are keys that are trusted, without asking where they are at hand. */
  async present(): Promise<void> {
    if (this.keys === undefined || this.clock.nowMs() - this.fetchedAtMs >= trustedForMs) await this.refresh();
  }

  private async known(...[header, token]: Parameters<JWTVerifyGetKey>): Promise<Key> {
    if (this.keys === undefined) throw new IssuerUnreachable('no keys have been fetched yet');
    return this.keys(header, token);
  }

  private coolingDown(): boolean {
    return this.clock.nowMs() - this.triedAtMs < cooldownMs;
  }

  /** One request at a time, whoever asks. Without keys there is no cooling down: each token has to wait for them. */
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
      throw new IssuerUnreachable('the key set of the issuer cannot be had', { cause: error });
    }
  }
}
