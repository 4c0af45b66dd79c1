export type LoadOutcome = ({ readonly taken: true } & LoadCounts) | ({ readonly taken: false } & Refusal);

export interface LoadCounts {
  readonly delivery: string;
  readonly asOf: Date;
  /** By the parts of the delivery. */
  readonly rows: Readonly<Record<string, number>>;
  /** How often an optional field was omitted because it cannot be read, by part and field. */
  readonly unread: Readonly<Record<string, number>>;
  /** The size of the replica. */
  readonly bytes: number;
}

/** Names files, lines and fields, and never a value. */
export interface Refusal {
  /**
   * `broken`: a record cannot be read, or contradicts another; `partial`: something is missing; `older`: the data in use are
   * newer; `repeated`: it is in use already; `busy`: another delivery is being loaded; `failed`: the machine, not the
   * delivery, is at fault.
   */
  readonly reason: 'broken' | 'partial' | 'older' | 'repeated' | 'busy' | 'failed';
  readonly message: string;
  /** One line for each bad record, up to the limit of named records. */
  readonly faults: readonly string[];
}

export interface LoadProgress {
  /** A file begins. */
  file(name: string, rows: number): void;
  /** So many of its rows have been read. */
  rows(read: number): void;
  /** All files have been read, and this is done with their records now. */
  step(name: string): void;
  /** Nothing more comes. */
  end(): void;
}

/** Why a delivery is not taken. */
export class DeliveryRefused extends Error implements Refusal {
  override readonly name = 'DeliveryRefused';

  constructor(
    readonly reason: Refusal['reason'],
    message: string,
    readonly faults: readonly string[] = [],
  ) {
    super(message);
  }
}
