import type { Consent } from './consent.js';
import type { ConsentPage } from './consent.store.js';

/** A page of a list, and where the next one begins; absent on the last. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next?: string;
}

/** Reads one more than the page holds, to know whether there is a next page. */
export async function readPage<Item>(
  { limit, after }: ConsentPage,
  read: (page: ConsentPage) => Promise<readonly Item[]>,
  consentOf: (item: Item) => Consent,
): Promise<Page<Item>> {
  const found = await read({ limit: limit + 1, ...(after && { after }) });
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, ...(found.length > limit && last && { next: cursorOf(consentOf(last)) }) };
}

function cursorOf({ createdAt, consentId }: Consent): string {
  return Buffer.from(`${createdAt.getTime()}.${consentId}`).toString('base64url');
}

/** After which consent a cursor says that the page begins; `undefined` where it is no cursor of ours. */
export function readCursor(cursor: string): ConsentPage['after'] {
  const [, ms, consentId] = /^(\d{1,15})\.([^\0]{1,200})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return ms === undefined || consentId === undefined ? undefined : { createdAt: new Date(Number(ms)), consentId };
}
