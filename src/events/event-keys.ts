import { Inject, Injectable } from '@nestjs/common';
import { hkdfSync } from 'node:crypto';
import { importJWK, SignJWT, type JWTPayload } from 'jose';
import { Clock } from '../clock/clock.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { PrismaService } from '../persistence/prisma.service.js';
import { SigningKeyStore } from '../security/signing-key.store.js';
import { SigningKeys } from '../security/signing-keys.js';

const algorithm = 'PS256';
const ownMembers = {
  iat: 'http://openbanking.org.uk/iat',
  iss: 'http://openbanking.org.uk/iss',
  tan: 'http://openbanking.org.uk/tan',
} as const;

type Key = Awaited<ReturnType<typeof importJWK>>;

/**
 * The keys that sign security event tokens: those of the embedded authorization server where there is one. A verifier of other
 * tokens cannot take an event for one of them: its critical header members are not theirs. Where the bank has an authorization
 * server, the gateway seals them under a key derived from `ID_KEY`, and makes
 * them when they are first needed.
 */
@Injectable()
export class EventKeys {
  private keys: Promise<SigningKeys> | undefined;
  private signing: { readonly kid: string; readonly key: Key } | undefined;

  constructor(
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'baseUrl' | 'idKey' | 'authorisationServer'>,
  ) {}

  /** The keys as they are now. */
  async current(): Promise<SigningKeys> {
    this.keys ??= this.open();
    const keys = await this.keys.catch((error: unknown) => {
      this.keys = undefined;
      throw error;
    });
    await keys.refresh();
    return keys;
  }

  async renew(ageMs: number): Promise<void> {
    // None were needed yet.
    if (this.keys === undefined) return;
    const keys = await this.current();
    await keys.rotateWhenOlderThan(ageMs);
    await keys.sweep();
  }

  /** Signs tokens of one answer. @returns each in its compact form */
  async sign(tokens: readonly JWTPayload[]): Promise<string[]> {
    const { kid, key } = await this.signingKey();
    const { baseUrl, authorisationServer } = this.config;
    const header = {
      alg: algorithm,
      kid,
      [ownMembers.iat]: Math.floor(this.clock.nowMs() / 1_000),
      [ownMembers.iss]: authorisationServer?.directory?.bankId ?? baseUrl,
      // The host that publishes the key.
      [ownMembers.tan]: new URL(baseUrl).hostname,
      crit: Object.values(ownMembers),
    };
    const crit = Object.fromEntries(header.crit.map((name) => [name, true]));
    return Promise.all(tokens.map((claims) => new SignJWT(claims).setProtectedHeader(header).sign(key, { crit })));
  }

  private async signingKey(): Promise<{ readonly kid: string; readonly key: Key }> {
    const keys = await this.current();
    // The one that signs comes first.
    const kid = keys.published.find(({ alg }) => alg === algorithm)?.kid;
    if (kid === undefined) throw new Error(`there is no signing key of the algorithm ${algorithm}`);
    if (this.signing?.kid !== kid) {
      const jwk = keys.privateJwks().keys.find((one) => one.kid === kid);
      this.signing = { kid, key: await importJWK(jwk ?? {}, algorithm) };
    }
    return this.signing;
  }

  private open(): Promise<SigningKeys> {
    const { idKey, authorisationServer } = this.config;
    const key =
      authorisationServer?.keyEncryptionKey ?? Buffer.from(hkdfSync('sha256', idKey, '', 'event signing keys', 32));
    return SigningKeys.open(new SigningKeyStore(this.prisma), key, this.clock);
  }
}
