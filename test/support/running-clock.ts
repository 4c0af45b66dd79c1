import { FakeClock } from './fake-clock.js';

/** Keeps the real time, so that other processes agree with it, until a test moves it on. */
export class RunningClock extends FakeClock {
  private aheadMs = 0;

  constructor() {
    super(0);
  }

  override nowMs(): number {
    return Date.now() + this.aheadMs;
  }

  override advance(ms: number): void {
    this.aheadMs += ms;
  }

  override set(ms: number): void {
    this.aheadMs = ms - Date.now();
  }
}
