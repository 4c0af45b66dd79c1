import { Module } from '@nestjs/common';
import type { CoreConfig } from '../config/core-config.js';
import { CoreBanking } from './core-banking.js';
import { Cores, type GuardedCore } from './cores.js';
import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import { Metrics } from '../observability/metrics.js';
import { PROFILE, type Profile } from '../profiles/profile.js';

/** Nest injects the configured cores, each with its adapter, by this token. */
export const CONFIGURED_CORES = Symbol('CONFIGURED_CORES');

export interface ConfiguredCore {
  /** Its name in `CORES`; a single core has its adapter's. */
  readonly name: string;
  readonly config: CoreConfig;
  readonly adapter: CoreAdapter;
}

/** The gateway's side of the port. Not in the port's folder, because the port must not depend on the gateway. */
@Module({
  providers: [
    {
      provide: Cores,
      inject: [CONFIGURED_CORES, Metrics, PROFILE],
      useFactory: (cores: readonly ConfiguredCore[], metrics: Metrics, profile: Profile) =>
        new Cores(
          cores.map((core) => guarded(core, metrics, new Set(Object.keys(profile.products)))),
          profile.rules.unreachableCore,
          (core) => metrics.coreLeftOut(core),
        ),
    },
  ],
  exports: [Cores],
})
export class CoreBankingModule {}

function guarded(
  { name, config, adapter }: ConfiguredCore,
  metrics: Metrics,
  products: ReadonlySet<string>,
): GuardedCore {
  const { recordedAs, deadlineMs, connections } = config;
  const banking = new CoreBanking(adapter, metrics.ofCore(name), connections, products);
  metrics.coreReads(name, () => banking.readsAtATime);
  return { name, recordedAs, deadlineMs, banking };
}
