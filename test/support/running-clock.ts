import { FakeClock } from './fake-clock.js';
import { realNowMs } from './real-time.js';

/** Keeps the real time, so that other processes agree with it, until a test moves it on. */
export class RunningClock extends FakeClock {
  constructor() {
    super(0);
  }

  override nowMs(): number {
    return realNowMs() + super.nowMs();
  }

  override set(ms: number): void {
    super.set(ms - realNowMs());
  }
}
