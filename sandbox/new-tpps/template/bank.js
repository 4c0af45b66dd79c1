// This TPP's connection to the bank, from the files in this folder and the settings of .env.
import { on } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline/promises';
import { createLocalJWKSet, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { Agent, fetch } from 'undici';

const { ISSUER, API_URL, CLIENT_ID, REDIRECT_URI, FAPI, AUTH, SCOPE } = process.env;
const file = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
const jwk = JSON.parse(file('signing-key.jwk'));
const algorithm = { name: 'RSA-PSS', hash: 'SHA-256' };

/** Signs client assertions, and request objects under FAPI 1. */
const signer = { kid: jwk.kid, key: await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['sign']) };

// All requests go over mutual TLS with this TPP's certificate. The file has the certificate and its key.
const pair = file('transport.pem');
const dispatcher = new Agent({ connect: { cert: pair, key: pair, ca: file('authority.pem') } });
const send = (url, options) => fetch(url, { ...options, dispatcher });

const config = await oidc.discovery(
  new URL(ISSUER),
  CLIENT_ID,
  {
    id_token_signed_response_alg: 'PS256',
    authorization_signed_response_alg: 'PS256',
    use_mtls_endpoint_aliases: true,
  },
  AUTH === 'certificate' ? oidc.TlsClientAuth() : oidc.PrivateKeyJwt(signer),
  {
    [oidc.customFetch]: send,
    // FAPI 1 has signed answers (JARM). The sandbox serves the customers' pages over plain HTTP, on this machine only.
    execute: [oidc.allowInsecureRequests, ...(FAPI === '1' ? [oidc.useJwtResponseMode] : [])],
  },
);

/** The token with which this TPP manages its consents. */
export const { access_token: ownToken } = await oidc.clientCredentialsGrant(config, { scope: SCOPE });

/**
 * Sends the customer to the bank. FAPI 1 signs the request; FAPI 1 and FAPI 2 push it.
 * @returns the token of the consent
 */
export async function approved(ConsentId) {
  const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
  const request = {
    redirect_uri: REDIRECT_URI,
    scope: `openid ${SCOPE}`,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    claims: JSON.stringify({ id_token: { openbanking_intent_id: { value: ConsentId, essential: true } } }),
  };
  const signed = async () => (await oidc.buildAuthorizationUrlWithJAR(config, request, signer)).searchParams;
  const address = await oidc.buildAuthorizationUrlWithPAR(config, FAPI === '1' ? await signed() : request);
  console.log(`Open this address in a browser, sign in and approve:\n\n  ${address.href}\n`);
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
  return (await oidc.authorizationCodeGrant(config, await cameBack(), checks)).access_token;
}

/** The answer's data; throws where the bank refuses. */
export async function ask(path, token, body) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await send(API_URL + path, { method: body ? 'POST' : 'GET', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status} ${text}`);
  return JSON.parse(text).Data;
}

/** The claims of each event that waits. It verifies the events, and then acknowledges them. */
export async function events() {
  const json = async (url, options) => (await send(url, options)).json();
  const { Issuer, KeysUrl } = (await json(new URL('/.well-known/account-information', API_URL))).Events;
  const keys = createLocalJWKSet(await json(new URL(new URL(KeysUrl).pathname, API_URL)));
  const headers = { authorization: `Bearer ${ownToken}`, 'content-type': 'application/json' };
  const poll = (body) => json(new URL('events', API_URL), { method: 'POST', headers, body: JSON.stringify(body) });
  const { sets } = await poll({ returnImmediately: true });
  const crit = Object.fromEntries(['iat', 'iss', 'tan'].map((name) => [`http://openbanking.org.uk/${name}`, true]));
  const expected = { issuer: Issuer, audience: CLIENT_ID, algorithms: ['PS256'], crit };
  const verified = await Promise.all(Object.values(sets).map((set) => jwtVerify(set, keys, expected)));
  await poll({ ack: Object.keys(sets), maxEvents: 0 });
  return verified.map(({ payload }) => payload);
}

/** The address to which the bank sends the customer back. The script listens there where that is on this machine. */
async function cameBack() {
  const { protocol, hostname, port, pathname } = new URL(REDIRECT_URI);
  if (protocol !== 'http:') {
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    return new URL(
      await terminal.question('Paste the address to which the bank sent you: ').finally(() => terminal.close()),
    );
  }
  const server = createServer().listen(port || 80, hostname.replace(/[[\]]/g, ''));
  for await (const [request, response] of on(server, 'request')) {
    response.writeHead(200, { connection: 'close' }).end('You can close this page. Go on in the terminal.');
    const url = new URL(request.url, REDIRECT_URI);
    if (url.pathname !== pathname) continue;
    server.close();
    return url;
  }
}
