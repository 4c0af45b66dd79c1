import { createReadStream } from 'node:fs';
import { MerkleTree } from './merkle.js';
import type { WrittenEvent } from './event.js';

/** The content of a closed segment, or of a dead process's. */
export interface SegmentContent {
  readonly events: number;
  /** The length of the whole lines. */
  readonly bytes: number;
  /** The length of half a line at the end. */
  readonly cut: number;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly root: string;
  /** The first event; `undefined` where no line is whole. */
  readonly first: WrittenEvent | undefined;
}

/** The whole lines of a file without their line feeds, and at last the number of bytes after them. */
export async function* linesOf(path: string): AsyncGenerator<Buffer, number> {
  let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      const line = chunk.subarray(from, end);
      yield rest.length === 0 ? line : Buffer.concat([rest, line]);
      rest = rest.subarray(rest.length);
      from = end + 1;
    }
    rest = Buffer.concat([rest, chunk.subarray(from)]);
  }
  return rest.length;
}
const lineFeed = 0x0a;

export async function readSegment(path: string): Promise<SegmentContent> {
  const tree = new MerkleTree();
  const lines = linesOf(path);
  let [events, bytes, first, last] = [0, 0, undefined as Buffer | undefined, undefined as Buffer | undefined];
  for (;;) {
    const { value, done } = await lines.next();
    if (done === true) {
      const [from, to] = [read(first), read(last)];
      return {
        events,
        bytes,
        cut: value,
        firstAt: from?.at ?? '',
        lastAt: to?.at ?? '',
        root: tree.root(),
        first: from,
      };
    }
    tree.add(value);
    events++;
    bytes += value.length + 1;
    first ??= Buffer.from(value);
    last = value;
  }
}

function read(line: Buffer | undefined): WrittenEvent | undefined {
  try {
    return line && (JSON.parse(line.toString()) as WrittenEvent);
  } catch {
    // A line that another hand has changed: the verification of the trail will name it.
    return undefined;
  }
}
