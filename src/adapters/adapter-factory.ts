import { Inject, Injectable } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';
import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import { BankClock, Clock } from '../clock/clock.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import type { CoreConfig } from '../config/core-config.js';
import { signOnHttp, type CustomerAuthentication } from '../../packages/customer-authentication/published-port.js';
import { LOG } from '../observability/log.js';
import { Metrics } from '../observability/metrics.js';
import { adapterServices, servicesOfEachPort } from './adapter-services.js';
import { createCoreAdapter } from './load-adapter.js';
import { loadCustomerAuthentication } from './load-customer-authentication.js';
import { RenewableCore } from './renewable-core.js';

/** Creates the configured adapters with the services of this process. */
@Injectable()
export class AdapterFactory {
  private readonly renewable: RenewableCore[] = [];

  constructor(
    @Inject(LOG) private readonly log: FastifyBaseLogger,
    private readonly clock: Clock,
    private readonly bankClock: BankClock,
    private readonly metrics: Metrics,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'database'>,
  ) {}

  /** @throws BootError */
  async core(core: CoreConfig): Promise<CoreAdapter> {
    const created: { adapter?: CoreAdapter } = {};
    const renewable = new RenewableCore(core);
    this.renewable.push(renewable);
    const services = adapterServices(
      {
        log: this.log,
        clock: this.clock,
        metrics: this.metrics,
        http: renewable,
        dataDir: this.config.database.dataDir,
      },
      () => core.name ?? created.adapter?.name ?? core.adapter,
    );
    created.adapter = await createCoreAdapter(core.adapter, core, services, core.name);
    renewable.add(created.adapter);
    return created.adapter;
  }

  /**
   * Reads the certificates of the connections to every core again.
   *
   * @returns a function that puts them to use @throws BootError for a file with a fault; then nothing has changed
   */
  renewCertificates(): () => void {
    const renewed = this.renewable.map((core) => core.renew());
    return () => renewed.forEach((putToUse) => putToUse());
  }

  /** `undefined` where the gateway has no authorization server that would ask. @throws BootError */
  async customers({
    authorisationServer,
    customerAuthentication: settings,
  }: Pick<GatewayConfig, 'authorisationServer' | 'customerAuthentication'>): Promise<
    CustomerAuthentication | undefined
  > {
    if (authorisationServer === undefined || settings === undefined) return undefined;
    const services = servicesOfEachPort(
      { log: this.log, clock: this.bankClock, metrics: this.metrics },
      () => `customer-authentication ${settings.name}`,
    );
    return loadCustomerAuthentication(settings.name, settings, { ...services, http: signOnHttp });
  }
}
