import { randomBytes } from 'node:crypto';
import * as oidc from 'openid-client';
import { type Clock, SystemClock } from '../../src/clock/clock.js';
import type { ConsentKind } from '../../src/open-banking/consent-state.js';
import { type ApiScope, scopeOfKind } from '../../src/open-banking/scopes.js';
import type { VersionName } from '../../src/versions/versions.js';
import { FaultyStart } from '../faulty-start.js';
import { depart, type Departure, strongAuthentication } from './authorisation-request.js';
import {
  type BankConnection,
  type BankSettings,
  type TppKeyFiles,
  fetchOver,
  openConnection,
} from './bank-connection.js';
import { oauthErrorOf } from './bank-fault.js';
import { pollEvents } from './event-poll.js';
import { type Exchange, exchange, parsedJson, textAt } from './exchange.js';
import { type ServedVersion, servedVersions } from './published-facts.js';
import { type FapiVersion, type SoftwareStatement, registrationRequest } from './registration-request.js';

/** The access that a customer gave. */
export interface Access {
  readonly consentId: string;
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly expiresAtMs: number;
  /** When the customer authenticated at the bank. */
  readonly authenticatedAtMs: number;
}

export interface RequestedConsent {
  readonly permissions: readonly string[];
  /** ISO 8601; absent: until the customer withdraws it. */
  readonly expires?: string;
  /** ISO 8601, of the oldest transactions; absent: the whole history. */
  readonly from?: string;
}

/** A token is renewed when less than this is left of its life. */
const renewBeforeMs = 30_000;

/**
 * A TPP's side of the standard: FAPI 1.0 Advanced with pushed, signed request objects and signed responses (JARM),
 * `private_key_jwt`, and everything over mutual TLS with the TPP's own certificate.
 */
export class BankClient {
  private readonly version: ServedVersion;

  private constructor(
    private readonly settings: BankSettings,
    private readonly connection: BankConnection,
    private readonly clock: Clock,
    api?: VersionName,
  ) {
    this.version = servedVersions(connection.facts, api).at(-1) as ServedVersion;
  }

  /** Finds the authorization server. Throws a {@link FaultyStart} where it cannot be reached. */
  static async open(settings: BankSettings, keys: TppKeyFiles, clock: Clock = new SystemClock()): Promise<BankClient> {
    return new BankClient(settings, await openConnection(settings, keys), clock);
  }

  /** The same client in a version of the API: by default the newest that the bank serves. */
  in(api: VersionName | undefined): BankClient {
    return new BankClient(this.settings, this.connection, this.clock, api);
  }

  get redirectUri(): string {
    return this.settings.redirectUri;
  }

  close(): Promise<void> {
    return this.connection.agent.close();
  }

  /** Whether the bank still knows this TPP. */
  async isRegistered(): Promise<boolean> {
    try {
      await this.clientToken();
      return true;
    } catch (error) {
      if (oauthErrorOf(error) === 'invalid_client') return false;
      throw error;
    }
  }

  /**
   * Registers this TPP by a software statement, or changes its registration: Open Banking Dynamic Client Registration
   * 3.3.
   * @returns the client id
   */
  async register(software: SoftwareStatement, method: 'POST' | 'PUT', fapi: FapiVersion = '1'): Promise<string> {
    const { issuer, registration_endpoint: endpoint } = this.connection.config.serverMetadata();
    if (endpoint === undefined) throw new FaultyStart('the bank lets no TPP register itself: set its DIRECTORY_ISSUER');
    const { redirectUri, clientId: registeredId, auth } = this.settings;
    const { agent, signer, subject } = this.connection;
    const registration = { issuer, redirectUri, fapi, auth, subject };
    const isUpdate = method === 'PUT';
    const answer = await fetchOver(agent, isUpdate ? `${endpoint}/${registeredId}` : endpoint, {
      method,
      headers: {
        'content-type': 'application/jose',
        accept: 'application/json',
        ...(isUpdate && { authorization: `Bearer ${await this.clientToken()}` }),
      },
      body: await registrationRequest(software, registration, signer, this.clock.nowMs()),
    });
    const json = parsedJson(await answer.text());
    const clientId = textAt(json, 'client_id');
    if (answer.ok && clientId !== undefined) return clientId;
    const reason = textAt(json, 'error_description') ?? textAt(json, 'error') ?? 'without a reason';
    throw new FaultyStart(`the bank does not register us: ${answer.status}, ${reason}`);
  }

  /** Ends the registration. The bank then refuses the client id. */
  async unregister(): Promise<void> {
    const { registration_endpoint: endpoint = '' } = this.connection.config.serverMetadata();
    const headers = { authorization: `Bearer ${await this.clientToken()}` };
    const url = `${endpoint}/${this.settings.clientId}`;
    const { status } = await fetchOver(this.connection.agent, url, { method: 'DELETE', headers });
    if (status !== 204) throw new FaultyStart(`ending the registration was answered ${status}`);
  }

