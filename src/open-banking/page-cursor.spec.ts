import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { hasEnded, isOfOneRequest, PageCursors, type PageCursor } from './page-cursor.js';
import { sealBytes } from './sealed-bytes.js';

const cursors = new PageCursors('a secret');
const cursor: PageCursor = { read: 'older', position: { atMs: 5, id: 'x' }, limit: 25, firstAskedAtMs: 7 };
const bound = ['consent', 'account', 'from', '2026-05-02'];

describe('a page cursor', () => {
  it('opens to the value that was sealed, for every value', () => {
    const any = fc.record<PageCursor>({
      read: fc.constantFrom('older', 'newer'),
      position: fc.record({ atMs: fc.integer(), id: fc.string() }),
      limit: fc.nat(),
      firstAskedAtMs: fc.nat(),
    });
    fc.assert(
      fc.property(any, fc.array(fc.string()), (sealed, boundTo) => {
        expect(cursors.open(cursors.seal(sealed, boundTo), boundTo)).toEqual({ ...sealed });
      }),
    );
  });

  it('can stand in a query without escaping', () => {
    expect(cursors.seal(cursor, bound)).toMatch(/^[A-Za-z0-9_-]{50,400}$/);
  });

  it('opens only for the consent, account and filters that it was bound to', () => {
    const text = cursors.seal(cursor, bound);
    for (const other of [
      [],
      ['consent', 'account'],
      ['consent', 'account', 'from', '2026-05-03'],
      [...bound, 'to', '2026-05-02'],
      ['consent', 'account', 'from2026-05-02'],
      ['consent2', 'account', 'from', '2026-05-02'],
      ['consent', 'account2', 'from', '2026-05-02'],
    ])
      expect(cursors.open(text, other)).toBeUndefined();
  });

  it('opens only under the same secret, in any process that has it', () => {
    const text = cursors.seal(cursor, bound);
    expect(new PageCursors('a secret').open(text, bound)).toEqual(cursor);
    expect(new PageCursors('another secret').open(text, bound)).toBeUndefined();
  });

  it('is refused where a release with another form has sealed it', () => {
    const key = createHash('sha256').update('page-cursor|a secret').digest();
    const earlier = sealBytes(key, JSON.stringify(bound), JSON.stringify({ page: 3 })).toString('base64url');
    expect(cursors.open(earlier, bound)).toBeUndefined();
  });

  it('counts as one request with the first page for 15 minutes, and ends after a day, to the millisecond', () => {
    const minuteMs = 60_000;
    const cursor = { firstAskedAtMs: 0 };
    expect([15 * minuteMs, 15 * minuteMs + 1].map((nowMs) => isOfOneRequest(cursor, nowMs))).toEqual([true, false]);
    const dayMs = 24 * 60 * minuteMs;
    expect([dayMs, dayMs + 1].map((nowMs) => hasEnded(cursor, nowMs))).toEqual([false, true]);
  });

  it('is refused with any character changed, added or missing', () => {
    const text = cursors.seal(cursor, bound);
    for (let index = 0; index < text.length; index++) {
      const changed = text[index] === 'A' ? 'B' : 'A';
      expect(cursors.open(text.slice(0, index) + changed + text.slice(index + 1), bound)).toBeUndefined();
      expect(cursors.open(text.slice(0, index) + text.slice(index + 1), bound)).toBeUndefined();
      expect(cursors.open(text.slice(0, index), bound)).toBeUndefined();
    }
    for (const wrong of [`${text}A`, `${text}=`, ` ${text}`, `${text}\n`, text.replace(/./, '+'), '', 'page', '2'])
      expect(cursors.open(wrong, bound)).toBeUndefined();
  });

  it('is a different text each time, and reveals nothing of its content', () => {
    const texts = new Set(Array.from({ length: 20 }, () => cursors.seal(cursor, bound)));
    expect(texts.size).toBe(20);
    for (const text of texts) expect(Buffer.from(text, 'base64url').toString('latin1')).not.toContain('older');
  });
});
