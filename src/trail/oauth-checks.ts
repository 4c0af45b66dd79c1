import type { RefusingCheck } from '../open-banking/checks.js';
import { authorisationPaths as paths, mountPath, registrationPath } from '../open-banking/authorisation-paths.js';
import { oauthReasons } from '../open-banking/oauth-reasons.js';
import type { RefusalReason } from '../open-banking/reasons.js';
import type { GrantType } from './event.js';
import { partIn, textIn, type StoredEvent } from './stored-event.js';

/** A check at its place among the others. The server's library judges some checks in parts, between which others come. */
export interface OAuthStep {
  readonly check: RefusingCheck;
  /** The facts on which this part of the check decides. */
  readonly judges: string;
  /** Those with which it refuses. A reason of two steps does not tell at which of them the request stopped. */
  readonly reasons: readonly RefusalReason[];
  /** The member of `saw` that has the fact itself. */
  readonly fact?: 'clientAuthentication' | 'grantType';
}

function step(check: RefusingCheck, judges: string, ...reasons: readonly RefusalReason[]): OAuthStep {
  return { check, judges, reasons };
}

function reasonsOf(check: RefusingCheck): readonly RefusalReason[] {
  return (Object.keys(oauthReasons) as (keyof typeof oauthReasons)[]).filter((name) => oauthReasons[name] === check);
}

const entry = [
  step('host', 'one Host header, which names this listener', 'host-repeated', 'host-foreign', 'host-missing'),
  step('path', 'a path of the authorization server', 'path-unknown'),
];
const door = step('rate limit', 'the failed requests from the certificate or the address', 'failed-requests');
const pace = step('rate limit', 'the requests of the client', 'rate-limit');
const form = step('parameters', 'the form of the request', 'parameters-invalid');

const clientFirst = [
  ...entry,
  door,
  form,
  {
    ...step('client authentication', 'the proof of the client', ...reasonsOf('client authentication')),
    fact: 'clientAuthentication' as const,
  },
  pace,
];
const resource = step('parameters', 'the resource of the token', 'resource-unknown');
const certificate = step('client authentication', 'a certificate for the token', 'client-certificate-unusable');
const grantType: OAuthStep = {
  ...step('parameters', 'the grant type and its parameters', 'grant-type-refused', 'parameters-invalid'),
  fact: 'grantType',
};

const grants: Readonly<Record<GrantType, readonly OAuthStep[]>> = {
  client_credentials: [step('scope', 'the scope', 'scope-refused'), resource, certificate],
  authorization_code: [
    step('grant', 'the code', 'code-unknown', 'grant-of-another-client', 'code-expired', 'authorisation-over'),
    step('pkce', 'the verifier of the code', 'pkce-failed'),
    certificate,
    step('redirect uri', 'the address of the authorization request', 'redirect-uri-changed'),
    step('grant', 'the first use of the code', 'code-used'),
    resource,
    step('grant', 'the authorisation', 'authorisation-over'),
  ],
  refresh_token: [
    step('grant', 'the token', 'refresh-token-unknown', 'grant-of-another-client', 'refresh-token-expired'),
    certificate,
    step('grant', 'the grant of the customer', 'authorisation-over'),
    step('scope', 'the scope', 'scope-refused'),
    resource,
    step('grant', 'the authorisation', 'authorisation-over'),
  ],
};

/** The request of an authorization, pushed or opened. */
const authorisation = [
  step('parameters', 'each parameter once', 'parameters-invalid'),
  step(
    'request object',
    'a signed or pushed request, where the client needs one',
    'request-object-missing',
    'push-missing',
  ),
  step('client authentication', 'the published keys of the client', 'client-keys-away'),
  step('request object', 'its signature and its claims', 'request-object-invalid'),
  step('parameters', 'the size of the request object', 'parameters-too-large'),
  step('parameters', 'the response type and mode', 'response-type-refused', 'parameters-invalid'),
  step('parameters', 'the size of the request', 'parameters-too-large'),
  step('scope', 'the scope', 'scope-refused'),
  step('consent', 'claims', 'intent-missing'),
  step('redirect uri', 'a registered address', 'redirect-uri-not-registered'),
  step('pkce', 'the challenge', 'pkce-failed'),
  step('consent', 'the ConsentId in the claims', 'intent-missing'),
  step('customer', 'the class of authentication', 'authentication-class-unknown'),
  step('consent', 'the consent', 'intent-unknown', 'consent-ended'),
  step('parameters', 'the resource, and the age and hint of the sign-in', 'resource-unknown', 'parameters-invalid'),
];

