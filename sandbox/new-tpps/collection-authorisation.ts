import { authorisationPaths, mountPath } from '../../src/open-banking/authorisation-paths.js';
import type { CollectionRequest } from './collection-request.js';

const at = (path: string): string => `${mountPath}${path}`;
const lines = (text: string): string[] => text.trim().split('\n');

const tokenTests = (variable: string): string[] =>
  lines(`
pm.test('gives a token', () => {
  pm.response.to.have.status(200);
  const { access_token, token_type } = pm.response.json();
  pm.expect(token_type).to.equal('Bearer');
  pm.expect(access_token).to.be.a('string').that.is.not.empty;
  pm.environment.set('${variable}', access_token);
});`);

/** The requests to the authorization server, of a TPP that proves itself by its certificate, under FAPI 2.0. */
export const clientToken: CollectionRequest = {
  name: 'Get a token for consents',
  description: 'The certificate of the connection proves who asks.',
  method: 'POST',
  path: at(authorisationPaths.token),
  form: { grant_type: 'client_credentials', scope: 'accounts', client_id: '{{clientId}}' },
  tests: tokenTests('clientToken'),
};

export const pushedRequest: CollectionRequest = {
  name: 'Push the authorization request',
  description: 'Puts the address at which the customer approves the consent into the variable openThis.',
  method: 'POST',
  path: at(authorisationPaths.pushed_authorization_request),
  form: {
    client_id: '{{clientId}}',
    response_type: 'code',
    redirect_uri: '{{redirectUri}}',
    scope: 'openid accounts',
    state: '{{state}}',
    nonce: '{{nonce}}',
    code_challenge: '{{codeChallenge}}',
    code_challenge_method: 'S256',
    claims: '{ "id_token": { "openbanking_intent_id": { "value": "{{ConsentId}}", "essential": true } } }',
  },
  before: lines(`
const crypto = require('crypto-js');
const random = () => crypto.lib.WordArray.random(32).toString();
for (const name of ['state', 'nonce', 'codeVerifier']) pm.environment.set(name, random());
const digest = crypto.SHA256(pm.environment.get('codeVerifier')).toString(crypto.enc.Base64);
pm.environment.set('codeChallenge', digest.replace(/[+]/g, '-').replace(/[/]/g, '_').replace(/=/g, ''));`),
  tests: lines(`
pm.test('takes the request', () => {
  pm.response.to.have.status(201);
  const { request_uri } = pm.response.json();
  pm.expect(request_uri).to.be.a('string').that.is.not.empty;
  const [client, request] = [pm.environment.get('clientId'), request_uri].map(encodeURIComponent);
  const page = pm.environment.get('issuer') + '${authorisationPaths.authorization}';
  pm.environment.set('openThis', page + '?client_id=' + client + '&request_uri=' + request);
});`),
};

export const accessToken: CollectionRequest = {
  name: 'Get the token of the consent',
  description: 'With the code in the address to which the bank sent the browser back: the variable cameBack.',
  method: 'POST',
  path: at(authorisationPaths.token),
  form: {
    grant_type: 'authorization_code',
    client_id: '{{clientId}}',
    redirect_uri: '{{redirectUri}}',
    code: '{{code}}',
    code_verifier: '{{codeVerifier}}',
  },
  before: lines(`
const members = pm.environment.get('cameBack').matchAll(/[?&](\\w+)=([^&#]*)/g);
const given = Object.fromEntries(Array.from(members, ([, name, value]) => [name, decodeURIComponent(value)]));
if (given.state !== pm.environment.get('state') || given.iss !== pm.environment.get('issuer'))
  throw new Error('set the variable cameBack to the address to which the bank sent the browser back');
pm.environment.set('code', given.code);`),
  tests: tokenTests('accessToken'),
};
