/** How the kit delivers data to an adapter that reads a replica. */
export interface TestReplica {
  /** The time of the data in use, in milliseconds since 1970. The adapter's clock shows it unless a clause moves the clock. */
  readonly asOfMs: () => number;
  /** The age that the settings of the test core allow. */
  readonly maxAgeMs: number;
  /** Delivers, and resolves with whether the delivery was taken. */
  readonly deliver: (delivery: TestDelivery) => Promise<boolean>;
}

export type TestDelivery =
  /** The data in use, as of a later time. */
  | 'newer'
  /** The same with a record that cannot be read, after good ones. */
  | 'broken'
  /** The same without some of its records, or one of its files. */
  | 'partial'
  /** The data in use, as of an earlier time. */
  | 'older'
  /** The delivery in use once more. */
  | 'repeated'
  /** A newer one, and the process that takes it is killed while it does. */
  | 'cut-off';
