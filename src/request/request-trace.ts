import type { ReadTrace } from '../core-banking/core-observer.js';
import type { CheckName } from '../open-banking/checks.js';

/** The trace of a request, where traces are taken: its parts become spans within the request's. */
export interface RequestTrace extends ReadTrace {
  /** Begins the span of a check. */
  check(name: CheckName): CheckSpan;
}

export interface CheckSpan {
  end(refused: boolean): void;
}
