/**
 * A TPP: the issuer of its tokens and its client id at that issuer. Two issuers may give two TPPs the same client id, so a
 * client id alone names no TPP.
 */
export interface TppId {
  /** The name of a configured issuer, or {@link embeddedIssuer}. */
  readonly issuer: string;
  readonly clientId: string;
  /** One text for issuer and client id, different for each TPP: the key of maps, queues and notifications. */
  readonly key: string;
}

/**
 * The embedded authorization server, as the issuer of its TPPs. It is not a URL, so that its TPPs and their consents stay the
 * same when BROWSER_URL changes. No configured issuer may have this name.
 */
export const embeddedIssuer = 'embedded';

/** The name of an issuer: without a space, so that {@link TppId.key} is unambiguous, and short enough for the database. */
export const issuerName = /^[\x21-\x7e]{1,1000}$/;

export function tppId(issuer: string, clientId: string): TppId {
  return { issuer, clientId, key: `${issuer} ${clientId}` };
}

export function tppOfKey(key: string): TppId {
  const space = key.indexOf(' ');
  return { issuer: key.slice(0, Math.max(space, 0)), clientId: key.slice(space + 1), key };
}

export function isSameTpp(one: TppId, other: TppId | undefined): boolean {
  return one.key === other?.key;
}
