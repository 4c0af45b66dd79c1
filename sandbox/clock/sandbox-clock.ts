import { Clock, SystemClock } from '../../src/clock/clock.js';

/**
 * The time of the sandbox's bank: the machine's time plus the offset that users have added. It never goes back, because
 * records written at a later time would then be in the future. Only the sandbox has this class: no setting of a gateway
 * and no file of its image can create it.
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
