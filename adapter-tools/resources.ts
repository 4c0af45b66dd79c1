import type { AccountRead } from '../packages/core-adapter/core.adapter.js';
import type { CoreAccount } from '../packages/core-adapter/core.records.js';
import { PublicIds } from '../src/open-banking/public-ids.js';
import type { Profile } from '../src/profiles/profile.js';
import { oldest } from '../src/versions/versions.js';

const ids = new PublicIds('preview');
const settings = { bankTimeZone: 'Europe/London', pageSize: 100 };

/**
 * The Open Banking resource of a record, made by the mapper that its endpoint declares, under every permission;
 * `undefined` where the product does not show it. Its ids are not those of any gateway.
 */
export function resourceOf(
  read: AccountRead | 'account',
  record: object,
  account: CoreAccount,
  profile: Profile,
): object | undefined {
  const form = oldest.forms.find(({ rule }) => rule.read === (read === 'account' ? 'accounts' : read));
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
    publicId: ids.within(kind, uniqueWithin === 'account' ? account.ref : ''),
  }) as object | undefined;
}
