import { isPossible, keepTime } from './kept-time.js';
import type { SandboxClock } from './sandbox-clock.js';

export const moves = { '5m': 5 * 60_000, '15m': 15 * 60_000, '90d': 90 * 86_400_000 } as const;

export class ImpossibleMove extends Error {}

/** The time of the whole stack. It moves forward only, in every process, and is kept for the next start. */
export class StackTime {
  private last: Promise<void> = Promise.resolve();

  /** @param moveOthers moves the clocks of the other processes, and resolves once all have moved */
  constructor(
    readonly clock: SandboxClock,
    private readonly dataDir: string,
    private readonly moveOthers: (aheadMs: number) => Promise<void>,
  ) {}

  /** One after the other: two browsers that each move by a day move by two. */
  forward(byMs: number): Promise<void> {
    return (this.last = this.last.catch(() => undefined).then(() => this.move(this.clock.aheadMs + byMs)));
  }

  /** Moves the bank's time to this one. Throws {@link ImpossibleMove} for a time in the past. */
  forwardTo(atMs: number): Promise<void> {
    const byMs = atMs - this.clock.nowMs();
    if (!(byMs > 0)) return Promise.reject(new ImpossibleMove('The time moves forward only: choose a later time.'));
    return this.forward(Math.round(byMs));
  }

  private async move(aheadMs: number): Promise<void> {
    if (!isPossible(aheadMs))
      throw new ImpossibleMove('The time can be moved ten years ahead at most: remove the DATA_DIR to start again.');
    await keepTime(this.dataDir, aheadMs);
    this.clock.moveTo(aheadMs);
    await this.moveOthers(aheadMs);
  }
}
