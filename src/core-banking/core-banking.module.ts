import { Module } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { CoreBanking } from './core-banking.js';
import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import { Metrics } from '../observability/metrics.js';
import { PROFILE, type Profile } from '../profiles/profile.js';

/** Nest injects the adapter of the configured core by this token. */
export const CORE_ADAPTER = Symbol('CORE_ADAPTER');

/** The gateway's side of the port. Not in the port's folder, because the port must not depend on the gateway. */
@Module({
  providers: [
    {
      provide: CoreBanking,
      inject: [CORE_ADAPTER, Metrics, Clock, GATEWAY_CONFIG, PROFILE],
      useFactory: (adapter: CoreAdapter, metrics: Metrics, clock: Clock, { core }: GatewayConfig, profile: Profile) => {
        const products = new Set(Object.keys(profile.products));
        return new CoreBanking(adapter, metrics, () => clock.nowMs(), core.connections, products);
      },
    },
  ],
  exports: [CoreBanking],
})
export class CoreBankingModule {}