  /** Creates a consent, which the customer has yet to authorise. @returns its id */
  async createConsent({ permissions, expires, from }: RequestedConsent): Promise<string> {
    const Data = { Permissions: permissions, ExpirationDateTime: expires, TransactionFromDateTime: from };
    const token = await this.clientToken();
    const path = this.consentsPath('account-access');
    const { json, response } = await this.send('POST', path, token, { Data, Risk: {} });
    const consentId = textAt(json, 'Data', 'ConsentId');
    if (response.status !== 201 || consentId === undefined)
      throw new FaultyStart(`creating a consent was answered ${response.status}`);
    return consentId;
  }

  /** Asks for a consent to checks of funds of an account, by its sort code and account number. */
  async createFundsConsent(account: string): Promise<Exchange> {
    const kind = 'funds-confirmation';
    const DebtorAccount = { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: account };
    return this.send('POST', this.consentsPath(kind), await this.clientToken(scopeOfKind[kind]), {
      Data: { DebtorAccount },
    });
  }

  /** Asks whether an amount in pounds can be spent. */
  async confirmFunds({ consentId, accessToken }: Access, amount: string): Promise<Exchange> {
    const Data = {
      ConsentId: consentId,
      Reference: randomBytes(8).toString('hex'),
      InstructedAmount: { Amount: amount, Currency: 'GBP' },
    };
    return this.send('POST', `${this.version.fundsPath}/funds-confirmations`, accessToken, { Data });
  }

  /** Ends the access at the wish of the customer. */
  async deleteConsent(consentId: string, kind: ConsentKind = 'account-access'): Promise<Exchange> {
    const path = `${this.consentsPath(kind)}/${encodeURIComponent(consentId)}`;
    return this.send('DELETE', path, await this.clientToken(scopeOfKind[kind]));
  }

  /** Prepares an authentication for the consent, the first or another: the browser must be sent to `url`. */
  async departure(
    consentId: string,
    kind: ConsentKind = 'account-access',
  ): Promise<{ url: URL; departure: Departure }> {
    return depart(this.connection, this.settings.redirectUri, consentId, scopeOfKind[kind]);
  }

  /**
   * Turns the address to which the customer came back into the access that they gave. Throws openid-client's own errors
   * where the bank refused, or when its answer is invalid.
   */
  async arrival(url: URL, { consentId, state, nonce, codeVerifier }: Departure): Promise<Access> {
    const tokens = await oidc.authorizationCodeGrant(this.connection.config, url, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims?.openbanking_intent_id !== consentId)
      throw new FaultyStart('the id token is of another consent than the TPP asked for');
    if (claims.acr !== strongAuthentication)
      throw new FaultyStart('the id token does not say that the customer was strongly authenticated');
    if (typeof claims.auth_time !== 'number')
      throw new FaultyStart('the id token does not say when the customer authenticated');
    return { ...this.accessIn(tokens, consentId), authenticatedAtMs: claims.auth_time * 1000 };
  }

  /** The access with a token that is valid for a while: the one that it has, or a new one. */
  async renewed(access: Access): Promise<Access> {
    return access.expiresAtMs - renewBeforeMs > this.clock.nowMs() ? access : this.refresh(access);
  }

  /** Gets a new access token. The authentication window does not change. */
  async refresh(access: Access): Promise<Access> {
    if (access.refreshToken === undefined) throw new FaultyStart('the bank gave no refresh token');
    const tokens = await oidc.refreshTokenGrant(this.connection.config, access.refreshToken);
    return { ...access, ...this.accessIn(tokens, access.consentId, access.refreshToken) };
  }

  /** Waits for the events of this TPP's consents: see `pollEvents`. */
  async poll(acknowledged: readonly string[], signal: AbortSignal): ReturnType<typeof pollEvents> {
    const token = await this.clientToken();
    return pollEvents(this.connection, this.settings, this.version.rootPath, token, acknowledged, signal);
  }

  /** Reads a path of the API, query and all. */
  read(path: string, access: Access): Promise<Exchange> {
    return this.send('GET', `${this.version.basePath}${path}`, access.accessToken);
  }

  private async clientToken(scope: ApiScope = this.settings.scope ?? 'accounts'): Promise<string> {
    return (await oidc.clientCredentialsGrant(this.connection.config, { scope })).access_token;
  }

  private consentsPath(kind: ConsentKind): string {
    const { basePath, fundsPath } = this.version;
    return kind === 'account-access'
      ? `${basePath}/account-access-consents`
      : `${fundsPath}/funds-confirmation-consents`;
  }

  private send(method: string, path: string, token: string, body?: unknown): Promise<Exchange> {
    const url = `${this.settings.tppUrl}${path}`;
    return exchange(this.connection.agent, method, url, token, body);
  }

  private accessIn(
    tokens: oidc.TokenEndpointResponse,
    consentId: string,
    refreshToken = tokens.refresh_token,
  ): Omit<Access, 'authenticatedAtMs'> {
    return {
      consentId,
      accessToken: tokens.access_token,
      ...(refreshToken !== undefined && { refreshToken }),
      expiresAtMs: this.clock.nowMs() + (tokens.expires_in ?? 0) * 1000,
    };
  }
}
