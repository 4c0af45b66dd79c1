import { type StackState, stateOf } from '../actions/view.js';
import type { Stack } from '../clients/stack.js';

/**
 * Browsers that ask at the same time share one read of the stack. It is read again only after a change; but another core
 * than the sandbox's changes without a word, so its state is not kept.
 */
export class StackView {
  private reading: Promise<StackState> | undefined;

  constructor(private readonly stack: Stack) {}

  state(): Promise<StackState> {
    if (this.reading === undefined) {
      const reading = stateOf(this.stack);
      this.reading = reading;
      const changed = (): void => this.changed();
      // A failed read is not kept: the next page reads again.
      reading.then(this.stack.config.hasOwnCore ? undefined : changed, changed);
    }
    return this.reading;
  }

  /** The state that is known may be out of date. */
  changed(): void {
    this.reading = undefined;
  }
}
