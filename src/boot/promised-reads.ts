import { BootError } from '../config/boot-error.js';
import type { CoreConfig } from '../config/core-config.js';
import { settingOfCore } from '../config/core-settings.js';
import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import type { Profile } from '../profiles/profile.js';
import { endpoints } from '../resources/endpoints.js';

const noReason = 'no reason given';

/**
 * Refuses a profile that promises what the core cannot serve: an empty list in its place would say to a lender "no direct
 * debits" of a customer who has some. Each core must serve the promises for the products that it may hold.
 */
export function refuseEmptyPromises(
  profile: Profile,
  adapter: CoreAdapter,
  { name: core, holds }: Pick<CoreConfig, 'name' | 'holds'>,
): void {
  const served = new Set(Object.values(profile.endpoints).flat());
  if (holds?.some((product) => !served.has(product)))
    throw new BootError(
      `${settingOfCore(core, 'CORE_HOLDS')} names a product that PROFILE ${profile.name} does not serve: ` +
        `it serves ${[...served].join(', ')}`,
    );
  const reasons = endpoints.flatMap(({ name, read }) =>
    read === 'accounts' || adapter[read] !== undefined || !isPromised(profile.endpoints[name], holds)
      ? []
      : [`${name} (${adapter.missing[read] ?? noReason})`],
  );
  if (profile.rules.fundsConfirmation !== undefined)
    for (const reason of new Set(fundsReasons(adapter))) reasons.push(`confirmation of funds (${reason})`);
  if (reasons.length === 0) return;
  throw new BootError(
    `PROFILE ${profile.name} promises ${reasons.join(', ')}, which the core "${core ?? adapter.name}" cannot serve: ` +
      'choose another profile or write one (docs/bank/product-profile.md), or give the adapter those reads' +
      (core === undefined ? '' : `, or name the products that the core holds in ${settingOfCore(core, 'CORE_HOLDS')}`),
  );
}

/**
 * Why the core cannot serve confirmation of funds; empty where it can. Balances replace `fundsAvailable`, unless the adapter
 * declares them unfit: those of last night, say.
 */
export function fundsReasons(adapter: CoreAdapter): string[] {
  const { missing } = adapter;
  const noBalances = adapter.balances === undefined ? (missing.balances ?? noReason) : undefined;
  const noFunds = adapter.fundsAvailable === undefined ? (missing.fundsAvailable ?? noBalances) : undefined;
  return [
    ...(adapter.findPaymentAccount === undefined ? [missing.findPaymentAccount ?? noReason] : []),
    ...(noFunds === undefined ? [] : [noFunds]),
  ];
}

function isPromised(products: readonly string[] | undefined, holds: readonly string[] | undefined): boolean {
  return products !== undefined && (holds === undefined || products.some((product) => holds.includes(product)));
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
