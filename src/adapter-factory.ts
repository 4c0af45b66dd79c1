import { Injectable, type Type } from '@nestjs/common';
import { ContextIdFactory, ModuleRef } from '@nestjs/core';
import { isAbsolute } from 'node:path';
import type { CoreAdapter } from '../packages/core-adapter/core.adapter.js';
import { CoreSettingFault, type CoreSettings } from '../packages/core-adapter/core-settings.js';
import { BootError } from './config/boot-error.js';
import type { GatewayConfig } from './config/config.js';
import { refuseNearNames } from './config/near-names.js';
import { isSecretSetting } from './config/secrets.js';
import { settingNames } from './config/setting-names.js';
import { adapters } from './core-banking/adapters/registry.js';
import { customerAuthentications } from './customer-authentication/adapters/registry.js';
import type { CustomerAuthentication } from './customer-authentication/customer-authentication.js';
import { type CreateAdapter, outsideAdapter } from './outside-adapter.js';

/** Has Nest create adapters, so that each can inject what it needs beside its settings. */
@Injectable()
export class AdapterFactory {
  constructor(private readonly nest: ModuleRef) {}

  /** @throws BootError */
  async core(name: string, settings: CoreSettings): Promise<CoreAdapter> {
    const create = await this.creatorOf(name);
    const read = new Set<string>();
    const variables = new Proxy(settings.variables, {
      get: (all, variable) => (read.add(String(variable)), all[String(variable)]),
    });
    const misspelt = (): string[] => misspeltVariables(settings.variables, read);
    try {
      const adapter = await create({ ...settings, variables });
      if (misspelt().length === 0) return adapter;
      await adapter.close();
    } catch (error) {
      if (!(error instanceof CoreSettingFault)) throw error;
      throw new BootError(`settings of the core "${name}": ${[...misspelt(), error.message].join('; ')}`);
    }
    throw new BootError(`settings of the core "${name}": ${misspelt().join('; ')}`);
  }

  /** `undefined` where the gateway has no authorization server that would ask. @throws BootError */
  async customers({
    authorisationServer,
    customerAuthentication: settings,
  }: Pick<GatewayConfig, 'authorisationServer' | 'customerAuthentication'>): Promise<
    CustomerAuthentication | undefined
  > {
    if (authorisationServer === undefined || settings === undefined) return undefined;
    return this.create(await named(customerAuthentications, 'CUSTOMER_AUTHENTICATION', settings.name)(), settings);
  }

  private async creatorOf(name: string): Promise<CreateAdapter> {
    if (isAbsolute(name)) return outsideAdapter(name);
    const load = named(adapters, 'CORE', name, ', or to the absolute path of an adapter’s module');
    return async (settings) => this.create(await load(), settings);
  }

  /** The settings are those of one creation: after a renewal the next adapter gets others. */
  private create<T>(adapter: Type<T>, settings: object): Promise<T> {
    const creation = ContextIdFactory.create();
    this.nest.registerRequestByContextId(settings, creation);
    return this.nest.create(adapter, creation);
  }
}

function named<T>(registry: Readonly<Record<string, T>>, setting: string, name: string, orElse = ''): T {
  const registered = Object.hasOwn(registry, name) ? registry[name] : undefined;
  if (registered !== undefined) return registered;
  throw new BootError(
    `${setting} "${name}" is not known: set it to one of ${Object.keys(registry).join(', ')}${orElse}`,
  );
}

/** The variables that an adapter reads are its settings: a line for each variable that is nearly one of them. */
function misspeltVariables(variables: CoreSettings['variables'], read: ReadonlySet<string>): string[] {
  const faults: string[] = [];
  const files = [...read].filter(isSecretSetting).map((secret) => `${secret}_FILE`);
  refuseNearNames(variables, new Set([...settingNames, ...read, ...files]), faults);
  return faults;
}
