/** The decision trail: docs/operate/trail.md. */
export interface TrailConfig {
  readonly directory: string;
  /** `count` counts lost events while the trail cannot be written; `refuse` refuses requests. */
  readonly fault: 'count' | 'refuse';
  /** The secret from which the key is derived that signs the roots of segments. */
  readonly key: string;
  /** The keys of customers' and accounts' pseudonyms: the present one, then previous ones, which only a search uses. */
  readonly pseudonymKeys: readonly string[];
}
