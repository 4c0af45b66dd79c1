import * as client from 'openid-client';
import {
  type AuthenticationRequest,
  type CoreClock,
  type CoreLogger,
  type CustomerAuthentication,
  CustomerAuthenticationUnavailable,
  type CustomerAuthenticationServices,
  type CustomerAuthenticationSettings,
  type Step,
  type StepInput,
} from '../../../../packages/customer-authentication/published-port.js';
import { customersOf, lacksClaims, type Claims } from './oidc.claims.js';
import { providerFault } from './oidc.faults.js';
import { OidcProvider } from './oidc.provider.js';
import { readOidcSettings, type OidcSettings } from './oidc.settings.js';

/** @throws SignOnSettingFault */
export async function createCustomerAuthentication(
  settings: CustomerAuthenticationSettings,
  { http, clock, logger }: Pick<CustomerAuthenticationServices, 'http' | 'clock' | 'logger'>,
): Promise<CustomerAuthentication> {
  const read = await readOidcSettings(settings);
  const provider = new OidcProvider(read, http.connect(read.terms), clock);
  void provider.discover((fault) => logger.warn({}, `no customer can sign in now: ${fault}`));
  return new OidcCustomerAuthentication(read, provider, clock, logger);
}

/** Kept between the way to the provider and the way back. */
interface RequestState {
  readonly nonce: string;
  readonly verifier: string;
  readonly returnState: string;
  readonly begunAtMs: number;
}

/** The difference between two clocks that is not a fault. */
const toleranceSeconds = 60;

/**
 * Sends the customer to the bank's OpenID provider: authorization code flow with PKCE, pushed where the provider offers it.
 * The customer authenticates there each time: an earlier session at the provider is not enough.
 */
class OidcCustomerAuthentication implements CustomerAuthentication {
  readonly asksCredentials = false;

  constructor(
    private readonly settings: OidcSettings,
    private readonly provider: OidcProvider,
    private readonly clock: CoreClock,
    private readonly logger: CoreLogger,
  ) {}

  async begin({ returnTo, acrValues, language }: AuthenticationRequest, signal: AbortSignal): Promise<Step> {
    const [nonce, verifier] = [client.randomNonce(), client.randomPKCECodeVerifier()];
    const parameters = {
      redirect_uri: returnTo.url,
      scope: this.settings.scope,
      state: returnTo.state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      acr_values: acrValues.join(' '),
      prompt: 'login',
      // Not 0, which some providers refuse and others take for none.
      max_age: String(toleranceSeconds),
      ui_locales: language,
    };
    const url = await this.provider.use(signal, authorizationUrl(parameters)).catch((error: unknown) => {
      throw providerFault(error);
    });
    const state: RequestState = { nonce, verifier, returnState: returnTo.state, begunAtMs: this.clock.nowMs() };
    return { step: 'redirect', url: url.href, state: JSON.stringify(state) };
  }

  async continue(state: string, input: StepInput, signal: AbortSignal): Promise<Step> {
    if (input.input !== 'return')
      throw new CustomerAuthenticationUnavailable('the OpenID provider takes no input but a return');
    try {
      return await this.exchange(JSON.parse(state) as RequestState, new URL(input.url), signal);
    } catch (error) {
      if (error instanceof client.AuthorizationResponseError) return this.refused(error.error);
      // A code that was used or is too old.
      if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant') return expired;
      throw providerFault(error);
    }
  }

  close(): Promise<void> {
    return this.provider.close();
  }

  private exchange(
    { nonce, verifier, returnState, begunAtMs }: RequestState,
    url: URL,
    signal: AbortSignal,
  ): Promise<Step> {
    const sinceBegunSeconds = Math.ceil((this.clock.nowMs() - begunAtMs) / 1_000);
    return this.provider.use(signal, async (config) => {
      if (!isResponseOf(config.serverMetadata(), url.searchParams)) return expired;
      const tokens = await client.authorizationCodeGrant(config, url, {
        pkceCodeVerifier: verifier,
        expectedNonce: nonce,
        expectedState: returnState,
        maxAge: sinceBegunSeconds + toleranceSeconds,
        idTokenExpected: true,
      });
      const claims = tokens.claims() as Claims;
      const more = lacksClaims(claims, this.settings) && config.serverMetadata().userinfo_endpoint !== undefined;
      const userinfo = more ? await client.fetchUserInfo(config, tokens.access_token, claims.sub) : {};
      return doneStep(claims, { ...userinfo, ...claims }, this.settings);
    });
  }

  /**
   * The customer's or the provider's own refusal. It came through the browser, which can make one: it is not a fault, but an
   * operator reads in the log that the provider does not accept the request.
   */
  private refused(error: string): Step {
    if (error === 'access_denied') return { step: 'refused', reason: 'declined' };
    const code = /^[a-z_]{1,40}$/.test(error) ? error : 'an unreadable error';
    this.logger.warn(
      {},
      `a browser came back from the OpenID provider with the error ${code}: no customer was signed in`,
    );
    return expired;
  }
}

const expired: Step = { step: 'refused', reason: 'expired' };

/**
 * Whether these are the parameters of an answer of this provider (RFC 6749, section 4.1.2; RFC 9207). The browser brings them,
 * so wrong ones are not a fault of the provider.
 */
function isResponseOf(
  { issuer, authorization_response_iss_parameter_supported: statesIssuer = false }: client.ServerMetadata,
  parameters: URLSearchParams,
): boolean {
  const isOnce = ['code', 'error', 'iss', 'state'].every((name) => parameters.getAll(name).length <= 1);
  const isPlain = !['response', 'id_token', 'token'].some((name) => parameters.has(name));
  const stated = parameters.get('iss') ?? (statesIssuer ? undefined : issuer);
  return isOnce && isPlain && stated === issuer && ['code', 'error'].some((name) => parameters.get(name));
}

/** Pushed where the provider offers it. */
function authorizationUrl(parameters: Record<string, string>) {
  return async (config: client.Configuration): Promise<URL> =>
    config.serverMetadata().pushed_authorization_request_endpoint === undefined
      ? client.buildAuthorizationUrl(config, parameters)
      : client.buildAuthorizationUrlWithPAR(config, parameters);
}

/** @param all claims, also those of the userinfo endpoint */
function doneStep(idToken: Claims, all: Claims, settings: OidcSettings): Step {
  const { auth_time: authTime, acr, amr } = idToken;
  if (typeof authTime !== 'number')
    throw new CustomerAuthenticationUnavailable(
      'the OpenID provider’s ID token lacks auth_time: the window opens at the time of the authentication',
    );
  if (typeof acr !== 'string')
    throw new CustomerAuthenticationUnavailable(
      'the OpenID provider’s ID token lacks acr: the gateway needs the class of the authentication',
    );
  const methods = Array.isArray(amr) ? amr.filter(isMethod) : [];
  return {
    step: 'done',
    result: {
      customers: customersOf(all, settings),
      authenticatedAt: new Date(authTime * 1_000),
      method: methods.slice(0, 3).join('+') || 'openid',
      acr,
    },
  };
}

function isMethod(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.:-]{1,16}$/.test(value);
}
