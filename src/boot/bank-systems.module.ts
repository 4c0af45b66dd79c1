import { Inject, Module, type BeforeApplicationShutdown, type DynamicModule } from '@nestjs/common';
import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import { AdapterFactory } from '../adapters/adapter-factory.js';
import { AdaptersModule } from '../adapters/adapters.module.js';
import { BootError } from '../config/boot-error.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import type { CoreConfig } from '../config/core-config.js';
import { CONFIGURED_CORES, type ConfiguredCore } from '../core-banking/core-banking.module.js';
import type { CustomerAuthentication } from '../../packages/customer-authentication/customer-authentication.js';
import { CUSTOMER_AUTHENTICATION } from '../customer-authentication/customer-authentication.js';
import { PROFILE, type Profile } from '../profiles/profile.js';
import { refuseEmptyPromises, refuseUnknownProducts } from './promised-reads.js';

/** Tests give their own. */
export interface GivenSystems {
  /** That of a single core. */
  readonly adapter?: CoreAdapter;
  readonly customers?: CustomerAuthentication;
}

/** The bank's systems that the gateway asks, by the adapters that the settings name: made here, and closed here. */
@Module({})
export class BankSystemsModule implements BeforeApplicationShutdown {
  constructor(
    @Inject(CONFIGURED_CORES) private readonly cores: readonly ConfiguredCore[],
    @Inject(CUSTOMER_AUTHENTICATION) private readonly customers: CustomerAuthentication | undefined,
  ) {}

  static forRoot(given: GivenSystems): DynamicModule {
    return {
      module: BankSystemsModule,
      imports: [AdaptersModule],
      global: true,
      providers: [
        {
          provide: CONFIGURED_CORES,
          inject: [AdapterFactory, GATEWAY_CONFIG, PROFILE],
          useFactory: (factory: AdapterFactory, config: GatewayConfig, profile: Profile) =>
            Promise.all(config.cores.map((core) => configuredCore(factory, core, profile, given.adapter))),
        },
        {
          provide: CUSTOMER_AUTHENTICATION,
          inject: [AdapterFactory, GATEWAY_CONFIG],
          useFactory: (factory: AdapterFactory, config: GatewayConfig) =>
            given.customers ?? configuredCustomers(factory, config),
        },
      ],
      exports: [CONFIGURED_CORES, CUSTOMER_AUTHENTICATION],
    };
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([...this.cores.map(({ adapter }) => adapter.close()), this.customers?.close()]);
  }
}

async function configuredCore(
  factory: AdapterFactory,
  config: CoreConfig,
  profile: Profile,
  given: CoreAdapter | undefined,
): Promise<ConfiguredCore> {
  const adapter = given ?? (await factory.core(config));
  if (given === undefined) {
    refuseUnknownProducts(profile, adapter);
    refuseEmptyPromises(profile, adapter, config);
  }
  return { name: config.name ?? adapter.name, config, adapter };
}

/** `undefined` where the gateway has no authorization server that would ask. */
async function configuredCustomers(
  factory: AdapterFactory,
  config: GatewayConfig,
): Promise<CustomerAuthentication | undefined> {
  const customers = await factory.customers(config);
  if (customers === undefined && config.authorisationServer !== undefined)
    throw new BootError('AUTHORISATION_SERVER=embedded needs to know customers: set CUSTOMER_AUTHENTICATION_URL');
  return customers;
}
