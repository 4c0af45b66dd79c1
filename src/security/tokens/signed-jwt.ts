import {
  errors,
  jwtVerify,
  type JWTHeaderParameters,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
} from 'jose';

/**
 * How far the clock of a maker of JWTs may be ahead of ours or behind it. FAPI 2.0 Security Profile, section 5.3.2.1: a
 * gateway must accept times up to 10 seconds ahead, and refuse those more than 60 seconds ahead.
 */
export const clockToleranceSeconds = 10;

/**
 * The fault of a JWT whose header demands an extension, as the end of a sentence whose subject is the JWT. The gateway
 * knows no extension (RFC 7515, section 4.1.11). jose knows `b64`, which a JWT must not have (RFC 7797, section 7).
 */
export function extensionFault({ crit, b64 }: Readonly<Record<string, unknown>>): string | undefined {
  return crit === undefined && b64 === undefined ? undefined : 'must have neither crit nor b64 in its header';
}

/**
 * The fault of a JWT that is used more than {@link clockToleranceSeconds} before its time, as the end of a sentence whose
 * subject is the JWT.
 * @param claims the caller has checked that each time in them is a number of seconds
 */
export function earlyFault({ iat, nbf }: Readonly<Record<string, unknown>>, nowMs: number): string | undefined {
  const isAhead = (time: unknown): boolean => {
    return time !== undefined && !(Number(time) * 1_000 <= nowMs + clockToleranceSeconds * 1_000);
  };
  const claim = isAhead(iat) ? 'iat' : isAhead(nbf) ? 'nbf' : undefined;
  return claim && `has an ${claim} that is more than ${clockToleranceSeconds} seconds ahead of the gateway’s clock`;
}

/** The JWT has an {@link extensionFault}, which is the message. */
export class ExtendedJwt extends errors.JWSInvalid {}

/** Verifies a signature and claims as jose does. @throws ExtendedJwt @throws errors.JOSEError */
export async function verifyJwt(
  jwt: string,
  keys: JWTVerifyGetKey,
  options: JWTVerifyOptions,
): Promise<{ readonly payload: JWTPayload; readonly protectedHeader: JWTHeaderParameters }> {
  const verified = await jwtVerify(jwt, keys, options);
  const fault = extensionFault(verified.protectedHeader);
  if (fault !== undefined) throw new ExtendedJwt(fault);
  return verified;
}
