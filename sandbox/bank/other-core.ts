import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pino } from 'pino';
import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import { isCoreError } from '../../packages/core-adapter/core-error.js';
import type { CoreAccount } from '../../packages/core-adapter/core.records.js';
import { coreHttp } from '../../packages/core-adapter/http-core.client.js';
import { adapterServices } from '../../src/adapters/adapter-services.js';
import { createCoreAdapter } from '../../src/adapters/load-adapter.js';
import type { Clock } from '../../src/clock/clock.js';
import { BootError } from '../../src/config/boot-error.js';
import { loadConfig } from '../../src/config/load-config.js';
import { Metrics } from '../../src/observability/metrics.js';
import { freeText } from '../../src/open-banking/free-text.js';
import { type Debtor, debtorOf } from './debtor.js';
import type { Persona } from './personas/persona.js';

interface ListedAccount extends Pick<CoreAccount, 'ref' | 'product'> {
  /** Its name in `CORES`; missing for a single core. */
  readonly core?: string;
  /** Missing where the account can be read. */
  readonly state?: 'not-permitted';
  /** Missing where a TPP cannot name the account. */
  readonly debtor?: Debtor;
}

/** The accounts of a customer. `fault` gives the reason of an empty list in one line. */
interface ListedAccounts {
  readonly accounts: readonly ListedAccount[];
  readonly fault?: string;
}

interface OpenedCore {
  /** In `CORES`; missing for a single core. */
  readonly name?: string;
  readonly adapter: CoreAdapter;
  readonly deadlineMs: number;
}

/** Cores that are not the sandbox's: the sandbox bank only lists the accounts of their customers. */
export class OtherCores {
  private opened: Promise<readonly OpenedCore[]> | undefined;

  /** @param open is called at the first list: the gateway has checked the settings before, and named each fault */
  constructor(private readonly open: () => Promise<readonly OpenedCore[]>) {}

  async accountsOf({ person, refs = {} }: Pick<Persona, 'person' | 'refs'>): Promise<ListedAccounts> {
    try {
      const cores = await this.cores();
      const lists = await Promise.all(
        cores.map((core) => accountsAt(core, (core.name === undefined ? undefined : refs[core.name]) ?? person.key)),
      );
      const accounts = lists.flatMap((list) => list.accounts);
      // A customer need not have accounts at every core.
      return accounts.length > 0 ? { accounts } : without(lists.map(({ fault }) => fault).join('; '));
    } catch (error) {
      return without(`the accounts of customer ${person.key} cannot be listed: ${reasonOf(error)}`);
    }
  }

  private cores(): Promise<readonly OpenedCore[]> {
    this.opened ??= this.open().catch((error: unknown) => {
      // The next list tries again.
      this.opened = undefined;
      throw error;
    });
    return this.opened;
  }

  async close(): Promise<void> {
    const cores = (await this.opened?.catch(() => undefined)) ?? [];
    await Promise.all(cores.map(({ adapter }) => adapter.close()));
  }
}

async function accountsAt({ name, adapter, deadlineMs }: OpenedCore, customerRef: string): Promise<ListedAccounts> {
  try {
    const signal = AbortSignal.timeout(deadlineMs);
    const read = { interactionId: randomUUID(), customerRef, customerPresent: true, signal };
    const { items, bad } = await adapter.accounts(read);
    const accounts = items.map((account): ListedAccount => {
      const debtor = debtorOf(account);
      return {
        ...(name !== undefined && { core: name }),
        ref: account.ref,
        product: account.product,
        ...(!account.permitted && { state: 'not-permitted' }),
        ...(debtor && { debtor }),
      };
    });
    if (accounts.length > 0) return { accounts };
    const [first] = bad;
    return without(
      first === undefined
        ? `the core "${name ?? adapter.name}" lists no accounts of customer ${customerRef}`
        : `no account of customer ${customerRef} can be read: ${first.where}: ${first.fault}`,
    );
  } catch (error) {
    return without(`the accounts of customer ${customerRef} cannot be listed: ${reasonOf(error)}`);
  }
}

/** The cores that the settings of the gateway name, through the gateway's adapters. */
export async function openConfiguredCores(
  environment: Readonly<NodeJS.ProcessEnv>,
  clock: Clock,
): Promise<readonly OpenedCore[]> {
  const { cores, database } = loadConfig(environment);
  // The gateway has the same adapters: their lines and metrics are there, and its files stay its own.
  const log = pino({ level: 'silent' });
  const dataDir = join(database.dataDir, 'sandbox');
  const process = { log, clock, metrics: new Metrics(log), http: coreHttp, dataDir };
  const opened: OpenedCore[] = [];
  try {
    for (const core of cores) {
      const services = adapterServices(process, () => core.name ?? core.adapter);
      const adapter = await createCoreAdapter(core.adapter, core, services, core.name);
      opened.push({ ...(core.name !== undefined && { name: core.name }), adapter, deadlineMs: core.deadlineMs });
    }
  } catch (error) {
    await Promise.all(opened.map(({ adapter }) => adapter.close()));
    throw error;
  }
  return opened;
}

function without(fault: string): ListedAccounts {
  return { accounts: [], fault };
}

/** In the adapter's words, which are for the bank; another error may hold the core's. */
function reasonOf(error: unknown): string {
  if (isCoreError(error)) return freeText(error.detail);
  if (error instanceof BootError) return error.message;
  return `the adapter threw ${error instanceof Error ? error.name : 'something'} where only CoreError may be thrown`;
}
