import { ValidateIf } from 'class-validator';
import { settingsOf } from './setting.js';
import { coreUrl, text, integer, type Kind } from './setting-kinds.js';

export const core = settingsOf('Core-banking system');

/** With CORES each core has its URL. */
const coreUrlOfSingle: Kind = {
  ...coreUrl,
  checks: [...coreUrl.checks, ValidateIf(({ CORES }: { readonly CORES?: string }) => CORES === undefined)],
};

/** The gateway's settings of one core. With `CORES` each name in them begins with `CORE_<NAME>_`. */
export class CoreEnvironment {
  @core('Address of the core-banking system. Its adapter says which schemes it has.', coreUrlOfSingle, {
    needed: true,
    decided: true,
  })
  CORE_URL!: string;
  @core('Time after which the gateway cancels a request to the core.', integer('milliseconds', 50, 60_000))
  CORE_DEADLINE_MS = 3_000;
  @core('Connections to the core. The reads of one TPP hold at most half of them.', integer('number', 1, 10_000))
  CORE_CONNECTIONS = 64;
}

/** The settings of one core of `CORES`, of which a single core has no need. */
export class CoreOfSeveral extends CoreEnvironment {
  @core('With `CORES`: the adapter of this core, as in `CORE`.', text, { otherwise: 'the core’s name' })
  CORE_ADAPTER?: string;
  @core('With `CORES`: the only products that this core holds, with commas between them.', text, {
    otherwise: 'every product',
  })
  CORE_HOLDS?: string;
}
