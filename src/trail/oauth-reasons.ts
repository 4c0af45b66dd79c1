import type { OAuthReason } from '../open-banking/oauth-reasons.js';
import type { ReasonText } from './reason-text.js';

const again = 'The TPP sends the customer to a new authorization request.';

/** The reasons of the authorization server's refusals, each in a sentence. */
export const ofOAuth: Readonly<Record<OAuthReason, ReasonText>> = {
  invalid_client: {
    meaning: 'The client did not prove that it is the client whose id it sent.',
    remedy:
      'The TPP uses its registered token_endpoint_auth_method. With private_key_jwt it signs each assertion with a registered key, with the issuer of the gateway as aud, a new jti and an exp in the near future. With tls_client_auth it connects with the certificate that it registered, valid now and of an accepted authority.',
  },
  unauthorized_client: {
    meaning: 'The client is not registered for this request.',
    remedy: 'The TPP stays within its registration, or changes its registration.',
  },
  'client-unknown': {
    meaning: 'The client id is of no TPP that is registered and may act: it is unknown, suspended or withdrawn.',
    remedy: 'Register the TPP, or reinstate it once the cause has ended: tpps list shows its status.',
  },
  'client-certificate-wrong': {
    meaning: 'The certificate of the connection is not of the organisation of the client’s software statement.',
    remedy: 'The TPP connects with a certificate of its own organisation.',
  },
  'client-keys-unreachable': {
    meaning: 'The client’s key set could not be fetched from its jwks_uri.',
    remedy: 'The TPP makes its jwks_uri answer; check that the gateway may reach it.',
  },
  'failed-requests': {
    meaning: 'Too many requests from the certificate or the address had failed.',
    remedy: 'The caller corrects the failing requests, and waits for as long as Retry-After said.',
  },
  invalid_request: {
    meaning:
      'A parameter was missing, repeated or wrong, or the PKCE challenge or the signed request object was missing.',
    remedy:
      'The TPP compares the request with the parameters of the endpoint in the OpenAPI document. An authorization request needs a signed request object under FAPI 1.0, or a pushed request under FAPI 2.0, and an S256 code_challenge. error_description of the answer names the parameter.',
  },
  'parameters-too-large': {
    meaning: 'The request, its state or its nonce was too long.',
    remedy: 'The TPP sends at most 1,024 bytes as state and as nonce, and at most 16 KiB in all.',
  },
  invalid_target: {
    meaning: 'The request named another resource than the API of this gateway.',
    remedy: 'The TPP omits the parameter resource, or names the published address of the API.',
  },
  unsupported_grant_type: {
    meaning: 'The server does not have the grant type.',
    remedy: 'The TPP uses client_credentials, authorization_code or refresh_token.',
  },
  unsupported_response_type: {
    meaning: 'The server does not have the response type, or the client did not register it.',
    remedy: 'The TPP sends response_type=code under FAPI 2.0, and code id_token or code under FAPI 1.0.',
  },
  unsupported_response_mode: {
    meaning: 'The server does not have the response mode, or it does not fit the response type.',
    remedy: 'The TPP omits response_mode; with response_type=code under FAPI 1.0 it sends response_mode=jwt.',
  },
  unsupported_token_type: {
    meaning: 'The endpoint was given an access token, which is a signed text and not stored.',
    remedy: 'The TPP reads the claims of an access token itself, and deletes the consent to end its access.',
  },
  invalid_scope: {
    meaning: 'The request named no scope, an unknown one, or one that the client may not have.',
    remedy: 'The TPP asks for the scope accounts or fundsconfirmations, in an authorization request with openid.',
  },
  invalid_grant: {
    meaning: 'The code or the refresh token gives no token.',
    remedy:
      'The TPP exchanges each code once, within a minute, with the client, the redirect_uri and the code_verifier of its authorization request. A refresh token ends with its consent, and with a later authorisation of it: the timeline of the consent shows the end, and the customer then gives a new consent. With each grant the TPP connects with an accepted certificate.',
  },
  'authorisation-over': {
    meaning:
      'The authorisation has ended: its consent ended, a later authorisation replaced it, or its code was used twice.',
    remedy: 'The TPP uses the tokens of the later authorisation, or asks the customer for a new consent.',
  },
  invalid_redirect_uri: {
    meaning: 'The TPP did not register the redirect_uri, or its software statement does not have it.',
    remedy: 'The TPP uses a registered redirect_uri, character for character, or registers this one.',
  },
  invalid_request_object: {
    meaning: 'The request object was malformed, or its signature, times, audience or another claim was wrong.',
    remedy:
      'The TPP signs it with a registered key and PS256 or ES256, with the issuer of the gateway as aud, nbf at most an hour ago, exp at most an hour after nbf, and in it every parameter of the request.',
  },
  invalid_request_uri: {
    meaning: 'The request_uri was unknown, expired or used before.',
    remedy: 'The TPP pushes the request again; the customer opens its address once, soon after.',
  },
  request_not_supported: {
    meaning: 'The endpoint takes no request object.',
    remedy: 'The TPP sends the request object to the authorization or the PAR endpoint.',
  },
  request_uri_not_supported: {
    meaning: 'The request_uri was not one of a pushed request.',
    remedy: 'The TPP pushes the request, and sends the customer with the request_uri of the answer.',
  },
  'page-preview': {
    meaning: 'A browser fetched the page in advance, before its owner opened it.',
    remedy: 'Nothing: the browser asks again when its owner opens the page.',
  },
  'refused-otherwise': {
    meaning: 'The authorization server refused the request with an error code that this release does not know.',
    remedy: 'The TPP’s developer reads error and error_description in the answer.',
  },
  'intent-missing': {
    meaning: 'The claims of the authorization request did not name a consent.',
    remedy: 'The TPP puts the ConsentId into claims.id_token.openbanking_intent_id.value.',
  },
  'intent-unknown': {
    meaning: 'The authorization request named a consent that the TPP does not have.',
    remedy: 'The TPP creates a consent, and names it.',
  },
  unmet_authentication_requirements: {
    meaning: 'The TPP demanded a class of authentication that the bank does not have.',
    remedy: 'The TPP demands a published class in acr, or none.',
  },
  login_required: {
    meaning: 'The TPP wanted an answer without a sign-in (prompt=none), or hinted at another consent.',
    remedy: 'The TPP omits prompt and id_token_hint: a customer signs in each time.',
  },
  consent_required: {
    meaning: 'The TPP wanted an answer without the customer’s approval (prompt=none).',
    remedy: 'The TPP omits prompt: a customer approves each time.',
  },
  interaction_required: {
    meaning: 'The TPP wanted an answer without the customer (prompt=none).',
    remedy: 'The TPP omits prompt: a customer signs in and approves each time.',
  },
  access_denied: {
    meaning: 'The customer or the bank ended the authorisation without an approval, and the TPP received the error.',
    remedy: 'The events of the same consent name the step and its reason.',
  },
  'journey-expired': { meaning: 'The customer came back to an authorization request that had ended.', remedy: again },
  invalid_client_metadata: {
    meaning: 'The client’s metadata broke a rule, or the registration request was not signed as it must be.',
    remedy:
      'The TPP compares the request with the members of /as/register in the OpenAPI document; error_description of the answer names the member.',
  },
  invalid_software_statement: {
    meaning: 'The software statement was missing, malformed, expired, or not signed by the directory.',
    remedy: 'The TPP gets a new statement from the directory.',
  },
  unapproved_software_statement: {
    meaning: 'The software statement is of an organisation or a software without the role for the requested scope.',
    remedy: 'The TPP corrects its entry at the directory, and gets a new statement.',
  },
  'registration-certificate-wrong': {
    meaning:
      'The certificate of the connection is of no accepted authority, of another organisation, or without the needed role.',
    remedy:
      'The TPP connects with a certificate of its organisation: openssl x509 -noout -subject -issuer -dates shows it.',
  },
  'registration-exists': {
    meaning: 'The software is registered already.',
    remedy: 'The TPP changes its registration with PUT.',
  },
  'registration-of-another': {
    meaning: 'The TPP asked for another client’s registration, or for one that the bank made.',
    remedy: 'The TPP uses its own client id; the bank changes the entries that it made.',
  },
};
