import { Inject, Module, type BeforeApplicationShutdown, type DynamicModule } from '@nestjs/common';
import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import { AdapterFactory } from '../adapters/adapter-factory.js';
import { AdaptersModule } from '../adapters/adapters.module.js';
import { BootError } from '../config/boot-error.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { CORE_ADAPTER } from '../core-banking/core-banking.module.js';
import {
  CUSTOMER_AUTHENTICATION,
  type CustomerAuthentication,
} from '../customer-authentication/customer-authentication.js';
import { PROFILE, type Profile } from '../profiles/profile.js';
import { refuseEmptyPromises, refuseUnknownProducts } from './promised-reads.js';

/** Tests give their own. */
export interface GivenSystems {
  readonly adapter?: CoreAdapter;
  readonly customers?: CustomerAuthentication;
}

/** The bank's systems that the gateway asks, by the adapters that the settings name: made here, and closed here. */
@Module({})
export class BankSystemsModule implements BeforeApplicationShutdown {
  constructor(
    @Inject(CORE_ADAPTER) private readonly core: CoreAdapter,
    @Inject(CUSTOMER_AUTHENTICATION) private readonly customers: CustomerAuthentication | undefined,
  ) {}

  static forRoot(given: GivenSystems): DynamicModule {
    return {
      module: BankSystemsModule,
      imports: [AdaptersModule],
      global: true,
      providers: [
        {
          provide: CORE_ADAPTER,
          inject: [AdapterFactory, GATEWAY_CONFIG, PROFILE],
          useFactory: (factory: AdapterFactory, config: GatewayConfig, profile: Profile) =>
            given.adapter ?? configuredCore(factory, config, profile),
        },
        {
          provide: CUSTOMER_AUTHENTICATION,
          inject: [AdapterFactory, GATEWAY_CONFIG],
          useFactory: (factory: AdapterFactory, config: GatewayConfig) =>
            given.customers ?? configuredCustomers(factory, config),
        },
      ],
      exports: [CORE_ADAPTER, CUSTOMER_AUTHENTICATION],
    };
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.core.close(), this.customers?.close()]);
  }
}

async function configuredCore(
  factory: AdapterFactory,
  { core }: GatewayConfig,
  profile: Profile,
): Promise<CoreAdapter> {
  const adapter = await factory.core(core.name, core);
  refuseUnknownProducts(profile, adapter);
  refuseEmptyPromises(profile, adapter);
  return adapter;
}

/** `undefined` where the gateway has no authorization server that would ask. */
async function configuredCustomers(
  factory: AdapterFactory,
  config: GatewayConfig,
): Promise<CustomerAuthentication | undefined> {
  const customers = await factory.customers(config);
  if (customers === undefined && config.authorisationServer !== undefined)
    throw new BootError(
      'AUTHORISATION_SERVER=embedded needs to know customers: set CUSTOMER_AUTHENTICATION_URL and CUSTOMER_AUTHENTICATION_CREDENTIAL',
    );
  return customers;
}
