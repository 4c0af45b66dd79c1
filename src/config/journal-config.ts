export interface RevocationJournalConfig {
  readonly directory: string;
  /** Seals the lines of the journal. It has no other use. */
  readonly key: string;
}