const registration = [
  step('body', 'a signed request of at most 64 KiB', 'media-type', 'body-too-large'),
  step('registration', 'the form of the request', 'registration-invalid', 'statement-invalid'),
  step('registration', 'the statement of the directory', 'statement-invalid', 'statement-unapproved'),
  step('registration', 'the certificate of the connection', 'registration-certificate-wrong'),
  step(
    'registration',
    'the signature and the metadata',
    'registration-invalid',
    'statement-invalid',
    'redirect-uri-not-registered',
  ),
  step('registration', 'the standing of the software', 'tpp-suspended', 'registration-exists', 'statement-unapproved'),
];
const presented = [
  ...entry,
  step('rate limit', 'the failed requests from the certificate or the address', 'failed-requests', 'rate-limit'),
  step('token', 'a certificate', 'certificate-missing'),
];
const owner = [
  ...presented,
  step(
    'token',
    'the token of the client, and the certificate to which it is bound',
    ...(['token-missing', 'token-invalid', 'token-expired', 'token-issuer-unknown', 'client-token-needed'] as const),
    ...(['certificate-of-another', 'tpp-not-registered'] as const),
  ),
  step('rate limit', 'the requests of the client', 'rate-limit'),
  step('registration', 'the registration of this client', 'registration-of-another'),
];

const steps: Readonly<Record<string, (event: StoredEvent) => readonly OAuthStep[]>> = {
  [paths.token]: (event) => [
    ...clientFirst,
    grantType,
    ...(grants[textIn(partIn(event, 'saw'), 'grantType') as GrantType] ?? []),
  ],
  [paths.pushed_authorization_request]: () => [...clientFirst, ...authorisation],
  [paths.revocation]: () => [
    ...clientFirst,
    step('parameters', 'the token', 'parameters-invalid', 'token-kind-refused'),
  ],
  [paths.authorization]: () => [
    ...entry,
    step('parameters', 'a page that its owner opens', 'page-preview'),
    step('rate limit', 'the failed requests from the address of the browser', 'failed-requests', 'rate-limit'),
    // The library looks at the address after any other fault too: without a good one it tells the browser, and not the TPP.
    step('parameters', 'the form of the request', 'parameters-invalid', 'redirect-uri-not-registered'),
    step('client authentication', 'a registered client', 'client-unknown'),
    step('request object', 'the request_uri', 'request-uri-invalid'),
    ...authorisation,
    step('request object', 'the first use of the request_uri', 'request-uri-invalid'),
    step('customer', 'a sign-in for this consent', 'customer-needed'),
    step('rate limit', 'the authorization requests of the client', 'rate-limit'),
  ],
  [`${paths.authorization}/*`]: () => [
    ...entry,
    step('customer', 'the decision of the customer', 'journey-expired', 'approval-missing', 'customer-needed'),
  ],
  [registrationPath]: () => [...presented, ...registration],
  [`${registrationPath}/*`]: (event) => (textIn(event, 'method') === 'PUT' ? [...owner, ...registration] : owner),
};

/** The steps of a request to an endpoint of the authorization server, in their order; none for one that has no checks of TPPs. */
export function oauthSteps(event: StoredEvent): readonly OAuthStep[] {
  const endpoint = textIn(event, 'endpoint').replace(/\/$/, '');
  const path = endpoint.startsWith(`${mountPath}/`) ? endpoint.slice(mountPath.length) : '';
  return Object.hasOwn(steps, path) ? (steps[path]?.(event) ?? []) : [];
}
