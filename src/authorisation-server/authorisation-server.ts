import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BankClock, Clock } from '../clock/clock.js';
import { defaultClaims, tokenAlgorithms, type ProxyConfig } from '../config/config.js';
import { LastUseStore } from '../consents/last-use.store.js';
import { CurrentCustomers } from '../customer-authentication/current-customers.js';
import { usedConsent } from '../consents/consent-use.js';
import type { Drain } from '../server/drain.js';
import { ClientCertificates } from '../security/client-certificate.js';
import { DirectoryClient } from '../security/directory.client.js';
import { JwtIssuer } from '../security/jwt-issuer.js';
import { TokenVerifier } from '../security/token-verifier.js';
import { AuthorisationListeners, SERVER_PARTS, type ServerParts } from './authorisation-listeners.js';
import { SignInLimits } from './journey/sign-in-limits.js';
import { AuthorisationSettings } from './listeners/settings.js';
import { readAuthorities } from './listeners/tpp-server.js';
import { EmbeddedIssuer } from './oidc/embedded-issuer.js';
import { SigningKeys } from './oidc/signing-keys.js';
import { PeriodicWork } from './periodic-work.js';
import { EmbeddedTppCheck } from './tpps/embedded-tpp.check.js';
import { LogoFetch } from './tpps/logo-fetch.js';
import { TppRegistry } from './tpps/tpp.registry.js';
import { TppStore } from './tpps/tpp.store.js';
import { registerTppsOfFile } from './tpps/tpps-file.js';

/** The embedded authorization server, as the rest of the gateway knows it. */
@Injectable()
export class AuthorisationServer {
  /** How its listeners stop. */
  readonly drains: readonly Drain[];
  /** After a request's token was found good: whether its TPP is in good standing, and the token bound where it must be. */
  readonly check: (request: FastifyRequest) => void | Promise<void>;

  constructor(
    readonly tpps: TppStore,
    readonly registry: TppRegistry,
    readonly keys: SigningKeys,
    readonly signInLimits: SignInLimits,
    private readonly listeners: AuthorisationListeners,
    private readonly work: PeriodicWork,
    private readonly logos: LogoFetch,
    private readonly lastUses: LastUseStore,
    private readonly customers: CurrentCustomers,
    private readonly certificates: ClientCertificates,
    private readonly tokens: TokenVerifier,
    private readonly clock: Clock,
    private readonly bankClock: BankClock,
    private readonly settings: AuthorisationSettings,
    @Inject(DirectoryClient) private readonly directory: DirectoryClient | undefined,
    @Inject(SERVER_PARTS) { api }: ServerParts,
    { check }: EmbeddedTppCheck,
  ) {
    this.drains = listeners.drains;
    this.check = check;
    // Once nothing is under way any more, on whichever listener.
    api.addHook('onClose', () => work.writeUses());
  }

  /** To be called once, before it listens. @throws BootError for a file of TPPs with a fault */
  async prepare(): Promise<void> {
    const { config, issuer } = this.settings;
    if (config.tppsFile !== undefined) await registerTppsOfFile(config.tppsFile, this.registry);
    this.tokens.accept(issuer, new EmbeddedIssuer(new JwtIssuer(ownTokens(issuer, config.tpp.url), ...this.ownKeys())));
    await this.listeners.ready();
  }

  /** After each request of the API: remembers which access was used. */
  readonly observe = (request: FastifyRequest, reply: FastifyReply): void => {
    const consentId = usedConsent(request, reply);
    if (consentId !== undefined) this.lastUses.record(consentId, this.bankClock.nowMs());
  };

  async listen(maxConnections: number): Promise<void> {
    await this.listeners.listen(maxConnections);
    this.work.start();
  }

  /** Other authorities of TPPs' certificates, and another secret of the proxy. @returns what puts them to use @throws BootError */
  renew(proxy: ProxyConfig | undefined): () => void {
    const authorities = readAuthorities(this.settings.config.tpp);
    return () => this.certificates.replace(proxy, authorities);
  }

  /** Does now what is otherwise done every minute: keys, sweeps, and what the directory says of TPPs. */
  tend(): Promise<void> {
    return this.work.tend();
  }

  /** Does nothing any more of what is done from time to time. */
  rest(): void {
    this.work.stop();
  }

  /** Lets go of what it asks others by. Once it is drained. */
  async close(): Promise<void> {
    await this.listeners.close();
    await this.logos.stop();
    await this.customers.close();
    this.directory?.close();
  }

  private ownKeys() {
    return [Object.assign(this.keys.find, { present: this.keys.present }), this.clock] as const;
  }
}

/** The claims of our own tokens. */
function ownTokens(issuer: string, audience: string): ConstructorParameters<typeof JwtIssuer>[0] {
  return {
    issuer,
    audience,
    algorithms: tokenAlgorithms,
    typ: 'at+jwt',
    claims: defaultClaims,
    binding: 'mtls',
    subjectIsCustomer: false,
  };
}
