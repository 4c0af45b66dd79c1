import type { BankProduct } from '../endpoint/bank-product.js';
import type { ProfilePresentation } from '../endpoint/presentation.js';
import type { Permission } from '../open-banking/permissions.js';
import { scopeOfKind, type ApiScope } from '../open-banking/scopes.js';
import { endpointNames, type Endpoint } from '../resources/endpoints.js';
import { defaultRules, type ServiceRules } from './service-rules.js';

/** Nest injects the profile that is served by this token. */
export const PROFILE = Symbol('PROFILE');

export interface ProfileProduct extends BankProduct {
  readonly endpoints: readonly Endpoint[];
}

/** A product profile: the rules of docs/specification.md about products, as data of the bank. */
export interface ProfileData extends ProfilePresentation {
  /** Shown to operators in the log and in messages, and to TPPs in the published facts. */
  readonly name: string;
  /** By the name that the core adapter states in `CoreAccount.product`. An account of another product is a bad record. */
  readonly products: Readonly<Record<string, ProfileProduct>>;
  readonly refusedPermissions: readonly Permission[];
  /** The rules in which the bank differs from {@link defaultRules}. */
  readonly rules?: Partial<ServiceRules>;
}

export interface Profile extends ProfileData {
  readonly rules: ServiceRules;
  /** The names of the products of each endpoint. An endpoint that no product has is absent: 404. */
  readonly endpoints: Readonly<Partial<Record<Endpoint, readonly string[]>>>;
}

export function profileOf(data: ProfileData): Profile {
  const products = Object.entries(data.products);
  const listed = endpointNames.map((endpoint): [Endpoint, string[]] => [
    endpoint,
    products.filter(([, { endpoints }]) => endpoints.includes(endpoint)).map(([name]) => name),
  ]);
  return {
    ...data,
    rules: { ...defaultRules, ...data.rules },
    endpoints: Object.fromEntries(listed.filter(([, names]) => names.length > 0)),
  };
}

/** The OAuth scopes of the services that the bank offers. */
export function servedScopes({ rules }: Pick<Profile, 'rules'>): readonly ApiScope[] {
  return rules.fundsConfirmation === undefined ? [scopeOfKind['account-access']] : Object.values(scopeOfKind);
}
