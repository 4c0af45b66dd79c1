import { BootError } from './config/boot-error.js';
import type { CoreAdapter } from '../packages/core-adapter/core.adapter.js';
import { coreFaultLine } from './observability/core-fault-line.js';
import type { Profile } from './profiles/profile.js';
import { endpoints } from './resources/endpoints.js';

/**
 * Refuses a profile that promises what the core cannot serve: an empty list in its place would tell a lender "no direct
 * debits" of a customer who has some.
 */
export function refuseEmptyPromises(profile: Profile, adapter: CoreAdapter): void {
  const reasons = endpoints.flatMap(({ name, read }) =>
    read === 'accounts' || profile.endpoints[name] === undefined || adapter[read] !== undefined
      ? []
      : [`${name} (${adapter.missing[read] ?? 'no reason given'})`],
  );
  if (reasons.length === 0) return;
  throw new BootError(
    `PROFILE ${profile.name} promises ${reasons.join(', ')}, which the core "${adapter.name}" cannot serve: ` +
      'choose another profile or write one (docs/adding-a-core.md), or give the adapter those reads',
  );
}

const pauseMs = 100;

/** Waits for a core that starts together with the gateway, up to a limit. Only an answer ends the wait early. */
export async function awaitCore(adapter: CoreAdapter, url: string, patienceMs: number): Promise<void> {
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
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

function withoutCredentials(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}
