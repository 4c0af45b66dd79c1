import { BootError } from '../config/boot-error.js';
import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import type { Profile } from '../profiles/profile.js';
import { endpoints } from '../resources/endpoints.js';

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
