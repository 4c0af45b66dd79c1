import { coreProducts, type CoreProduct } from '../../packages/core-adapter/core.records.js';
import type { ProfilePresentation } from '../endpoint/presentation.js';
import { accountSubTypes } from '../open-banking/account-sub-types.js';
import { isPermission, type Permission } from '../open-banking/permissions.js';
import { isEndpoint, type Endpoint } from '../resources/endpoints.js';

/** Nest injects the profile that is served by this token. */
export const PROFILE = Symbol('PROFILE');

/** A product profile: the table of docs/specification.md, "Endpoints and products", as data. */
export interface Profile extends ProfilePresentation {
  readonly name: string;
  /** The products of each endpoint. An endpoint that is not named is absent: 404. */
  readonly endpoints: Readonly<Partial<Record<Endpoint, readonly CoreProduct[]>>>;
  readonly refusedPermissions: readonly Permission[];
}

/** The faults of a profile's data, one line each; empty when it is valid. */
export function profileFaults(profile: Profile): string[] {
  const faults: string[] = [];
  const products: ReadonlySet<unknown> = new Set(coreProducts);
  for (const [endpoint, given] of Object.entries<unknown>(profile.endpoints)) {
    if (!isEndpoint(endpoint)) faults.push(`unknown endpoint "${endpoint}"`);
    // A key without a value would look like an absent endpoint.
    if (!Array.isArray(given)) {
      faults.push(`${endpoint}: lists no product; leave an absent endpoint out`);
      continue;
    }
    const listed: readonly unknown[] = given;
    for (const product of listed)
      if (!products.has(product)) faults.push(`${endpoint}: unknown product "${String(product)}"`);
    if (new Set(listed).size !== listed.length) faults.push(`${endpoint}: a product is listed twice`);
    if (listed.length === 0) faults.push(`${endpoint}: lists no product; leave an absent endpoint out`);
  }
  // The standard demands these of every bank.
  for (const mandatory of ['accounts', 'balances', 'transactions'] as const)
    if (profile.endpoints[mandatory] === undefined) faults.push(`the mandatory endpoint "${mandatory}" is missing`);
  for (const code of profile.refusedPermissions)
    if (!isPermission(code)) faults.push(`refusedPermissions: unknown code "${String(code)}"`);
  for (const product of coreProducts)
    if (!profile.accountSubTypes[product]) faults.push(`accountSubTypes: ${product} is missing`);
  for (const [product, subType] of Object.entries(profile.accountSubTypes)) {
    if (!products.has(product)) faults.push(`accountSubTypes: unknown product "${product}"`);
    if (subType && !accountSubTypes.includes(subType)) faults.push(`accountSubTypes: unknown sub-type of ${product}`);
  }
  if (!['magnitude', 'signed'].includes(profile.amounts)) faults.push('amounts: must be magnitude or signed');
  if (!['empty', 'expected'].includes(profile.pendingFields)) faults.push('pendingFields: must be empty or expected');
  return faults;
}
