/** The only place that reads the time; tests put their own clock here. */
export abstract class Clock {
  /** Milliseconds since 1970, UTC. */
  abstract nowMs(): number;
}

export class SystemClock extends Clock {
  override nowMs(): number {
    return Date.now();
  }
}
