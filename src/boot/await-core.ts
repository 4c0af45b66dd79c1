import { setTimeout as sleep } from 'node:timers/promises';
import { BootError } from '../config/boot-error.js';
import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import { coreFaultLine } from '../observability/core-fault-line.js';

const pauseMs = 100;

/** Waits for a core that starts together with the gateway, up to a limit. Only an answer ends the wait early. */
export async function awaitCore(
  adapter: Pick<CoreAdapter, 'name' | 'health'>,
  url: string,
  patienceMs: number,
): Promise<void> {
  const patience = AbortSignal.timeout(patienceMs);
  let lastFault: unknown;
  for (;;) {
    try {
      await adapter.health(patience);
      return;
    } catch (error) {
      // That the gateway gave a call up says less than how the one before it ended.
      if (!patience.aborted || lastFault === undefined) lastFault = error;
      if (patience.aborted)
        throw new BootError(
          coreFaultLine(adapter.name, lastFault, ` at ${withoutCredentials(url)}`, ': start it, or set CORE_URL'),
        );
      await sleep(pauseMs);
    }
  }
}

function withoutCredentials(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}
