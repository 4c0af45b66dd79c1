/** Only this class reads the time; tests put their own clock here. */
export abstract class Clock {
  /** Milliseconds since 1970, UTC. */
  abstract nowMs(): number;
}

/**
 * The time of the bank's consents, its customers' authentications and their visits. It is the time of {@link Clock}, except
 * in a sandbox that moves its bank's time on. The times that TPPs, issuers and certificates state stay in the time of
 * {@link Clock}, because their clocks do not move.
 */
export abstract class BankClock extends Clock {}

export class SystemClock extends Clock {
  override nowMs(): number {
    return Date.now();
  }
}
