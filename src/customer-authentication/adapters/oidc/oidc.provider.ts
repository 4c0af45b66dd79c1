import { AsyncLocalStorage } from 'node:async_hooks';
import * as client from 'openid-client';
import type { CoreClock, SignOnConnection } from '../../../../packages/customer-authentication/published-port.js';
import { discoveryFault } from './oidc.faults.js';
import type { OidcSettings } from './oidc.settings.js';

/** After this time the gateway asks for the provider's metadata again. */
const metadataMs = 10 * 60_000;
const clockToleranceSeconds = 30;
/** The library's own deadline of a call. The connection has one already; without this the library's timer lives for 30. */
const timeout = 5;

/** The bank's OpenID provider, by its metadata. The gateway starts without it: the next sign-in discovers it again. */
export class OidcProvider {
  /** The signal of the gateway's question for which a call is made: the library has one fetch for all. */
  private readonly signals = new AsyncLocalStorage<AbortSignal>();
  private closed = false;
  private discovered: { readonly config: Promise<client.Configuration>; readonly untilMs: number } | undefined;

  constructor(
    private readonly settings: OidcSettings,
    private readonly connection: SignOnConnection,
    private readonly clock: CoreClock,
  ) {}

  /** @param signal ends every call. Customers who come during a discovery share it, and its end. */
  use<T>(signal: AbortSignal, act: (config: client.Configuration) => Promise<T>): Promise<T> {
    return this.signals.run(signal, async () => act(await this.config()));
  }

  /** Discovers it before a customer comes. @param complain gets the fault */
  async discover(complain: (fault: string) => void): Promise<void> {
    try {
      await this.config();
    } catch (error) {
      if (!this.closed) complain((error as Error).message);
    }
  }

  close(): Promise<void> {
    this.closed = true;
    return this.connection.close();
  }

  private async config(): Promise<client.Configuration> {
    const nowMs = this.clock.nowMs();
    if (this.discovered === undefined || nowMs >= this.discovered.untilMs)
      this.discovered = { config: this.newConfig(), untilMs: nowMs + metadataMs };
    try {
      return await this.discovered.config;
    } catch (error) {
      // The next customer's sign-in asks again.
      this.discovered = undefined;
      throw discoveryFault(error);
    }
  }

  private newConfig(): Promise<client.Configuration> {
    const { issuer, clientId, clientAuth, metadata, terms } = this.settings;
    const about: Partial<client.ClientMetadata> = {
      [client.clockTolerance]: clockToleranceSeconds,
      ...(terms.cert !== undefined && { use_mtls_endpoint_aliases: true }),
    };
    const fetch: client.CustomFetch = (url, { method, headers, body }) =>
      this.connection.fetch(url, { method, headers, signal: this.signals.getStore(), ...(isText(body) && { body }) });
    // The signature of the ID token is verified although it came over TLS.
    const execute = [client.enableNonRepudiationChecks];
    // The settings have refused plain HTTP to another machine.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- it is marked so only to stand out.
    if (issuer.protocol === 'http:') execute.push(client.allowInsecureRequests);
    if (metadata === undefined)
      return client.discovery(issuer, clientId, about, clientAuth, { execute, timeout, [client.customFetch]: fetch });
    const config = new client.Configuration(metadata, clientId, about, clientAuth);
    config[client.customFetch] = fetch;
    config.timeout = timeout;
    for (const set of execute) set(config);
    return Promise.resolve(config);
  }
}

function isText(body: unknown): body is string | URLSearchParams {
  return typeof body === 'string' || body instanceof URLSearchParams;
}
