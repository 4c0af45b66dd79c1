import { createHash } from 'node:crypto';
import { openBytes, sealBytes } from './sealed-bytes.js';

/** Which rows a page holds, relative to a place in the account's history. */
export interface PageCursor {
  /** `older` and `newer` than `position`; `oldest` is the end of the history, of which `limit` rows are the page. */
  readonly read: 'older' | 'newer' | 'oldest';
  readonly position?: { readonly atMs: number; readonly id: string };
  readonly limit: number;
  /** When the first page of this answer was asked for. */
  readonly firstAskedAtMs: number;
}

/**
 * Cursors that tell nothing and cannot be made or changed by others: AES-256-GCM, with what they are bound to (consent,
 * account, filters) as authenticated data.
 */
export class PageCursors {
  private readonly key: Buffer;

  constructor(secret: string) {
    this.key = createHash('sha256').update(`page-cursor|${secret}`).digest();
  }

  seal(cursor: PageCursor, boundTo: readonly string[]): string {
    return sealBytes(this.key, associated(boundTo), JSON.stringify(cursor)).toString('base64url');
  }

  /** `undefined` for anything that was not sealed here for exactly this consent, account and filters. */
  open(text: string, boundTo: readonly string[]): PageCursor | undefined {
    const bytes = Buffer.from(text, 'base64url');
    // One spelling only: the decoder skips what is not in the alphabet.
    if (bytes.toString('base64url') !== text) return undefined;
    try {
      return JSON.parse(openBytes(this.key, associated(boundTo), bytes)) as PageCursor;
    } catch {
      // The tag does not fit: somebody forged or cut it, or it is bound to something else.
      return undefined;
    }
  }
}

function associated(boundTo: readonly string[]): string {
  return JSON.stringify(boundTo);
}
