import { Clock, SystemClock } from '../../src/clock/clock.js';

/**
 * The time of the sandbox's bank: the machine's, and so much ahead of it as somebody moved it on. It never goes back, as
 * what was written at a later time would lie in the future. Only the sandbox has this class: no setting of a gateway and no
 * file of its image can make one.
 */
export class SandboxClock extends Clock {
  private readonly machine = new SystemClock();

  constructor(private ahead = 0) {
    super();
  }

  /** How far the bank's time is ahead of the machine's. */
  get aheadMs(): number {
    return this.ahead;
  }

  override nowMs(): number {
    return this.machine.nowMs() + this.ahead;
  }

  /** An earlier time changes nothing. */
  moveTo(aheadMs: number): void {
    this.ahead = Math.max(this.ahead, aheadMs);
  }
}
