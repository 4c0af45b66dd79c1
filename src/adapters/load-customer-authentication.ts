import {
  portVersion,
  type CreateCustomerAuthentication,
  type CustomerAuthentication,
  type CustomerAuthenticationServices,
  type CustomerAuthenticationSettings,
  isSignOnSettingFault,
} from '../../packages/customer-authentication/published-port.js';
import { BootError } from '../config/boot-error.js';
import { customerAuthentications } from '../customer-authentication/adapters/registry.js';
import { createFunction, type AdapterPort } from './adapter-module.js';

const setting = 'CUSTOMER_AUTHENTICATION';
const signOnPort: AdapterPort = {
  version: portVersion,
  entry: 'account-information-core-adapter/sign-on',
  creates: 'createCustomerAuthentication',
  settings: 'the sign-on’s settings',
  registry: customerAuthentications,
};

/**
 * Creates the adapter of the bank's sign-on.
 *
 * @param name see {@link createFunction}
 * @throws BootError
 */
export async function loadCustomerAuthentication(
  name: string,
  settings: CustomerAuthenticationSettings,
  services: CustomerAuthenticationServices,
): Promise<CustomerAuthentication> {
  const create = await createFunction<CreateCustomerAuthentication>(signOnPort, setting, name, services.logger);
  const adapter = await created(create, name, settings, services);
  const faults = faultsOf(adapter);
  if (faults.length === 0) return adapter;
  throw new BootError(`${setting} "${name}": createCustomerAuthentication returned no adapter: ${faults.join(', ')}`);
}

async function created(
  create: CreateCustomerAuthentication,
  name: string,
  ...given: Parameters<CreateCustomerAuthentication>
): Promise<CustomerAuthentication> {
  try {
    return await create(...given);
  } catch (error) {
    if (!isSignOnSettingFault(error)) throw error;
    throw new BootError(`settings of the customer authentication "${name}": ${error.message}`);
  }
}

/** The faults that the compiler finds in an adapter that is written in TypeScript. */
function faultsOf(made: unknown): string[] {
  if (typeof made !== 'object' || made === null) return ['it is not an object'];
  const adapter = made as Readonly<Record<string, unknown>>;
  const faults = ['begin', 'continue', 'close'].filter((method) => typeof adapter[method] !== 'function');
  return [
    ...(typeof adapter['asksCredentials'] === 'boolean' ? [] : ['asksCredentials is neither true nor false']),
    ...faults.map((method) => `${method} is not a function`),
  ];
}
