/** One finished request, for the log and the metrics. */
export interface AccessRecord {
  /** The client id of the TPP at the issuer. */
  readonly tpp: string | undefined;
  readonly issuer: string | undefined;
  readonly consentId: string | undefined;
  readonly acr: string | undefined;
  readonly interactionId: string;
  readonly method: string;
  /** The name that the route declares, or else its pattern; missing where the request met no route. */
  readonly endpoint: string | undefined;
  /** The version of the API. */
  readonly version: string | undefined;
  readonly unattended: string | undefined;
  /** 499 where the client had closed the connection before the answer. */
  readonly status: number;
  readonly errorId: string | undefined;
  /** The error of the answer, by its name in docs/specification.md, "Errors". */
  readonly error: string | undefined;
  /** The check that refused the request, by its name in docs/specification.md, "The checks of a request". */
  readonly refusedBy: string | undefined;
  /** Why the request was not answered as the caller wished: a word of a closed list, finer than `error`. */
  readonly reason: string | undefined;
  /** Query parameters that were ignored though they are nearly right; names from a closed list. */
  readonly ignoredParameters: readonly string[] | undefined;
  /** The cores whose accounts are missing in the answer, because they could not be read. */
  readonly coresAway: readonly string[] | undefined;
  readonly durationMs: number;
}
