import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JWK } from 'jose';
import type { Configuration, Provider } from 'oidc-provider';
import { OpenIdServer } from '../support/openid-server.js';
import { realNowMs } from '../support/real-time.js';

export interface ServerSettings {
  readonly port: number;
  readonly tokens: 'jwt' | 'opaque';
  readonly audience: string;
  /** The first key signs. */
  readonly keys: readonly JWK[];
  readonly tls: { readonly cert: string; readonly key: string; readonly ca: string };
  /** Client id and common name of the certificate; `dpop` binds the tokens to a key instead of the certificate. */
  readonly tpps: readonly { readonly clientId: string; readonly binding: 'mtls' | 'dpop' | 'none' }[];
  /** Client id of the client that may introspect. */
  readonly gateway: string;
  /** The gateway's bank-facing API. */
  readonly bank: (path: string, body?: object) => Promise<Record<string, unknown>>;
}

interface Decision {
  readonly consentId: string;
  readonly authenticatedAt: Date;
}

/**
 * A bank's own authorization server, with its own names of claims; it can be stopped and started again with other settings.
 * It asks the gateway's bank-facing API about a consent and reports the customer's decision there. Customers "sign in" by
 * the login_hint of the browser's request.
 */
export class BankServer extends OpenIdServer {
  /** By grant: each token of it, also a refreshed one, has the time of the customer's authentication. */
  private readonly decisions = new Map<string, Decision>();

  constructor(private readonly settings: ServerSettings) {
    super(settings.port, settings.tls);
  }

  async start(changed: Partial<ServerSettings> = {}): Promise<void> {
    const configuration = configurationOf({ ...this.settings, ...changed }, this.decisions);
    await this.serve(configuration, (provider) => (request, response) => this.interact(provider, request, response));
  }

  /** `customer` or `customer:account,account`, as the customer would choose on a page. */
  private async interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { bank, audience } = this.settings;
    const { params } = await provider.interactionDetails(request, response);
    const [customerRef = '', accounts = ''] = String(params['login_hint']).split(':');
    const consentId = String(params['consent']);
    const consent = await bank(`/consents/${consentId}`);
    if (consent['TppIssuer'] !== this.issuer || consent['TppId'] !== params['client_id']) {
      const denied = { error: 'access_denied', error_description: 'not the consent of this TPP' };
      return provider.interactionFinished(request, response, denied);
    }
    const authenticatedAt = new Date(realNowMs());
    const report = { customerRef, authenticatedAt: authenticatedAt.toISOString() };
    if (consent['Status'] === 'awaiting') {
      await bank(`/consents/${consentId}/begin`, {});
      await bank(`/consents/${consentId}/authorise`, { ...report, accounts: accounts.split(',') });
    } else await bank(`/consents/${consentId}/reauthentications`, report);

    const grant = new provider.Grant({ accountId: customerRef, clientId: String(params['client_id']) });
    grant.addOIDCScope('openid');
    grant.addResourceScope(audience, 'accounts');
    const grantId = await grant.save();
    this.decisions.set(grantId, { consentId, authenticatedAt });
    return provider.interactionFinished(request, response, { login: { accountId: customerRef }, consent: { grantId } });
  }
}

const client = {
  token_endpoint_auth_method: 'tls_client_auth' as const,
  redirect_uris: ['https://tpp.example/callback'],
  response_types: ['code' as const],
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  id_token_signed_response_alg: 'PS256' as const,
};

function configurationOf(settings: ServerSettings, decisions: ReadonlyMap<string, Decision>): Configuration {
  return {
    clients: [
      ...settings.tpps.map(({ clientId, binding }) => ({
        ...client,
        client_id: clientId,
        tls_client_auth_subject_dn: `CN=${clientId}`,
        tls_client_certificate_bound_access_tokens: binding === 'mtls',
        dpop_bound_access_tokens: binding === 'dpop',
      })),
      {
        ...client,
        client_id: settings.gateway,
        tls_client_auth_subject_dn: `CN=${settings.gateway}`,
        redirect_uris: [],
        response_types: [],
        grant_types: [],
      },
    ],
    jwks: { keys: [...settings.keys] },
    clientAuthMethods: ['tls_client_auth'],
    extraParams: ['consent'],
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    issueRefreshToken: () => true,
    extraTokenClaims: (_ctx, token) => {
      const decision = 'grantId' in token ? decisions.get(token.grantId ?? '') : undefined;
      return {
        azp: token.clientId,
        ...(decision && {
          bank: { consent: decision.consentId },
          sca: { at: Math.floor(decision.authenticatedAt.getTime() / 1_000), level: 'two-factors' },
        }),
      };
    },
    features: {
      clientCredentials: { enabled: true },
      introspection: { enabled: true, allowedPolicy: (_ctx, { clientId }) => clientId === settings.gateway },
      revocation: { enabled: true },
      dPoP: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => settings.audience,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'accounts',
          audience: settings.audience,
          accessTokenFormat: settings.tokens,
          jwt: { sign: { alg: 'PS256', kid: settings.keys[0]?.kid } },
        }),
      },
    },
  };
}
