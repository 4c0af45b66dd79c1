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
          cores.map((core) => guarded(core, metrics, profile)),
          profile.rules.unreachableCore,
          (core) => metrics.coreLeftOut(core),
        ),
    },
  ],
  exports: [Cores],
})
export class CoreBankingModule {}

function guarded({ name, config, adapter }: ConfiguredCore, metrics: Metrics, { products }: Profile): GuardedCore {
  const { recordedAs, deadlineMs, connections } = config;
  const all = new Set(Object.keys(products));
  const withOverdraft = new Set([...all].filter((product) => products[product]?.credit?.kind === 'overdraft'));
  const banking = new CoreBanking(adapter, metrics.ofCore(name), connections, all, withOverdraft);
  metrics.coreReads(name, () => banking.readsAtATime);
  return { name, recordedAs, deadlineMs, banking };
}
