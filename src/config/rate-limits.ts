/** The rates of each TPP in each process. An absent rate means no limit. */
export interface RateLimitConfig {
  /** Every request of the TPPs' API. */
  readonly requests?: Rate;
  /** Beside it, the creation of consents. */
  readonly consents?: Rate;
}

/** A token bucket: so many requests a second in the long run, and `burst` of them at once. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** The rates of what is asked of the embedded authorization server, in each process. An absent rate means no limit. */
export interface AuthorisationLimits {
  /** Of each client: every request in which it has proven itself. */
  readonly requests?: Rate;
  /** Of each client, beside it: the authorization requests that it begins. */
  readonly authorizations?: Rate;
  /** Of each certificate, or of each source address where a caller has none: the requests that failed. */
  readonly failures: Rate;
}

/** So many mistakes a developer makes at once; a program that goes on failing is held to one a second. */
export const failureRate: Rate = { perSecond: 1, burst: 30 };
