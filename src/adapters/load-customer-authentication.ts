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
import { type AdapterPort, makeAdapter } from './adapter-module.js';

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
 * @param name see {@link makeAdapter}
 * @throws BootError
 */
export function loadCustomerAuthentication(
  name: string,
  settings: CustomerAuthenticationSettings,
  services: CustomerAuthenticationServices,
): Promise<CustomerAuthentication> {
  const wanted = {
    setting: 'CUSTOMER_AUTHENTICATION',
    name,
    settingFault: (error: unknown) =>
      isSignOnSettingFault(error)
        ? new BootError(`settings of the customer authentication "${name}": ${error.message}`)
        : undefined,
    faultsOf,
  };
  return makeAdapter<Parameters<CreateCustomerAuthentication>, CustomerAuthentication>(
    signOnPort,
    wanted,
    services.logger,
    settings,
    services,
  );
}

function faultsOf(adapter: Readonly<Record<string, unknown>>): string[] {
  return [
    ...(typeof adapter['asksCredentials'] === 'boolean' ? [] : ['asksCredentials is neither true nor false']),
    ...['begin', 'continue', 'close'].flatMap((method) =>
      typeof adapter[method] === 'function' ? [] : [`${method} is not a function`],
    ),
  ];
}
