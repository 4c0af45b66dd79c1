import { setTimeout as sleep } from 'node:timers/promises';
import { BootError } from '../config/boot-error.js';
import { settingOfCore } from '../config/core-settings.js';
import type { ConfiguredCore } from '../core-banking/core-banking.module.js';
import { isCoreError } from '../../packages/core-adapter/core-error.js';
import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import { coreFaultLine } from '../observability/core-fault-line.js';

const pauseMs = 100;

export interface AwaitedCore {
  readonly name: string;
  readonly config: Pick<ConfiguredCore['config'], 'name' | 'url'>;
  readonly adapter: Pick<CoreAdapter, 'health'>;
}

/**
 * Waits for the cores that start together with the gateway, up to a limit. Only an answer ends the wait early.
 * @returns one line for each core that is still unreachable: TPPs can read the accounts of the others
 * @throws BootError where every core is unreachable
 */
export async function awaitCores(cores: readonly AwaitedCore[], patienceMs: number): Promise<readonly string[]> {
  const patience = AbortSignal.timeout(patienceMs);
  const lines = (await Promise.all(cores.map((core) => awaitCore(core, patience)))).filter(
    (line) => line !== undefined,
  );
  if (lines.length === cores.length) throw new BootError(lines.join('; '));
  return lines;
}

/** `undefined` once the core answers. */
async function awaitCore({ name, config, adapter }: AwaitedCore, patience: AbortSignal): Promise<string | undefined> {
  let lastFault: unknown;
  for (;;) {
    try {
      await adapter.health(patience);
      return undefined;
    } catch (error) {
      // The core answers. Answers to TPPs say that its data are too old, and readiness says so to the operators.
      if (isCoreError(error) && error.kind === 'stale') return undefined;
      // That the gateway gave a call up says less than how the one before it ended.
      if (!patience.aborted || lastFault === undefined) lastFault = error;
      if (patience.aborted) {
        const remedy = `: start it, or set ${settingOfCore(config.name, 'CORE_URL')}`;
        return coreFaultLine(name, lastFault, ` at ${withoutCredentials(config.url)}`, remedy);
      }
      await sleep(pauseMs);
    }
  }
}

function withoutCredentials(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}
