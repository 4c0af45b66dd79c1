import type { CoreBanking } from '../core-banking/core-banking.js';
import { coreFaultLine } from '../http/core-fault-line.js';

/** What readiness asks of the store. */
export interface Pingable {
  ping(): Promise<void>;
}

const patienceMs = 2_000;

/** Whether requests can be answered now: the store and the core both answer. */
export class Readiness {
  constructor(
    private readonly store: Pingable,
    private readonly core: CoreBanking,
  ) {}

  private stopping = false;

  /** From now on the gateway is not ready, whatever else holds: it answers what still comes and is about to end. */
  stop(): void {
    this.stopping = true;
  }

  /** One line for each thing that is away; empty when the gateway is ready. */
  async faults(): Promise<string[]> {
    // Without asking anybody: a balancer that hears of it late sends requests to nobody.
    if (this.stopping) return ['stopping'];
    const signal = AbortSignal.timeout(patienceMs);
    const checks: [(error: unknown) => string, Promise<void>][] = [
      [() => 'the database does not answer', this.store.ping()],
      [(error) => coreFaultLine(this.core.coreName, error), this.core.health(signal)],
    ];
    const late = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('late')), { once: true });
    });
    const outcomes = await Promise.allSettled(checks.map(([, check]) => Promise.race([check, late])));
    if (this.stopping) return ['stopping'];
    return checks.flatMap(([faultLine], index) => {
      const outcome = outcomes[index];
      return outcome?.status === 'rejected' ? [faultLine(outcome.reason)] : [];
    });
  }
}
