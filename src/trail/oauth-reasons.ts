import type { OAuthReason } from '../open-banking/oauth-reasons.js';
import type { ReasonText } from './reason-text.js';

const tppsDeveloper = 'The TPP’s developer reads error_description in the answer and corrects the request.';
const again = 'The TPP sends the customer to a new authorization request.';

/** The reasons of the authorization server's refusals, each in a sentence. */
export const ofOAuth: Readonly<Record<OAuthReason, ReasonText>> = {
  'client-unknown': {
    meaning: 'The client id is of no TPP that is registered and may act: it is unknown, suspended or withdrawn.',
    remedy: 'Register the TPP, or reinstate it if the cause is gone: tpps list shows how it stands.',
  },
  'client-method-wrong': {
    meaning: 'The client proved itself by no method, or by another than it registered.',
    remedy: 'The TPP uses its registered token_endpoint_auth_method, or changes its registration.',
  },
  'client-assertion-invalid': {
    meaning: 'The client assertion was malformed, or its signature, algorithm, audience or another claim was wrong.',
    remedy: 'The TPP’s developer compares the assertion with the registered keys and with our issuer as its aud.',
  },
  'client-assertion-expired': {
    meaning: 'The client assertion had expired.',
    remedy: 'The TPP makes an assertion for each request, and sets its clock.',
  },
  'client-assertion-used': {
    meaning: 'The client assertion had been used before.',
    remedy: 'The TPP gives each assertion a new jti.',
  },
  'client-certificate-unusable': {
    meaning:
      'The request came without a certificate, or with one of no accepted authority, of another organisation or outside its dates.',
    remedy:
      'The TPP compares its certificate (openssl x509 -noout -issuer -serial -dates) with the one in this event; check that a proxy passes it on.',
  },
  'client-certificate-wrong': {
    meaning: 'The certificate of the connection is not one that the client registered, or not of its organisation.',
    remedy: 'The TPP connects with the registered certificate of its organisation, or registers the present one.',
  },
  'client-keys-away': {
    meaning: 'The client’s key set could not be fetched from its jwks_uri.',
    remedy: 'The TPP makes its jwks_uri answer; check that the gateway may reach it.',
  },
  'failed-requests': {
    meaning: 'Too many requests from the certificate or the address had failed.',
    remedy: 'The caller corrects the failing requests, and waits for as long as Retry-After said.',
  },
  'parameters-invalid': { meaning: 'A parameter was missing, repeated or wrong.', remedy: tppsDeveloper },
  'parameters-too-large': { meaning: 'The request, its state or its nonce was too long.', remedy: tppsDeveloper },
  'grant-type-refused': {
    meaning: 'The grant type is not one that the server has, or that the client registered.',
    remedy: 'The TPP uses a grant type of its registration.',
  },
  'response-type-refused': {
    meaning: 'The response type or mode is not one that the server has, or that the client registered.',
    remedy: 'The TPP uses a response type of its registration and its FAPI profile.',
  },
  'resource-unknown': {
    meaning: 'The request named another resource than the API of this gateway.',
    remedy: 'The TPP leaves the parameter resource out, or names the published address of the API.',
  },
  'scope-refused': {
    meaning: 'The request named no scope, an unknown one, or one that the client may not have.',
    remedy: 'The TPP asks for the scope accounts.',
  },
  'token-kind-refused': {
    meaning: 'The endpoint was given a token of a kind that it cannot look up: access tokens are signed texts.',
    remedy: 'The TPP revokes the refresh token, which ends the access tokens too.',
  },
  'page-preview': {
    meaning: 'A browser asked for the page in advance, before its owner opened it.',
    remedy: 'Nothing: the browser asks again when its owner opens the page.',
  },
  'refused-otherwise': {
    meaning: 'The request was refused for a reason that this release does not tell from others.',
    remedy: tppsDeveloper,
  },
  'code-unknown': {
    meaning: 'The authorization code was never issued, or its authorisation has ended since.',
    remedy: again,
  },
  'code-expired': { meaning: 'The authorization code was more than a minute old.', remedy: again },
  'code-used': {
    meaning: 'The authorization code had been exchanged before; a second use of a code ends its authorisation.',
    remedy: `${again} It exchanges each code once.`,
  },
  'pkce-failed': {
    meaning: 'The PKCE challenge or verifier was missing or malformed, or they did not belong together.',
    remedy: 'The TPP sends an S256 challenge, and the verifier of the same authorization request.',
  },
  'refresh-token-unknown': {
    meaning: 'The refresh token was never issued, was revoked, or ended with its consent or authorisation.',
    remedy: 'The TPP asks the customer for a new consent; the timeline of the consent shows its end.',
  },
  'refresh-token-expired': {
    meaning: 'The refresh token had expired with its consent.',
    remedy: 'The TPP asks the customer for a new consent.',
  },
  'authorisation-over': {
    meaning:
      'The authorisation is over: its consent has ended, a later authorisation took its place, or its code came twice.',
    remedy: 'The TPP uses the tokens of the later authorisation, or asks the customer for a new consent.',
  },
  'grant-of-another-client': {
    meaning: 'The code or the token belongs to another client.',
    remedy: 'The TPP uses the client that got it; one TPP must not hold another’s tokens.',
  },
  'redirect-uri-changed': {
    meaning: 'The redirect_uri was not that of the authorization request to which the code belongs.',
    remedy: 'The TPP sends the same redirect_uri with the code.',
  },
  'redirect-uri-not-registered': {
    meaning: 'The TPP did not register the redirect_uri, or its software statement does not have it.',
    remedy: 'The TPP uses a registered redirect_uri, to the letter, or registers this one.',
  },
  'request-object-missing': {
    meaning: 'The client must sign its authorization requests, and this one was not signed.',
    remedy: 'The TPP sends the parameters in a signed request object.',
  },
  'request-object-invalid': {
    meaning: 'The request object was malformed, or its signature, times, audience or another claim was wrong.',
    remedy: tppsDeveloper,
  },
  'push-missing': {
    meaning: 'The client must push its authorization requests, and this one was not pushed.',
    remedy: 'The TPP pushes the request, and sends the customer with the request_uri.',
  },
  'request-uri-invalid': {
    meaning: 'The request_uri was unknown, expired or used before.',
    remedy: 'The TPP pushes the request again; a customer opens its address once, soon after.',
  },
  'intent-missing': {
    meaning: 'The claims of the authorization request did not name a consent.',
    remedy: 'The TPP puts the ConsentId into claims.id_token.openbanking_intent_id.value.',
  },
  'intent-unknown': {
    meaning: 'The authorization request named a consent that the TPP does not have.',
    remedy: 'The TPP creates a consent, and names it.',
  },
  'authentication-class-unknown': {
    meaning: 'The TPP demanded a class of authentication that the bank does not have.',
    remedy: 'The TPP demands a published class in acr, or none.',
  },
  'customer-needed': {
    meaning: 'The TPP wanted an answer without a sign-in (prompt=none), or hinted at another consent.',
    remedy: 'The TPP leaves prompt and id_token_hint out: a customer signs in each time.',
  },
  'approval-missing': {
    meaning: 'The customer or the bank ended the authorisation without an approval, and the TPP was told so.',
    remedy: 'The events of the same consent name the step and its reason.',
  },
  'journey-expired': { meaning: 'The customer came back to an authorization request that had ended.', remedy: again },
  'statement-invalid': {
    meaning: 'The software statement was missing, malformed, expired, or not signed by the directory.',
    remedy: 'The TPP gets a new statement from the directory.',
  },
  'statement-unapproved': {
    meaning: 'The software statement is of an organisation or a software that may not read account information.',
    remedy: 'The TPP settles its standing with the directory, and gets a new statement.',
  },
  'registration-certificate-wrong': {
    meaning:
      'The certificate of the connection is of no accepted authority, of another organisation, or without PSP_AI.',
    remedy:
      'The TPP connects with a certificate of its organisation: openssl x509 -noout -subject -issuer -dates shows it.',
  },
  'registration-exists': {
    meaning: 'The software is registered already.',
    remedy: 'The TPP changes its registration with PUT.',
  },
  'registration-invalid': { meaning: 'The client’s metadata broke a rule.', remedy: tppsDeveloper },
  'registration-of-another': {
    meaning: 'The TPP asked for another client’s registration, or for one that the bank made.',
    remedy: 'The TPP uses its own client id; the bank changes the entries that it made.',
  },
};
