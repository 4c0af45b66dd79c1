import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { logoImage } from './logo-image.policy.js';

const be16 = (value: number): number[] => [value >> 8, value & 0xff];
const le16 = (value: number): number[] => [value & 0xff, value >> 8];
const le24 = (value: number): number[] => [value & 0xff, (value >> 8) & 0xff, value >> 16];
const text = (value: string): number[] => [...Buffer.from(value, 'latin1')];

const png = (width: number, height: number): Buffer => {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  return Buffer.from([...text('\x89PNG\r\n\x1a\n'), 0, 0, 0, 13, ...text('IHDR'), ...header, 8, 6, 0, 0, 0]);
};
/** With an application segment, a table and fill bytes before the frame. */
const jpeg = (width: number, height: number): Buffer =>
  Buffer.from([
    0xff,
    0xd8,
    0xff,
    0xe0,
    0,
    4,
    1,
    2,
    0xff,
    0xc4,
    0,
    3,
    9,
    0xff,
    0xff,
    0xff,
    0xc2,
    0,
    17,
    8,
    ...be16(height),
    ...be16(width),
  ]);
/** A screen, and one frame on it at a place. */
const gif = (width: number, height: number, frame = [0, 0, width, height]): Buffer =>
  Buffer.from([
    ...text('GIF89a'),
    ...le16(width),
    ...le16(height),
    0x80,
    0,
    0,
    0,
    0,
    0,
    255,
    255,
    255,
    0x21,
    0xf9,
    4,
    0,
    0,
    0,
    0,
    0,
    0x2c,
    ...frame.flatMap(le16),
    0x80,
    0,
    0,
    0,
    1,
    1,
    1,
    2,
    2,
    0x4c,
    1,
    0,
    0x3b,
  ]);
const webp = (kind: string, rest: number[]): Buffer =>
  Buffer.from([...text('RIFF'), 0, 0, 0, 0, ...text(`WEBP${kind}`), 0, 0, 0, 0, ...rest]);
const lossy = (width: number, height: number): Buffer =>
  webp('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, ...le16(width), ...le16(height)]);
const lossless = (width: number, height: number): Buffer => {
  const sides = Buffer.alloc(4);
  sides.writeUInt32LE((((height - 1) << 14) | (width - 1)) >>> 0);
  return webp('VP8L', [0x2f, ...sides]);
};
const extended = (width: number, height: number): Buffer =>
  webp('VP8X', [0, 0, 0, 0, ...le24(width - 1), ...le24(height - 1)]);

describe('a logo, by its bytes', () => {
  it.each([
    ['image/png', png],
    ['image/jpeg', jpeg],
    ['image/gif', gif],
    ['image/webp', lossy],
    ['image/webp', lossless],
    ['image/webp', extended],
  ])('is %s up to 2,048 pixels a side', (contentType, image) => {
    expect(logoImage(image(120, 40))).toEqual({ contentType, width: 120, height: 40 });
    expect(logoImage(image(2_048, 2_048))).toEqual({ contentType, width: 2_048, height: 2_048 });
    expect([logoImage(image(2_049, 1)), logoImage(image(1, 2_049))]).toEqual([undefined, undefined]);
  });

  it('is refused where a frame is larger than the stated size', () => {
    expect(logoImage(gif(10, 10, [2_000, 0, 49, 1]))).toBeUndefined();
    expect(logoImage(gif(10, 10, [0, 0, 20, 10]))).toMatchObject({ width: 20 });
  });

  it.each([
    ['nothing', ''],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['a program in a picture’s clothes', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['no size', '\x89PNG\r\n\x1a\n'],
    ['a size of none', png(0, 5).toString('latin1')],
    ['a page that begins like a GIF', 'GIF89a<script>alert(1)</script>'],
    ['a sound', 'RIFF\0\0\0\0WAVEfmt '],
  ])('is refused where it is %s', (_what, bytes) => {
    expect(logoImage(Buffer.from(bytes, 'latin1'))).toBeUndefined();
  });

  it('is judged in finite time whatever the bytes are', () => {
    const beginnings = [png(9, 9), jpeg(9, 9), gif(9, 9), lossy(9, 9), lossless(9, 9), extended(9, 9)];
    fc.assert(
      fc.property(
        fc.constantFrom(...beginnings),
        fc.nat(60),
        fc.uint8Array({ maxLength: 200 }),
        (image, keep, more) => {
          const judged = logoImage(Buffer.concat([image.subarray(0, keep), more]));
          expect([judged?.width ?? 1, judged?.height ?? 1].every((side) => side > 0 && side <= 2_048)).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
