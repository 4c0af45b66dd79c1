import type { IncomingMessage } from 'node:http';
import type { JWK } from 'jose';
import type Provider from 'oidc-provider';
import type { AdapterFactory, KoaContextWithOIDC } from 'oidc-provider';
import type { Consent } from '../../consents/consent.js';
import type { ClientCertificates } from '../../security/tls/client-certificate.js';
import type { OAuthFault } from '../listeners/refusal-reasons.js';
import type { RequestLimits } from '../listeners/request-limits.js';
import type { TppKeySets } from '../tpps/tpp-key-sets.js';

export const accessTokenSeconds = 10 * 60;
/** A little longer than the customer's time for the journey, so that an error can still be sent to the TPP. */
export const interactionSeconds = 60 * 60;

/** The library's record of an authorization request during the customer's journey. */
export type Interaction = InstanceType<Provider['Interaction']>;

/** The browser's next address, and the `Set-Cookie` line for it. Without a line the browser needs the cookie that it has. */
export interface BegunJourney {
  readonly location: string;
  readonly cookie?: string;
}

/** Begins the customer's way through the pages. */
export abstract class BeginsJourneys {
  abstract begin(interaction: Interaction): Promise<BegunJourney>;
}

export interface ProviderParts {
  /** The browser listener's origin and {@link mountPath}. */
  readonly issuer: string;
  /** The origin of the TPPs' listener, with mutual TLS; also the audience of access tokens. */
  readonly tppUrl: string;
  readonly jwks: { keys: JWK[] };
  readonly adapter: AdapterFactory;
  readonly nowMs: () => number;
  /** The time of the bank's consents. */
  readonly bankNowMs: () => number;
  readonly certificates: ClientCertificates;
  /** The keys of TPPs that publish them. */
  readonly keySets: TppKeySets;
  /** Whether TPPs can register themselves. */
  readonly registration: boolean;
  readonly findConsent: (consentId: string) => Promise<Consent | undefined>;
  /** Makes the authorisation the consent's current one; false where none of its tokens may be issued (any more). */
  readonly beginAuthorisation: (consentId: string, authorisationId: string) => Promise<boolean>;
  readonly beginJourney: (interaction: Interaction) => Promise<BegunJourney>;
  readonly limits: RequestLimits;
  /** Shows the customer that a request cannot go on and that there is no way back to the TPP. */
  readonly renderError: (
    ctx: Pick<KoaContextWithOIDC, 'req' | 'set' | 'body'>,
    kind?: 'bad-request' | 'too-many-requests',
  ) => void;
  /** The client that the request names; not proven. */
  readonly onClient: (request: IncomingMessage, clientId: string | undefined) => void;
  /** The client has proven itself by its registered method. */
  readonly onProof: (request: IncomingMessage, clientAuthentication: string, grantType: unknown) => void;
  /** The library refused the request with this error. */
  readonly onRefusal: (request: IncomingMessage, fault: OAuthFault) => void;
  /** The request failed by an error that it did not cause. */
  readonly onFailure: (request: IncomingMessage, error: unknown) => void;
  /** Reports a fault that no request caused. */
  readonly onFault: (error: Error) => void;
}
