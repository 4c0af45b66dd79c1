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

/** Refuses a profile that lacks a product of the core's settings: each account of that product would be a bad record. */
export function refuseUnknownProducts(profile: Profile, adapter: CoreAdapter): void {
  const unknown = adapter.products?.filter((product) => !Object.hasOwn(profile.products, product)) ?? [];
  if (unknown.length === 0) return;
  throw new BootError(
    `PROFILE ${profile.name} lacks ${unknown.length} of the products that the settings of the core "${adapter.name}" name: ` +
      `it has ${Object.keys(profile.products).join(', ')}`,
  );
}
