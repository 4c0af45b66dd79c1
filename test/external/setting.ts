import type { JWK } from 'jose';
import * as oidc from 'openid-client';
import { readIssuersFile } from '../../src/config/issuers-file.js';
import { Browser } from '../authorisation/browser.js';
import { redirectUri, TestTpp, type TppOptions } from '../authorisation/tpp.js';
import { CertificateAuthority, type Certified } from '../support/certificates.js';
import { temporaryFile } from '../support/temporary-file.js';
import { freePort } from '../support/free-port.js';
import { portOf } from '../support/raw-http.js';
import { RunningClock } from '../support/running-clock.js';
import { Stack } from '../support/stack.js';
import { privateJwk } from '../support/token-forge.js';
import { BankServer, type ServerSettings } from './bank-server.js';

/** The names of the claims at the bank's own server, which the gateway learns only from its configuration. */
export const claims = {
  consentId: 'bank.consent',
  authenticationTime: 'sca.at',
  acr: 'sca.level',
  clientId: 'azp',
  subject: 'sub',
};
const baseUrl = 'https://gateway.example';
const gatewayAsClient = 'introspecting-gateway';

/** A gateway over real mutual TLS whose tokens come from the bank's own server. Only the core belongs to the sandbox. */
export class ExternalSetting {
  private readonly tpps: TestTpp[] = [];

  private constructor(
    readonly stack: Stack,
    readonly clock: RunningClock,
    readonly server: BankServer,
    readonly keys: readonly JWK[],
    private readonly authority: CertificateAuthority,
  ) {}

  static async start(
    tokens: ServerSettings['tokens'],
    tpps: ServerSettings['tpps'],
    issuer: Readonly<Record<string, unknown>> = {},
  ): Promise<ExternalSetting> {
    const authority = new CertificateAuthority();
    const [ofGateway, ofServer, ofClient] = ['gateway', 'server', gatewayAsClient].map((name) =>
      authority.issue(name),
    ) as [Certified, Certified, Certified];
    const port = await freePort();
    const origin = `https://127.0.0.1:${port}`;
    const caFile = await temporaryFile('ca.pem', authority.certificatePem);
    const bySignature = { jwks: `${origin}/jwks`, jwksCaFile: caFile, algorithms: ['PS256'] };
    const introspection = {
      url: `${origin}/token/introspection`,
      clientId: gatewayAsClient,
      certificateFile: await temporaryFile('client.pem', ofClient.certificatePem),
      keyFile: await temporaryFile('client-key.pem', ofClient.keyPem),
      caFile,
      cacheSeconds: 2,
    };
    const asked = tokens === 'jwt' ? bySignature : { introspection };
    const accepted = [{ issuer: origin, audience: baseUrl, claims, binding: 'mtls', ...asked, ...issuer }];
    const faults: string[] = [];
    const issuers = readIssuersFile(await temporaryFile('issuers.json', JSON.stringify(accepted)), false, faults);
    if (faults.length > 0) throw new Error(faults.join('; '));

    const clock = new RunningClock();
    const tls = {
      certFile: await temporaryFile('gateway.pem', ofGateway.certificatePem),
      keyFile: await temporaryFile('gateway-key.pem', ofGateway.keyPem),
      clientCaFile: caFile,
    };
    const stack = await Stack.start({ clock, config: { baseUrl, issuers, tls } });
    await stack.gateway.listen();
    const keys = [await privateJwk('PS256', 'first')];
    const server = new BankServer({
      port,
      tokens,
      audience: baseUrl,
      keys,
      tls: { cert: ofServer.certificatePem, key: ofServer.keyPem, ca: authority.certificatePem },
      tpps,
      gateway: gatewayAsClient,
      bank: async (path, payload) => {
        const { status, body, json } = await stack.report(path, payload);
        if (status !== 200) throw new Error(`the bank-facing API answered ${status}: ${body}`);
        return json;
      },
    });
    await server.start();
    return new ExternalSetting(stack, clock, server, keys, authority);
  }

  /** Each TPP has a different certificate, also where two have the same client id. */
  async tpp(clientId: string, options: TppOptions = {}): Promise<TestTpp> {
    const places = {
      issuer: this.server.issuer,
      tppUrl: `https://127.0.0.1:${portOf(this.stack.gateway.server)}`,
      ca: this.authority.certificatePem,
      nowMs: () => this.clock.nowMs(),
    };
    const certified = this.authority.issue(clientId);
    const tpp = await TestTpp.make(clientId, places, certified, { clientAuth: 'tls_client_auth', ...options });
    this.tpps.push(tpp);
    return tpp;
  }

  /** `customer:account,…`, the login hint of the authorization server's test customers. */
  customer(persona: string): string {
    const { customerRef, accounts } = this.stack.persona(persona);
    return `${customerRef}:${accounts.map(({ ref }) => ref).join(',')}`;
  }

  /** Sends the customer to the bank and back, in a browser without cookies of earlier visits. */
  async authorise(
    tpp: TestTpp,
    consentId: string,
    loginHint: string,
  ): Promise<{ accessToken: string; refreshToken: string }> {
    const config = await tpp.config();
    const [state, pkceCodeVerifier] = [oidc.randomState(), oidc.randomPKCECodeVerifier()];
    const start = oidc.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid accounts',
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state,
      login_hint: loginHint,
      consent: consentId,
    });
    const browser = new Browser(this.server.issuer, this.authority.certificatePem);
    const { url: back } = await browser.open(start);
    await browser.close();
    const checks = { pkceCodeVerifier, expectedState: state };
    const tokens = await oidc.authorizationCodeGrant(config, back, checks, undefined, tpp.binding(config));
    return { accessToken: tokens.access_token, refreshToken: tokens.refresh_token ?? '' };
  }

  /** A TPP's access to all accounts of a customer, and the public id of the first of them. */
  async access(tpp: TestTpp, permissions: readonly string[]) {
    const consentId = await tpp.createConsent(permissions);
    const tokens = await this.authorise(tpp, consentId, this.customer('complete'));
    const [account] = (await this.stack.report(`/consents/${consentId}`)).json.Accounts;
    return { consentId, ...tokens, accountId: account.AccountId as string };
  }

  async close(): Promise<void> {
    await Promise.all(this.tpps.map((tpp) => tpp.close()));
    await this.server.stop();
    await this.stack.close();
  }
}
