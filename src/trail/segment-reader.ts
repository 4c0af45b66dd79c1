import { mostLineBytes } from './event.js';
import { MerkleTree } from './merkle.js';
import { openRegular, RefusedFile } from './regular-file.js';
import { readEvent, textIn, type StoredEvent } from './stored-event.js';
import type { FileHandle } from 'node:fs/promises';

/** The content of a segment's file. */
export interface SegmentContent {
  readonly events: number;
  /** The length of the whole lines. */
  readonly bytes: number;
  /** The length of half a line at the end. */
  readonly cut: number;
  readonly firstAt: string;
  readonly lastAt: string;
  /** The Merkle tree hash over the lines, in hexadecimal. */
  readonly root: string;
}

/**
 * The whole lines of a file without their line feeds, and at last the number of bytes after them.
 * @throws RefusedFile where it is not a regular file, or has a line that is longer than any of a gateway
 */
export async function* linesOf(path: string, signal?: AbortSignal): AsyncGenerator<Buffer, number> {
  const handle = await openRegular(path);
  try {
    const chunks = linesIn(handle, signal);
    for (;;) {
      const { value, done } = await chunks.next();
      if (done === true) return value;
      yield* value;
    }
  } finally {
    await handle.close();
  }
}

/** The same, those that end in one piece of the file at a time: a turn of the event loop's queue for each would cost more. */
async function* linesIn(handle: FileHandle, signal?: AbortSignal): AsyncGenerator<readonly Buffer[], number> {
  let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  for await (const chunk of handle.createReadStream({ start: 0, autoClose: false, signal }) as AsyncIterable<Buffer>) {
    const lines: Buffer[] = [];
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      const line = chunk.subarray(from, end);
      lines.push(rest.length === 0 ? line : Buffer.concat([rest, line]));
      rest = rest.subarray(rest.length);
      from = end + 1;
    }
    rest = Buffer.concat([rest, chunk.subarray(from)]);
    yield lines;
    if (rest.length > mostLineBytes) throw new RefusedFile('it has a line that is longer than a gateway writes');
  }
  return rest.length;
}
const lineFeed = 0x0a;

/** The first event, without reading further; `undefined` where the first line is not whole, or no event. */
export async function firstEvent(handle: FileHandle): Promise<StoredEvent | undefined> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(mostLineBytes), 0, mostLineBytes, 0);
  const end = buffer.subarray(0, bytesRead).indexOf(lineFeed);
  return end < 0 ? undefined : readEvent(buffer.toString('utf8', 0, end));
}

/** Reads the content for the root record: of the segments of this process, and of those that it recovers. */
export async function readSegment(handle: FileHandle): Promise<SegmentContent> {
  const tree = new MerkleTree();
  const chunks = linesIn(handle);
  let [events, bytes, first, last] = [0, 0, undefined as Buffer | undefined, undefined as Buffer | undefined];
  for (;;) {
    const { value, done } = await chunks.next();
    if (done === true)
      return { events, bytes, cut: value, firstAt: timeOf(first), lastAt: timeOf(last), root: tree.root() };
    for (const line of value) {
      tree.add(line);
      events++;
      bytes += line.length + 1;
      // A copy, because a line keeps the memory of all that was read with it.
      first ??= Buffer.from(line);
      last = line;
    }
  }
}

/** `''` for a line that another hand has changed: the verification of the trail names it. */
function timeOf(line: Buffer | undefined): string {
  const event = line && readEvent(line.toString());
  return event === undefined ? '' : textIn(event, 'at');
}
