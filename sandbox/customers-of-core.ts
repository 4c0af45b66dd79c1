import { FaultyStart } from './faulty-start.js';
import type { SandboxConfig } from './sandbox.config.js';

/** Throws a {@link FaultyStart} where the settings name another core and not its customers, or the other way round. */
export function refuseCoreWithoutCustomers({
  core,
  hasSeveralCores,
  hasOwnCore,
  customers,
  environment,
}: Pick<SandboxConfig, 'core' | 'hasSeveralCores' | 'hasOwnCore' | 'customers' | 'environment'>): void {
  if (hasSeveralCores && customers === undefined)
    throw new FaultyStart(
      'the sandbox does not know the customers of the cores that CORES names: set SANDBOX_CUSTOMERS to the ' +
        'references of some, with commas between them',
    );
  if (hasSeveralCores) return;
  if (core !== 'ledger' && !environment.CORE_URL?.trim())
    throw new FaultyStart('CORE names another core than the sandbox’s, and CORE_URL is not set: set it to its address');
  if (hasOwnCore && customers !== undefined)
    throw new FaultyStart('SANDBOX_CUSTOMERS is for another core than the sandbox’s: set CORE and CORE_URL too');
  if (!hasOwnCore && customers === undefined)
    throw new FaultyStart(
      'the sandbox does not know the customers of the core that CORE_URL names: set SANDBOX_CUSTOMERS to the ' +
        'references of some, with commas between them',
    );
}
