import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Which rows a page holds, relative to a place in the account's history. */
export interface PageCursor {
  /** `older` and `newer` than `position`; `oldest` is the end of the history, of which `limit` rows are the page. */
  readonly read: 'older' | 'newer' | 'oldest';
  readonly position?: { readonly atMs: number; readonly id: string };
  readonly limit: number;
  /** When the first page of this answer was asked for. */
  readonly firstAskedAtMs: number;
}

const ivBytes = 12;
const tagBytes = 16;

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
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', this.key, iv).setAAD(associated(boundTo));
    const sealed = Buffer.concat([cipher.update(JSON.stringify(cursor), 'utf8'), cipher.final()]);
    return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString('base64url');
  }

  /** `undefined` for anything that was not sealed here for exactly this consent, account and filters. */
  open(text: string, boundTo: readonly string[]): PageCursor | undefined {
    const bytes = Buffer.from(text, 'base64url');
    // One spelling only: the decoder skips what is not in the alphabet.
    if (bytes.length <= ivBytes + tagBytes || bytes.toString('base64url') !== text) return undefined;
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(0, ivBytes))
        .setAAD(associated(boundTo))
        .setAuthTag(bytes.subarray(bytes.length - tagBytes));
      const opened = Buffer.concat([
        decipher.update(bytes.subarray(ivBytes, bytes.length - tagBytes)),
        decipher.final(),
      ]);
      return JSON.parse(opened.toString('utf8')) as PageCursor;
    } catch {
      // The tag does not fit: forged, cut, or bound to something else.
      return undefined;
    }
  }
}

function associated(boundTo: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(boundTo), 'utf8');
}
