/** The rates of each TPP in each process. An absent rate means no limit. */
export interface RateLimitConfig {
  /** Every request of the TPPs' API. */
  readonly requests?: Rate;
  /** In addition, the creation of consents. */
  readonly consents?: Rate;
}

/** A token bucket: `perSecond` requests a second in the long run, and `burst` of them at once. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** The rates of the requests to the embedded authorization server, in each process. An absent rate means no limit. */
export interface AuthorisationLimits {
  /** Every authenticated request of one client. */
  readonly requests?: Rate;
  /** In addition, the authorization requests that one client begins. */
  readonly authorizations?: Rate;
  /** The requests that failed, from one certificate or, where the caller has no certificate, from one source address. */
  readonly failures: Rate;
}

/** Room for the mistakes of a developer. A program that continues to fail is limited to one request a second. */
export const failureRate: Rate = { perSecond: 1, burst: 30 };

/** A TPP that sends steadily may send two seconds of its requests at once. */
const burstSeconds = 2;
/** A consent takes the customer's time, and several statements of the database. */
const consentRate: Rate = { perSecond: 20, burst: 100 };
/** A token costs a signature, and a client needs few. */
const clientRate: Rate = { perSecond: 100, burst: 500 };

/** @param perSecond the requests of each TPP; 0 means no limit at all */
export function apiLimits(perSecond: number): RateLimitConfig {
  return perSecond === 0 ? {} : { requests: { perSecond, burst: burstSeconds * perSecond }, consents: consentRate };
}

/** Each consent needs one authorization request, so both have the same rate. */
export function clientLimits(perSecond: number): AuthorisationLimits {
  return perSecond === 0
    ? { failures: failureRate }
    : { requests: clientRate, authorizations: consentRate, failures: failureRate };
}
