/** One request in the log and the metrics, once it is over. */
export interface AccessRecord {
  /** The client id of the TPP at the issuer. */
  readonly tpp: string | undefined;
  /** The issuer of the TPP's tokens. */
  readonly issuer: string | undefined;
  readonly consentId: string | undefined;
  readonly acr: string | undefined;
  readonly interactionId: string;
  readonly method: string;
  /** The pattern of the route; missing where no route of ours was asked for. */
  readonly endpoint: string | undefined;
  readonly unattended: string | undefined;
  /** 499 where nobody was left to answer. */
  readonly status: number;
  readonly errorId: string | undefined;
  /** The error that a TPP was told, by its name in docs/specification.md, "Errors". Of the TPPs' API only. */
  readonly error?: string | undefined;
  /** The check that refused the request, by its name in docs/specification.md, "The checks of a request". */
  readonly refusedBy?: string | undefined;
  /** Query parameters that were ignored though they are nearly right; names from a closed list. */
  readonly ignoredParameters?: readonly string[] | undefined;
  readonly durationMs: number;
}
