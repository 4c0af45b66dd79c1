import { eventVersion, mostLineBytes, type AnyEvent, type TooLongEvent, type WrittenMembers } from './event.js';

const [leafPrefix, lineFeed] = ['\0', '\n'];

/**
 * Makes the lines of one process, for one write after another. They share a buffer: memory that the system lends for each
 * write costs more than the bytes in it.
 */
export class EventLines {
  /** The times of the first and the last event. */
  firstAt = '';
  lastAt = '';
  /** The members that are the same in each line. */
  private readonly constant: string;
  private bytes: Buffer = Buffer.allocUnsafe(256 * 1_024);
  /** Where each line ends, after its line feed. A byte before the first has room for the prefix of its leaf. */
  private readonly ends: number[] = [];
  private readonly start = leafPrefix.length;

  constructor(instance: string, release: string) {
    this.constant = `,"instance":${JSON.stringify(instance)},"release":${JSON.stringify(release)},`;
  }

  get count(): number {
    return this.ends.length;
  }

  /** As they stand in the file. */
  get content(): Buffer {
    return this.bytes.subarray(this.start, this.end);
  }

  /**
   * Makes the lines of these events, in the place of the lines before.
   * @param seq of the first
   * @param more further members of the first, as JSON with a comma after each
   */
  make(seq: number, events: readonly AnyEvent[], more: string): void {
    this.ends.length = 0;
    this.firstAt = events[0]?.at ?? '';
    this.lastAt = events.at(-1)?.at ?? '';
    events.forEach((event, index) => this.add(seq + index, event, index === 0 ? more : ''));
  }

  /** Gives the leaf of each line, once: the prefix takes the place of the line feed before the line. */
  eachLeaf(take: (leaf: Uint8Array) => void): void {
    let start = 0;
    for (const end of this.ends) {
      this.bytes.write(leafPrefix, start);
      take(this.bytes.subarray(start, end - lineFeed.length));
      start = end - lineFeed.length;
    }
  }

  private get end(): number {
    return this.ends.at(-1) ?? this.start;
  }

  private add(seq: number, event: AnyEvent, more: string): void {
    const { end } = this;
    const line = `{"v":${eventVersion},"seq":${seq}${this.constant}${more}${bodyOf(event).slice(1)}${lineFeed}`;
    this.makeRoom(end + line.length * mostBytesOfUnit);
    this.ends.push(end + this.bytes.write(line, end));
  }

  private makeRoom(bytes: number): void {
    if (bytes <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * bytes);
    this.bytes.copy(larger);
    this.bytes = larger;
  }
}

/** One unit of UTF-16 in UTF-8. */
const mostBytesOfUnit = 3;
/** Room for the members that the writer adds. */
const mostBodyBytes = mostLineBytes - 1_024;

/** JSON. An event that would not fit into a line keeps the members that name it. */
function bodyOf(event: AnyEvent): string {
  const body = JSON.stringify(event);
  if (body.length * mostBytesOfUnit < mostBodyBytes || Buffer.byteLength(body) < mostBodyBytes) return body;
  const { kind, id, at } = event;
  const short: Omit<TooLongEvent, keyof WrittenMembers> = { kind, id, at, tooLong: true };
  return JSON.stringify(short);
}
