import { createHash, randomBytes } from 'node:crypto';
import type { AccountAtCore } from '../../core-banking/account-at-core.js';
import type { FoundAccounts } from '../../core-banking/cores.js';
import type { Permission } from '../../open-banking/permissions.js';
import type { Profile } from '../../profiles/profile.js';
import { endpointNames, openedBy } from '../../resources/endpoints.js';
import type { WhyWithheld } from '../pages/customer-pages.js';
import type { CustomerAccount } from './customer-accounts.js';
import type { Deciding, ListedAccount } from '../sign-in/journey.js';

/** Gives each account a random key. @param asked absent: the funds of the account, for which its state alone counts */
export function withAccounts(
  journey: Deciding,
  { items: accounts, unreachable }: FoundAccounts<CustomerAccount>,
  asked: readonly Permission[] | undefined,
  profile: Pick<Profile, 'endpoints'>,
): Deciding & { readonly accounts: readonly ListedAccount[] } {
  const listed = accounts.map(({ core, permitted, ...account }): ListedAccount => {
    const withheld = whyWithheld({ ...account, permitted }, asked, profile);
    const atCore = core === undefined ? {} : { core };
    return { ...account, ...atCore, key: randomBytes(9).toString('base64url'), ...(withheld && { withheld }) };
  });
  return { ...journey, accounts: listed, ...(unreachable.length > 0 && { incomplete: true }) };
}

/** With all accounts chosen on the page, or none. */
export function choosing(journey: Deciding, allChosen: boolean): Deciding {
  const { message: _answered, ...rest } = journey;
  return { ...rest, allChosen };
}

/**
 * The name of the one journey of an authorization request. It stays the same each time and in each browser that opens the
 * request.
 * @param parameters of the request; `nonce` and `state` make each request different
 * @param pushed the `request_uri`, if the request was pushed
 */
export function journeyId(parameters: Readonly<Record<string, unknown>>, pushed: string | undefined): string {
  const sorted = Object.entries(parameters).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([sorted, pushed]))
    .digest('base64url')
    .slice(0, 22);
}

/**
 * Why an account cannot be shared: its state forbids access, or the profile lists no endpoint for its product, at all or of
 * those that the asked permissions open. `undefined`: it can be.
 */
export function whyWithheld(
  { product, permitted }: Pick<CustomerAccount, 'product' | 'permitted'>,
  asked: readonly Permission[] | undefined,
  { endpoints }: Pick<Profile, 'endpoints'>,
): WhyWithheld | undefined {
  if (!permitted) return 'restricted';
  if (asked === undefined) return undefined;
  const listed = endpointNames.filter((endpoint) => endpoints[endpoint]?.includes(product));
  if (listed.length === 0) return 'not-served';
  const open = openedBy(new Set(asked));
  return listed.some((endpoint) => open.includes(endpoint)) ? undefined : 'not-asked';
}

/** The chosen accounts; `undefined` when a posted key was not offered. */
export function readChoice(
  listed: readonly ListedAccount[],
  keys: readonly string[],
): readonly AccountAtCore[] | undefined {
  const offered = new Map(listed.filter(({ withheld }) => withheld === undefined).map((one) => [one.key, one]));
  const chosen = keys.map((key) => offered.get(key));
  return chosen.every((one) => one !== undefined) ? chosen.map(({ core, ref }) => ({ core, ref })) : undefined;
}
