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

/** Raise it with each change of a cursor: then the cursors of an earlier release are refused. */
const version = 1;
const cursorLifeMs = 24 * 60 * 60_000;

/** Reads one consent more than the page holds, to know whether there is a next page. */
export async function readPage<Item>(
  { limit, after }: ConsentPage,
  nowMs: number,
  read: (page: ConsentPage) => Promise<readonly Item[]>,
  consentOf: (item: Item) => Consent,
): Promise<Page<Item>> {
  const found = await read({ limit: limit + 1, ...(after && { after }) });
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, ...(found.length > limit && last && { next: cursorOf(consentOf(last), nowMs) }) };
}

function cursorOf({ createdAt, consentId }: Consent, nowMs: number): string {
  return Buffer.from(`${version}.${nowMs}.${createdAt.getTime()}.${consentId}`).toString('base64url');
}

const cursorForm = new RegExp(`^${version}\\.(\\d{1,15})\\.(\\d{1,15})\\.([^\\0]{1,200})$`);

/** The consent after which the page of this cursor begins; `undefined` for another text, and for a cursor older than a day. */
export function readCursor(cursor: string, nowMs: number): ConsentPage['after'] {
  const found = cursorForm.exec(Buffer.from(cursor, 'base64url').toString());
  if (found === null) return undefined;
  const [, madeAtMs, createdAtMs, consentId = ''] = found;
  return nowMs - Number(madeAtMs) > cursorLifeMs ? undefined : { createdAt: new Date(Number(createdAtMs)), consentId };
}
