import { Clock } from '../../src/clock/clock.js';

/** A clock that stands still until a test moves it. */
export class FakeClock extends Clock {
  constructor(private ms: number) {
    super();
  }

  override nowMs(): number {
    return this.ms;
  }

  advance(ms: number): void {
    this.ms += ms;
  }

  set(ms: number): void {
    this.ms = ms;
  }
}
