// Reads everything that a customer lets this TPP read. Run it with: node --env-file=.env read-accounts.js
import * as oidc from 'openid-client';
import { ask, cameBack, config, events, signer } from './bank.js';

const { REDIRECT_URI, FAPI, PERMISSIONS, RESOURCES } = process.env;

// 1. Create a consent.
const { access_token: ownToken } = await oidc.clientCredentialsGrant(config, { scope: 'accounts' });
const wanted = { Data: { Permissions: PERMISSIONS.split(' ') }, Risk: {} };
const { ConsentId } = await ask('/account-access-consents', ownToken, wanted);

// 2. Send the customer to the bank. FAPI 1 signs the request; FAPI 1 and FAPI 2 push it.
const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
const request = {
  redirect_uri: REDIRECT_URI,
  scope: 'openid accounts',
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
const { access_token: token } = await oidc.authorizationCodeGrant(config, await cameBack(), checks);

// 3. Read the accounts, and each resource of each account.
const { Account } = await ask('/accounts', token);
console.log(`/accounts: ${Account.length} records`);
for (const { AccountId, Description } of Account)
  for (const resource of RESOURCES.split(' ')) {
    const data = await ask(`/accounts/${AccountId}/${resource}`, token);
    console.log(`/accounts/${AccountId}/${resource} (${Description}): ${Object.values(data).flat().length} records`);
  }

// 4. Poll for the events of the consents: a withdrawal at the bank is one.
for (const { sub, events: types } of await events(ownToken)) console.log(`event: ${Object.keys(types)} of ${sub}`);
