import { createHash } from 'node:crypto';
import { openBytes, sealBytes } from './sealed-bytes.js';

/** Which rows a page has: at most `limit` rows that are older or newer than a position in the account's history. */
export interface PageCursor {
  readonly read: 'older' | 'newer';
  readonly position: { readonly atMs: number; readonly id: string };
  readonly limit: number;
  /** When the TPP asked for the first page of this answer. */
  readonly firstAskedAtMs: number;
}

const minuteMs = 60_000;

/** How long the later pages of an answer count, and are checked, as one request with its first page. */
const oneRequestMs = 15 * minuteMs;

/** An older cursor is refused. Otherwise a TPP could read the account with one link until the consent ends. */
const cursorLifeMs = 24 * 60 * minuteMs;

export function isOfOneRequest({ firstAskedAtMs }: Pick<PageCursor, 'firstAskedAtMs'>, nowMs: number): boolean {
  return nowMs - firstAskedAtMs <= oneRequestMs;
}

export function hasEnded({ firstAskedAtMs }: Pick<PageCursor, 'firstAskedAtMs'>, nowMs: number): boolean {
  return nowMs - firstAskedAtMs > cursorLifeMs;
}

/** Raise it with each change of {@link PageCursor}: then the cursors of an earlier release are refused. */
const form = 2;

/**
 * Cursors that reveal nothing and that only this gateway can make or change: AES-256-GCM, with consent, account and filters
 * as authenticated data.
 */
export class PageCursors {
  private readonly key: Buffer;

  constructor(secret: string) {
    this.key = createHash('sha256').update(`page-cursor|${form}|${secret}`).digest();
  }

  seal(cursor: PageCursor, boundTo: readonly string[]): string {
    return sealBytes(this.key, associated(boundTo), JSON.stringify(cursor)).toString('base64url');
  }

  /** `undefined` for any text that was not sealed here, in this form, for exactly this consent, account and filters. */
  open(text: string, boundTo: readonly string[]): PageCursor | undefined {
    const bytes = Buffer.from(text, 'base64url');
    // One spelling only: the decoder skips characters that are not in the alphabet.
    if (bytes.toString('base64url') !== text) return undefined;
    try {
      return JSON.parse(openBytes(this.key, associated(boundTo), bytes)) as PageCursor;
    } catch {
      // The tag does not fit: the cursor was forged or cut, has another form, or belongs to another consent, account or filter.
      return undefined;
    }
  }
}

function associated(boundTo: readonly string[]): string {
  return JSON.stringify(boundTo);
}
