import { askAny, contextOf } from '../packages/adapter-kit/reads.js';
import { accountReads, type CoreAdapter, type CoreRead } from '../packages/core-adapter/core.adapter.js';
import type { CoreAccount } from '../packages/core-adapter/core.records.js';
import type { CoreSettings } from '../packages/core-adapter/core-settings.js';
import { rowsChannel, type TranslatedRow } from '../packages/core-adapter/rows-channel.js';
import { CommandFailed } from '../src/command-line/command.js';
import type { ApiVersion } from '../src/endpoint/api-version.js';
import { PublicIds } from '../src/open-banking/public-ids.js';
import type { Profile } from '../src/profiles/profile.js';

/** The reads that make a resource. */
export const shownReads = ['account', ...accountReads] as const;
export type ShownRead = (typeof shownReads)[number];

export interface PreviewOptions {
  readonly customerRef: string;
  /** Default: the first account of the customer that has a record of the read. */
  readonly accountRef?: string | undefined;
  /** Default: each read of the adapter. */
  readonly read?: ShownRead | undefined;
  /** The most rows of one read. */
  readonly rows: number;
  readonly profile: Profile;
  readonly version: ApiVersion;
}

/** The text of each read: the core's rows with the records and the resources that they become. */
export async function* preview(
  create: (settings: CoreSettings) => Promise<CoreAdapter>,
  settings: CoreSettings,
  options: PreviewOptions,
): AsyncGenerator<string> {
  const { customerRef, accountRef, read } = options;
  const adapter = await create(settings);
  const has = (one: ShownRead): boolean => one === 'account' || adapter[one] !== undefined;
  try {
    if (read !== undefined && read !== 'account' && !has(read))
      throw new CommandFailed(
        `the adapter has no read ${read}: ${adapter.missing[read] ?? '`missing` has to say why'}`,
      );
    const accountRefs =
      accountRef === undefined
        ? (await adapter.accounts(contextOf(customerRef))).items.map(({ ref }) => ref)
        : [accountRef];
    for (const one of shownReads)
      if (read === undefined ? has(one) : one === read) yield await textOf(adapter, one, accountRefs, options);
  } finally {
    await adapter.close();
  }
}

async function textOf(
  adapter: CoreAdapter,
  read: ShownRead,
  accountRefs: readonly string[],
  options: PreviewOptions,
): Promise<string> {
  for (const accountRef of accountRefs) {
    const { account, rows } = await rowsOf(adapter, read, { ...options, accountRef });
    if (rows.length === 0) continue;
    const texts = rows
      .slice(0, options.rows)
      .map((row, index) =>
        rowText(`${read} of account ${accountRef}, row ${index + 1} of ${rows.length}`, row, (record) =>
          resourceOf(read, record, account, options),
        ),
      );
    const more = rows.length - texts.length;
    return [...texts, ...(more > 0 ? [`${more} more: --rows ${rows.length} shows them`] : [])].join('\n');
  }
  return `${read}: no account has a record of it that becomes a resource`;
}

/** Without `row` where the adapter does not translate rows with the package's `translateRows`. */
type ShownRow = Partial<TranslatedRow>;

/** The rows of the read in the core's order, bad ones as well; the records, where the adapter's rows are not seen. */
async function rowsOf(
  adapter: CoreAdapter,
  read: ShownRead,
  what: { readonly customerRef: string; readonly accountRef: string },
): Promise<{ account: CoreAccount; rows: readonly ShownRow[] }> {
  const translated: TranslatedRow[] = [];
  const listen = (row: unknown): void => void translated.push(row as TranslatedRow);
  rowsChannel.subscribe(listen);
  const found = await askAny(adapter, read, what).finally(() => rowsChannel.unsubscribe(listen));
  const { account, items } =
    read === 'account' ? { account: found as CoreAccount, items: [found] } : (found as CoreRead<object>);
  // The answer also holds the row of the account, which is not a record of another read.
  const rows = translated.filter(({ item, fault }) => fault !== undefined || items.some((record) => record === item));
  return { account, rows: rows.length > 0 ? rows : items.map((item) => ({ item })) };
}

function rowText(title: string, { row, item, fault }: ShownRow, resourceOf: (record: object) => object | undefined) {
  const ofCore = row === undefined ? [] : [`${title}: the core's row`, ...lines(row)];
  if (fault !== undefined) return [...ofCore, `${title}: no record, because ${fault}`].join('\n');
  const resource = resourceOf(item as object);
  return [
    ...ofCore,
    `${title}: the record of the adapter`,
    ...lines(item),
    ...(resource === undefined
      ? [`${title}: no resource, because the product does not show it or the standard cannot express a value`]
      : [`${title}: the resource that it becomes`, ...lines(resource)]),
  ].join('\n');
}

/** Each member by its path, such as `Amount.Amount`. */
function lines(value: unknown, path = ''): string[] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null || value instanceof Date)
    return [`  ${path} = ${typeof value === 'bigint' ? value : JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([name, inner]) =>
    lines(inner, Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`),
  );
}

const ids = new PublicIds('preview');
const shownBy = { bankTimeZone: 'Europe/London', pageSize: 100 };

/**
 * The Open Banking resource of a record, made by the mapper that its endpoint declares, under every permission;
 * `undefined` where the product does not show it, or the standard cannot express one of its values. Its ids are not those
 * of any gateway.
 */
function resourceOf(
  read: ShownRead,
  record: object,
  account: CoreAccount,
  { profile, version }: PreviewOptions,
): object | undefined {
  const form = version.forms.find(({ rule }) => rule.read === (read === 'account' ? 'accounts' : read));
  if (form === undefined) throw new Error(`no endpoint uses the read "${read}"`);
  const product = profile.products[account.product];
  if (product === undefined) return undefined;
  const { kind = '', uniqueWithin = 'bank' } = form.rule.ids ?? {};
  try {
    return form.map(record, {
      accountId: ids.ofAccount(account.ref),
      product,
      detail: true,
      customer: { ref: read === 'party' ? (record as { ref: string }).ref : '' },
      settings: { ...profile, ...shownBy },
      publicId: ids.uniqueIn(kind, uniqueWithin === 'account' ? account.ref : ''),
    }) as object | undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
