import { askAny } from '../packages/adapter-kit/reads.js';
import type { AccountRead, CoreAdapter, CoreRead } from '../packages/core-adapter/core.adapter.js';
import type { CoreAccount } from '../packages/core-adapter/core.records.js';
import { PublicIds } from '../src/open-banking/public-ids.js';
import type { Profile } from '../src/profiles/profile.js';
import type { ApiVersion } from '../src/endpoint/api-version.js';
import type { ShownAccount } from './shown-reads.js';

const ids = new PublicIds('preview');
const settings = { bankTimeZone: 'Europe/London', pageSize: 100 };

/** By which profile and version a record is shown. */
export interface ShownBy {
  readonly profile: Profile;
  readonly version: ApiVersion;
}

/**
 * The Open Banking resource of a record, made by the mapper that its endpoint declares, under every permission;
 * `undefined` where the product does not show it. Its ids are not those of any gateway.
 */
function resourceOf(
  read: AccountRead | 'account',
  record: object,
  account: CoreAccount,
  { profile, version }: ShownBy,
): object | undefined {
  const form = version.forms.find(({ rule }) => rule.read === (read === 'account' ? 'accounts' : read));
  if (form === undefined) throw new Error(`no endpoint rests on the read "${read}"`);
  const product = profile.products[account.product];
  if (product === undefined) return undefined;
  const { kind = '', uniqueWithin = 'bank' } = form.rule.ids ?? {};
  return form.map(record, {
    accountId: ids.ofAccount(account.ref),
    product,
    detail: true,
    customer: { ref: read === 'party' ? (record as { ref: string }).ref : '' },
    settings: { ...profile, ...settings },
    publicId: ids.uniqueIn(kind, uniqueWithin === 'account' ? account.ref : ''),
  }) as object | undefined;
}

/** Members by their path, such as `Amount.Amount`. */
export type Resource = ReadonlyMap<string, string>;

export interface ShownRecord {
  readonly record: object;
  /** `undefined` where the product does not show it, or the standard cannot express one of its values. */
  readonly resource: (by: ShownBy) => Resource | undefined;
}

/** The records of a read, each with the resource that it becomes. */
export async function recordsOf(adapter: CoreAdapter, what: ShownAccount): Promise<ShownRecord[]> {
  const found = await askAny(adapter, what.read, what);
  const account = what.read === 'account' ? (found as CoreAccount) : (found as CoreRead<object>).account;
  const records = what.read === 'account' ? [account] : (found as CoreRead<object>).items;
  return records.map((record) => ({ record, resource: (by) => flatResource(what.read, record, account, by) }));
}

function flatResource(...given: Parameters<typeof resourceOf>): Resource | undefined {
  try {
    const resource = resourceOf(...given);
    return resource === undefined ? undefined : flat(resource);
  } catch (error) {
    // A value that the standard cannot express.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

export function flat(value: unknown, path = ''): Map<string, string> {
  if (value === undefined) return new Map();
  if (typeof value === 'bigint') return new Map([[path, `${value}`]]);
  if (typeof value !== 'object' || value === null || value instanceof Date)
    return new Map([[path, JSON.stringify(value)]]);
  return new Map(
    Object.entries(value).flatMap(([name, inner]) => [
      ...flat(inner, Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`),
    ]),
  );
}
