import { isAbsolute } from 'node:path';
import {
  SignOnSettingFault,
  type CreateCustomerAuthentication,
  type CustomerAuthentication,
  type CustomerAuthenticationServices,
  type CustomerAuthenticationSettings,
} from '../../packages/customer-authentication/published-port.js';
import { BootError } from '../config/boot-error.js';
import { customerAuthentications } from '../customer-authentication/adapters/registry.js';
import { loaded, registered } from './load-adapter.js';

const setting = 'CUSTOMER_AUTHENTICATION';

/**
 * Creates the adapter of the bank's sign-on.
 *
 * @param name in the registry, or the absolute path of a module that a bank keeps outside the gateway. The module's code
 * runs with all rights of the gateway: only the operator names it.
 * @throws BootError
 */
export async function loadCustomerAuthentication(
  name: string,
  settings: CustomerAuthenticationSettings,
  services: CustomerAuthenticationServices,
): Promise<CustomerAuthentication> {
  const { createCustomerAuthentication: create } = isAbsolute(name)
    ? await loaded<{ readonly createCustomerAuthentication?: CreateCustomerAuthentication }>(setting, name)
    : await registered(customerAuthentications, setting, name, ', or to the absolute path of an adapter’s module')();
  if (typeof create !== 'function')
    throw new BootError(
      `${setting} "${name}" exports no function createCustomerAuthentication: export one that takes the sign-on’s settings and the gateway’s services`,
    );
  const adapter = await created(create, name, settings, services);
  const faults = faultsOf(adapter);
  if (faults.length === 0) return adapter;
  throw new BootError(`${setting} "${name}": createCustomerAuthentication made no adapter: ${faults.join(', ')}`);
}

async function created(
  create: CreateCustomerAuthentication,
  name: string,
  ...given: Parameters<CreateCustomerAuthentication>
): Promise<CustomerAuthentication> {
  try {
    return await create(...given);
  } catch (error) {
    if (!(error instanceof SignOnSettingFault)) throw error;
    throw new BootError(`settings of the customer authentication "${name}": ${error.message}`);
  }
}

/** The faults that the compiler finds in an adapter that is written in TypeScript. */
function faultsOf(made: unknown): string[] {
  if (typeof made !== 'object' || made === null) return ['it is no object'];
  const adapter = made as Readonly<Record<string, unknown>>;
  const faults = ['begin', 'continue', 'close'].filter((method) => typeof adapter[method] !== 'function');
  return [
    ...(typeof adapter['asksCredentials'] === 'boolean' ? [] : ['asksCredentials is neither true nor false']),
    ...faults.map((method) => `${method} is no function`),
  ];
}
