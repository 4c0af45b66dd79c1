/** The image type and size of a logo, by its bytes. */
interface LogoImage {
  readonly contentType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  readonly width: number;
  readonly height: number;
}

/** CSS pixels: a small file can unpack to an image that a customer's browser has no memory for. */
const longestSide = 2_048;
/** The codes that Node's buffers throw. */
const beyondTheEnd = ['ERR_OUT_OF_RANGE', 'ERR_BUFFER_OUT_OF_BOUNDS'];

/**
 * Type and size of the image, judged by its bytes and not by its stated type; `undefined` where it may not be shown as a logo.
 * SVG may not: it is a program for the browser, and a few hundred bytes of it can make a customer's page hang.
 */
export function logoImage(bytes: Buffer): LogoImage | undefined {
  try {
    const image = png(bytes) ?? jpeg(bytes) ?? gif(bytes) ?? webp(bytes);
    if (image === undefined) return undefined;
    const { width, height } = image;
    return [width, height].every((side) => side > 0 && side <= longestSide) ? image : undefined;
  } catch (error) {
    // The bytes end before the size.
    if (beyondTheEnd.includes(String((error as NodeJS.ErrnoException).code))) return undefined;
    throw error;
  }
}

function png(bytes: Buffer): LogoImage | undefined {
  if (bytes.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n' || bytes.toString('latin1', 12, 16) !== 'IHDR')
    return undefined;
  return { contentType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** ITU-T T.81, annex B: segments up to the one that begins a frame. */
function jpeg(bytes: Buffer): LogoImage | undefined {
  if (bytes.toString('latin1', 0, 3) !== '\xff\xd8\xff') return undefined;
  let at = 2;
  while (bytes.readUInt8(at) === 0xff) {
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at++;
      continue;
    }
    const beginsFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (beginsFrame)
      return { contentType: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** GIF89a: a frame can be larger than the screen that the file begins with, and browsers make room for it. */
function gif(bytes: Buffer): LogoImage | undefined {
  if (!['GIF87a', 'GIF89a'].includes(bytes.toString('latin1', 0, 6))) return undefined;
  let [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
  let at = 13 + colourTableBytes(bytes.readUInt8(10));
  for (;;) {
    const block = bytes.readUInt8(at);
    if (block === 0x3b) return { contentType: 'image/gif', width, height };
    if (block === 0x21) at = afterSubBlocks(bytes, at + 2);
    else if (block === 0x2c) {
      width = Math.max(width, bytes.readUInt16LE(at + 1) + bytes.readUInt16LE(at + 5));
      height = Math.max(height, bytes.readUInt16LE(at + 3) + bytes.readUInt16LE(at + 7));
      at = afterSubBlocks(bytes, at + 11 + colourTableBytes(bytes.readUInt8(at + 9)));
    } else return undefined;
  }
}

function colourTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function afterSubBlocks(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes.readUInt8(at) !== 0) at += 1 + bytes.readUInt8(at);
  return at + 1;
}

/** RFC 9649. */
function webp(bytes: Buffer): LogoImage | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined;
  const sized = (width: number, height: number): LogoImage => ({ contentType: 'image/webp', width, height });
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return sized(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
    case 'VP8L': {
      const sides = bytes.readUInt32LE(21);
      return sized((sides & 0x3fff) + 1, ((sides >>> 14) & 0x3fff) + 1);
    }
    case 'VP8X':
      return sized(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
    default:
      return undefined;
  }
}
