/** The facts on which the check decided. A resource that was answered has those of the authentication window. */
export interface CheckFacts {
  readonly authenticationAgeS?: number;
  readonly windowS?: number;
  readonly permissionsHeld?: readonly string[];
  /** One of each group is needed. */
  readonly permissionsNeeded?: readonly (readonly string[])[];
  readonly consentStatus?: string;
  readonly historyFromAgeDays?: number;
  /** With a poll for events: how many the TPP acknowledged, and how many it could not use. */
  readonly acknowledged?: number;
  readonly faultyEvents?: number;
  readonly limit?: number;
  readonly retryAfterS?: number;
  /** The fault of the handshake or of the client's certificate, as Node and OpenSSL name it. */
  readonly tls?: string;
  /** The names of the authority, and its number, of a client's certificate that is not accepted. */
  readonly certificateIssuer?: string;
  readonly certificateSerial?: string;
  /** How a client of the authorization server proved itself: its registered method. Absent where it did not. */
  readonly clientAuthentication?: string;
  /** The grant that a client asked for at the token endpoint, after it had proven itself. */
  readonly grantType?: GrantType;
}

/** The grant types of the authorization server. */
export const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials'] as const;
export type GrantType = (typeof grantTypes)[number];
