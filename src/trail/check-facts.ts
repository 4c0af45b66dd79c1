/** The facts on which the check decided, each only where the check used it. */
export interface CheckFacts {
  /** The age of the customer's authentication, in seconds. */
  readonly authenticationAgeS?: number;
  /** The length of the authentication window, in seconds. */
  readonly windowS?: number;
  /** The permission codes of the consent. */
  readonly permissionsHeld?: readonly string[];
  /** One of each group is needed. */
  readonly permissionsNeeded?: readonly (readonly string[])[];
  /** The status of the consent. */
  readonly consentStatus?: string;
  /** The age of the beginning of the wanted history, in days. */
  readonly historyFromAgeDays?: number;
  /** With a poll for events: how many the TPP acknowledged. */
  readonly acknowledged?: number;
  /** With a poll for events: how many the TPP could not use. */
  readonly faultyEvents?: number;
  /** The limit that was reached. */
  readonly limit?: number;
  /** `Retry-After` of the answer. */
  readonly retryAfterS?: number;
  /** The fault of the handshake or of the client's certificate, as Node and OpenSSL name it. */
  readonly tls?: string;
  /** The names of the authority of a client's certificate that is not accepted, at most 200 characters. */
  readonly certificateIssuer?: string;
  /** The number of that certificate. */
  readonly certificateSerial?: string;
  /** How a client of the authorization server proved itself: its registered method. Absent where it did not. */
  readonly clientAuthentication?: string;
  /** The grant that a client asked for at the token endpoint, after it had proven itself. */
  readonly grantType?: GrantType;
}

/** The grant types of the authorization server. */
export const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials'] as const;
export type GrantType = (typeof grantTypes)[number];
