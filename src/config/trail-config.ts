/** The decision trail: docs/trail.md. */
export interface TrailConfig {
  readonly directory: string;
  /** `count` counts lost events while the trail cannot be written; `refuse` refuses requests. */
  readonly fault: 'count' | 'refuse';
  /** The secret from which the key is derived that signs the roots of segments. */
  readonly key: string;
  /** The key of customers' and accounts' pseudonyms. */
  readonly pseudonymKey: string;
  /** Previous keys: a search computes the pseudonym under each. */
  readonly pseudonymKeysBefore: readonly string[];
}
