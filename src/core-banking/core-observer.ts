import type { CoreErrorKind } from '../../packages/core-adapter/core-error.js';
import type { BadRecord, UnreadField } from '../../packages/core-adapter/core.adapter.js';

/** The sum of the reads of one request. */
export interface ReadTally {
  /** The names of the cores that were asked, with commas between them. */
  core: string;
  /** How long the request waited for them, in milliseconds. Reads of several cores run side by side. */
  coreMs: number;
  badRecords: number;
}

/** The trace of a request, as far as reads are concerned. */
export interface ReadTrace {
  /** Begins the span of a read. */
  read(core: string, read: string): ReadSpan;
}

export interface ReadSpan {
  /** The header `traceparent` of W3C Trace Context for the core. */
  readonly traceparent: string;
  end(outcome: CoreOutcome): void;
}

/** How a read ended; `refused`: the reader had too many waiting; `fault`: a bug, caused by neither the core nor the TPP. */
export type CoreOutcome = 'ok' | CoreErrorKind | 'refused' | 'abandoned' | 'fault';

/** Reports every read to metrics and the log, without any customer's data. */
export interface CoreObserver {
  /** The name that operators gave to the core. */
  readonly core: string;
  read(read: string, outcome: CoreOutcome, durationMs: number): void;
  /** The core failed, and was asked once more within the same read. */
  retried(read: string): void;
  /** An identical read was under way, so the core was not asked again. */
  shared(read: string): void;
  /** One read more, or one less, waits for a connection. */
  waiting(change: 1 | -1): void;
  /** The circuit of one reader opened or closed. */
  circuit(change: 'opened' | 'closed'): void;
  badRecords(read: string, bad: readonly BadRecord[], interactionId: string): void;
  /** Optional fields that good records lack in the answer, because they could not be read. */
  unreadFields(read: string, unread: readonly UnreadField[], interactionId: string): void;
}
