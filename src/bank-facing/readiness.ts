import { atMostEvery } from '../clock/at-most-every.js';
import { monotonicMs } from '../clock/monotonic.js';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import type { GuardedCore } from '../core-banking/cores.js';
import { coreFaultLine } from '../observability/core-fault-line.js';
import type { Database } from '../persistence/database.js';
import type { Listeners } from '../server/listeners.js';

/** Returns one line for each fault, in the gateway's words. */
type HealthCheck = () => readonly string[] | Promise<readonly string[]>;

/** For the database and each need. A core has the time that it has for a read. */
const patienceMs = 2_000;
/** The least time between two questions to the database and to each need, for any number of callers. */
const askedAgainMs = 1_000;

type AskedCore = Pick<GuardedCore, 'name' | 'deadlineMs'> & {
  readonly banking: Pick<GuardedCore['banking'], 'health'>;
};

/** The state of each part that answers need, with one line for each fault. */
interface PartsState {
  readonly database: readonly string[];
  readonly cores: readonly { readonly name: string; readonly faults: readonly string[] }[];
  readonly others: readonly string[];
}

/** Whether requests can be answered now. */
export class Readiness {
  private readonly added: HealthCheck[] = [];
  private readonly write: () => Promise<void>;
  private readonly read: () => Promise<void>;

  constructor(
    database: Pick<Database, 'ping' | 'read'>,
    private readonly cores: readonly AskedCore[],
    private readonly listeners: Pick<Listeners, 'stopping'>,
    nowMs = monotonicMs,
  ) {
    this.write = atMostEvery(askedAgainMs, () => database.ping(), nowMs);
    this.read = atMostEvery(askedAgainMs, () => database.read(), nowMs);
  }

  /** Adds a further condition of serving requests, and so of readiness. */
  needs(check: HealthCheck): void {
    this.added.push(check);
  }

  /** One line for each thing that is unreachable; empty when every kind of request can be answered. */
  async faults(): Promise<string[]> {
    // At once, without a question to core or database: a balancer that learns it late sends requests to a closed port.
    if (this.listeners.stopping) return stops;
    const { database, cores, others } = await this.parts();
    if (this.listeners.stopping) return stops;
    return [...database, ...cores.flatMap(({ faults }) => faults), ...others];
  }

  /** Asks every part; takes at most two seconds, or the longest deadline of a core. */
  async parts(): Promise<PartsState> {
    const [[database, ...others], cores] = await Promise.all([
      settled(AbortSignal.timeout(patienceMs), [
        lines(this.write(), databaseFaultLine),
        ...this.added.map(async (check) => check()),
      ]),
      Promise.all(this.cores.map(stateOfCore)),
    ]);
    return {
      database: faultsOf(database, [databaseUnreachable]),
      cores,
      others: others.flatMap((other) => faultsOf(other, [late])),
    };
  }

  /** Whether the database answers no query. */
  async isDatabaseUnreachable(): Promise<boolean> {
    const [database] = await settled(AbortSignal.timeout(patienceMs), [lines(this.read(), databaseFaultLine)]);
    return faultsOf(database, [databaseUnreachable]).length > 0;
  }

  /**
   * The same for reads of account information. Reads continue where the database accepts no changes, or where the core is
   * unreachable (which is a 503 with Retry-After).
   */
  async servingFaults(): Promise<string[]> {
    if (this.listeners.stopping) return stops;
    const [database, ...others] = await settled(AbortSignal.timeout(patienceMs), [
      lines(this.read(), databaseFaultLine),
      ...this.added.map(async (check) => check()),
    ]);
    return [...faultsOf(database, [databaseUnreachable]), ...others.flatMap((other) => faultsOf(other, [late]))];
  }
}

const stops = ['stopping'];
const databaseUnreachable = 'the database does not answer';
const late = 'a check failed or did not end in time';

/** A core that is slow, and answers reads before their deadline, is not away. */
async function stateOfCore({ name, banking, deadlineMs }: AskedCore): Promise<PartsState['cores'][number]> {
  const signal = AbortSignal.timeout(deadlineMs);
  const [outcome] = await settled(signal, [lines(banking.health(signal), (error) => coreFaultLine(name, error))]);
  return { name, faults: faultsOf(outcome, [coreFaultLine(name, new CoreError('timeout', late))]) };
}

function databaseFaultLine(error: unknown): string {
  const { code, why = code } = error as { code?: unknown; why?: unknown };
  switch (why) {
    case 'standby':
      return 'the database is a standby';
    case '25006':
      return 'the database is read-only';
    case '53100':
      return 'the disk of the database is full';
    case '42501':
      return 'the database does not permit changes';
    case '55P03':
      return 'a table of the database is locked: changes wait';
    default:
      return databaseUnreachable;
  }
}

type Outcome = PromiseSettledResult<readonly string[]>;

function lines(check: Promise<void>, faultLine: (error: unknown) => string): Promise<readonly string[]> {
  return check.then(
    () => [],
    (error: unknown) => [faultLine(error)],
  );
}

function settled(
  signal: AbortSignal,
  checks: readonly (readonly string[] | Promise<readonly string[]>)[],
): Promise<Outcome[]> {
  const inTime = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('late')), { once: true });
  });
  return Promise.allSettled(checks.map((check) => Promise.race([check, inTime])));
}

function faultsOf(outcome: Outcome | undefined, otherwise: readonly string[]): readonly string[] {
  return outcome?.status === 'fulfilled' ? outcome.value : otherwise;
}
