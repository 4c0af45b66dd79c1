import type { Consent } from './consent.js';

/** The page of a list of consents that is asked for, newest first: stable while consents are added. */
export interface ConsentPage {
  readonly limit: number;
  readonly after?: Pick<Consent, 'createdAt' | 'consentId'>;
}

/** A page of a list, and the cursor of the next page; absent on the last page. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next?: string;
}

/** Reads one consent more than the page holds, to know whether there is a next page. */
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

/** The consent after which the page of this cursor begins; `undefined` for a text that is not such a cursor. */
export function readCursor(cursor: string): ConsentPage['after'] {
  const [, ms, consentId] = /^(\d{1,15})\.([^\0]{1,200})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return ms === undefined || consentId === undefined ? undefined : { createdAt: new Date(Number(ms)), consentId };
}
