import type { CoreBanking } from '../core-banking/core-banking.js';
import { CoreError } from '../core-banking/core-error.js';
import { freeText } from '../open-banking/free-text.js';

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

  /** One line for each thing that is away; empty when the gateway is ready. */
  async faults(): Promise<string[]> {
    const signal = AbortSignal.timeout(patienceMs);
    const checks: [string, Promise<void>][] = [
      ['the database', this.store.ping()],
      [`the core "${this.core.coreName}"`, this.core.health(signal)],
    ];
    const late = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('late')), { once: true });
    });
    const outcomes = await Promise.allSettled(checks.map(([, check]) => Promise.race([check, late])));
    return checks.flatMap(([what], index) => {
      const outcome = outcomes[index];
      return outcome?.status === 'rejected' ? [faultOf(what, outcome.reason)] : [];
    });
  }
}

/** An adapter's detail of an answer is made for the bank to read; of any other error nothing is repeated. */
function faultOf(what: string, error: unknown): string {
  return error instanceof CoreError && error.kind === 'bad-record'
    ? `${what} is not ready: ${freeText(error.detail)}`
    : `${what} does not answer`;
}
