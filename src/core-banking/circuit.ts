/** How many of the latest reads the circuit is judged by, and with how few it is not judged at all. */
const [windowReads, leastReads] = [40, 10] as const;
/** How long the core is then not asked, and again after each probe that failed. */
export const circuitOpenMs = 1_000;

/** How a read in the window ended: false is well. One that was late is told by its customer. */
type Outcome = boolean | string;

/**
 * The circuit breaker of one reader. It opens when half of the latest reads failed; then the core is asked nothing but one
 * probe at a time, until one succeeds. Of the reads of one customer that were late one counts, however many there are: a
 * slow account says nothing of the others. (No library's breaker can be told whose read failed.)
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

  /** A read that was admitted begins: whether it is the probe. */
  begin(): boolean {
    this.probing = this.open;
    return this.probing;
  }

  /** Gives whether the circuit closed. */
  succeeded(probe: boolean): boolean {
    // Nearly always nothing in the window failed, and there is nothing to write into it.
    if (probe) this.close();
    else if (this.failures > 0) this.note(false);
    else if (this.reads < windowReads) this.reads++;
    return probe;
  }

  /** Gives whether the circuit opened. @param lateFor the customer, where there was no answer in time */
  failed(probe: boolean, nowMs: number, lateFor: string | undefined): boolean {
    if (!probe) {
      // Reads that began before it opened tell nothing new.
      if (this.open || (lateFor !== undefined && this.window.includes(lateFor))) return false;
      this.note(lateFor ?? true);
      if (this.reads < leastReads || this.failures * 2 < this.reads) return false;
    }
    this.open = true;
    this.probing = false;
    this.probeFromMs = nowMs + circuitOpenMs;
    return !probe;
  }

  /** The read ended without telling anything of the core. After a probe the next read is one. */
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
