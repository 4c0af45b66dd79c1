import { type StackState, stateOf } from '../actions/view.js';
import type { Stack } from '../clients/stack.js';

/** Browsers that ask at the same time share one read of the stack, and it is read again only after a change. */
export class StackView {
  private reading: Promise<StackState> | undefined;

  constructor(private readonly stack: Stack) {}

  state(): Promise<StackState> {
    if (this.reading === undefined) {
      const reading = stateOf(this.stack);
      this.reading = reading;
      // A failed read is not kept: the next page reads again.
      reading.catch(() => this.changed());
    }
    return this.reading;
  }

  /** The state that is known may be out of date. */
  changed(): void {
    this.reading = undefined;
  }
}
