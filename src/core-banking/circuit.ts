/** The number of latest reads that decide, and the smallest number that can open the circuit. */
const [windowReads, leastReads] = [40, 10] as const;
/** How long an open circuit blocks reads, and again after each failed probe. */
export const circuitOpenMs = 1_000;

/** How a read in the window ended: `false` for success, `true` for a failure, the customer for a late read. */
type Outcome = boolean | string;

/**
 * The circuit breaker of one reader. It opens when half of the latest reads failed. Then it admits one probe at a time,
 * until one succeeds. All late reads of one customer count as one, because one slow account says nothing about the
 * others. (No library's breaker takes the customer into account.)
 */
export class Circuit {
  private readonly window: Outcome[] = new Array<Outcome>(windowReads).fill(false);
  private next = 0;
  private reads = 0;
  private failures = 0;
  private open = false;
  private probing = false;
  private probeFromMs = 0;

  get isOpen(): boolean {
    return this.open;
  }

  /** Whether a read may be made now. */
  admits(nowMs: number): boolean {
    return !this.open || (!this.probing && nowMs >= this.probeFromMs);
  }

  /** Begins an admitted read. @returns whether it is the probe */
  begin(): boolean {
    this.probing = this.open;
    return this.probing;
  }

  /** @returns whether the circuit closed */
  succeeded(probe: boolean): boolean {
    // Nearly always nothing in the window failed, and there is nothing to write into it.
    if (probe) this.close();
    else if (this.failures > 0) this.note(false);
    else if (this.reads < windowReads) this.reads++;
    return probe;
  }

  /** @returns whether the circuit opened. @param lateFor the customer, if the read was late */
  failed(probe: boolean, nowMs: number, lateFor: string | undefined): boolean {
    if (!probe) {
      // A read that began before the circuit opened says nothing new.
      if (this.open || (lateFor !== undefined && this.window.includes(lateFor))) return false;
      this.note(lateFor ?? true);
      if (this.reads < leastReads || this.failures * 2 < this.reads) return false;
    }
    this.open = true;
    this.probing = false;
    this.probeFromMs = nowMs + circuitOpenMs;
    return !probe;
  }

  /** The read ended without a result from the core. If it was the probe, the next read is the probe. */
  undecided(probe: boolean): void {
    if (probe) this.probing = false;
  }

  private close(): void {
    this.open = false;
    this.probing = false;
    this.window.fill(false);
    this.reads = 0;
    this.failures = 0;
  }

  private note(outcome: Outcome): void {
    if (this.window[this.next] !== false) this.failures--;
    if (outcome !== false) this.failures++;
    this.window[this.next] = outcome;
    this.next = (this.next + 1) % windowReads;
    if (this.reads < windowReads) this.reads++;
  }
}
