import { BootError } from './config/boot-error.js';
import type { GatewayConfig } from './config/config.js';
import { refuseNearNames } from './config/near-names.js';
import { isSecretSetting } from './config/secrets.js';
import { settingNames } from './config/setting-names.js';
import type { CoreAdapter } from '../packages/core-adapter/core.adapter.js';
import { customerAuthentications } from './customer-authentication/adapters/registry.js';
import type { CustomerAuthentication } from './customer-authentication/customer-authentication.js';
import { adapters } from './core-banking/adapters/registry.js';
import { coreFaultLine } from './observability/core-fault-line.js';
import { CoreSettingFault, type CoreSettings } from '../packages/core-adapter/core-settings.js';
import type { Profile } from './profiles/profile.js';
import { endpoints } from './resources/endpoints.js';

export async function createAdapter(name: string, settings: CoreSettings): Promise<CoreAdapter> {
  const create = Object.hasOwn(adapters, name) ? adapters[name] : undefined;
  if (create === undefined)
    throw new BootError(`CORE "${name}" is not known: set it to one of ${Object.keys(adapters).join(', ')}`);
  const read = new Set<string>();
  const variables = new Proxy(settings.variables, {
    get: (all, variable) => (read.add(String(variable)), all[String(variable)]),
  });
  const unheard = (): string[] => misspelt(settings.variables, read);
  try {
    const adapter = await create({ ...settings, variables });
    if (unheard().length === 0) return adapter;
    await adapter.close();
  } catch (error) {
    if (!(error instanceof CoreSettingFault)) throw error;
    throw new BootError(`settings of the core "${name}": ${[...unheard(), error.message].join('; ')}`);
  }
  throw new BootError(`settings of the core "${name}": ${unheard().join('; ')}`);
}

/** What an adapter reads are its settings: a line for each variable that is nearly one of them. */
function misspelt(variables: CoreSettings['variables'], read: ReadonlySet<string>): string[] {
  const faults: string[] = [];
  const files = [...read].filter(isSecretSetting).map((secret) => `${secret}_FILE`);
  refuseNearNames(variables, new Set([...settingNames, ...read, ...files]), faults);
  return faults;
}

/** Who the customer is, where the embedded authorization server has to know. */
export async function createCustomerAuthentication({
  authorisationServer,
  customerAuthentication: settings,
}: Pick<GatewayConfig, 'authorisationServer' | 'customerAuthentication'>): Promise<CustomerAuthentication | undefined> {
  if (authorisationServer === undefined || settings === undefined) return undefined;
  const { name } = settings;
  const create = Object.hasOwn(customerAuthentications, name) ? customerAuthentications[name] : undefined;
  if (create === undefined)
    throw new BootError(
      `CUSTOMER_AUTHENTICATION "${name}" is not known: set it to one of ${Object.keys(customerAuthentications).join(', ')}`,
    );
  return create(settings);
}

/**
 * Refuses a profile that promises what the core cannot serve: an empty list in its place would tell a lender "no direct
 * debits" of a customer who has some.
 */
export function refuseEmptyPromises(profile: Profile, adapter: CoreAdapter): void {
  const reasons = endpoints.flatMap(({ name, read }) =>
    read === 'accounts' || profile.endpoints[name] === undefined || adapter[read] !== undefined
      ? []
      : [`${name} (${adapter.missing[read] ?? 'no reason given'})`],
  );
  if (reasons.length === 0) return;
  throw new BootError(
    `PROFILE ${profile.name} promises ${reasons.join(', ')}, which the core "${adapter.name}" cannot serve: ` +
      'choose another profile, or give the adapter those reads',
  );
}

const pauseMs = 100;

/** Waits for a core that is starting at the same time as we are, and no longer: whatever it is, only an answer ends it. */
export async function awaitCore(adapter: CoreAdapter, url: string, patienceMs: number): Promise<void> {
  const patience = AbortSignal.timeout(patienceMs);
  let lastFault: unknown;
  for (;;) {
    try {
      await adapter.health(patience);
      return;
    } catch (error) {
      // That we broke a call off says less than how the one before it ended.
      if (!patience.aborted || lastFault === undefined) lastFault = error;
      if (patience.aborted)
        throw new BootError(
          coreFaultLine(adapter.name, lastFault, ` at ${withoutCredentials(url)}`, ': start it, or set CORE_URL'),
        );
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

function withoutCredentials(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}
