import { CoreError } from '../../packages/core-adapter/core-error.js';
import { unlessAborted } from '../../packages/core-adapter/unless-aborted.js';

/** Lets a fixed number of callers work at a time; the others wait in the order of their arrival. */
export class ConnectionQueue {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** Resolves when it is the caller's turn, who has to {@link leave} then. Rejects when the signal fires before. */
  async take(signal: AbortSignal): Promise<void> {
    let start = (): void => undefined;
    const turn = new Promise<void>((resolve) => (start = resolve));
    if (this.free > 0) {
      this.free--;
      start();
    } else {
      this.waiting.push(start);
    }
    try {
      await unlessAborted(signal, turn, () => new CoreError('timeout', 'the core was not asked: it is too late'));
    } catch (error) {
      const place = this.waiting.indexOf(start);
      if (place >= 0) this.waiting.splice(place, 1);
      // The turn came at the same moment as the signal.
      else this.leave();
      throw error;
    }
  }

  leave(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free++;
    else next();
  }
}
