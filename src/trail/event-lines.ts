import { eventVersion, mostLineBytes, type AnyEvent, type TooLongEvent, type WrittenMembers } from './event.js';

const [leafPrefix, lineFeed] = ['\0', '\n'];
const beforeNumber = `{"v":${eventVersion},"seq":`;
/** Room for the number of a line, which is known only when the line is written; spaces fill the rest. */
const numberDigits = 6;
const lostMember = (lost: number): string => `,"lost":${lost}`;
/** Before the first line: the prefix of its leaf, and room for the member that only this line has. */
const start = leafPrefix.length + lostMember(Number.MAX_SAFE_INTEGER).length;
const usualBytes = 256 * 1_024;

/** Called when a line was written, or with the error when it was lost. */
export type Done = ((error?: Error) => void) | undefined;

/**
 * The lines of events, as bytes for one write. The line is made when its event comes: an event that waited for its write would
 * have left the processor's cache, and would outlive collections of garbage. So nothing but numbers is kept of a line.
 */
export class EventLines {
  private bytes: Buffer = Buffer.allocUnsafe(usualBytes);
  /** Where each line ends, after its line feed. */
  private ends: number[] = [];
  private dones: Done[] = [];
  private start = start;
  /** The members that are the same in each line, after room for the number. */
  private readonly head: string;

  constructor(instance: string, release: string) {
    const members = `"instance":${JSON.stringify(instance)},"release":${JSON.stringify(release)}`;
    this.head = `${beforeNumber}${' '.repeat(numberDigits)},${members},`;
  }

  get count(): number {
    return this.ends.length;
  }

  get firstAt(): string {
    return this.atOf(0);
  }

  get lastAt(): string {
    return this.atOf(this.count - 1);
  }

  /** As they stand in the file, after {@link number}. */
  get content(): Buffer {
    return this.bytes.subarray(this.start, this.end);
  }

  add(event: AnyEvent, done?: Done): void {
    const { end } = this;
    const line = `${this.head}${bodyOf(event).slice(1)}${lineFeed}`;
    this.makeRoom(end + line.length * mostBytesOfUnit);
    this.ends.push(end + this.bytes.write(line, end));
    this.dones.push(done);
  }

  /** @param seq of the first line @param lost how many events before the first line could not be written */
  number(seq: number, lost: number): void {
    this.ends.forEach((_, index) => this.bytes.write(String(seq + index), this.startOf(index) + beforeNumber.length));
    if (lost === 0) return;
    const head = `${beforeNumber}${String(seq).padEnd(numberDigits)}${lostMember(lost)}`;
    this.start = start - lostMember(lost).length;
    this.bytes.write(head, this.start);
  }

  /** Gives the leaf of each line, once: the prefix takes the place of the line feed before the line. */
  eachLeaf(take: (leaf: Uint8Array) => void): void {
    this.ends.forEach((end, index) => {
      const before = this.startOf(index) - leafPrefix.length;
      this.bytes.write(leafPrefix, before);
      take(this.bytes.subarray(before, end - lineFeed.length));
    });
  }

  /** Keeps the first lines, and leaves the others to `to`, which has none. They are not numbered yet. */
  keep(count: number, to: EventLines): void {
    if (count >= this.count) return;
    const from = this.startOf(count);
    to.makeRoom(start + this.end - from);
    this.bytes.copy(to.bytes, start, from, this.end);
    to.ends = this.ends.splice(count).map((end) => end - from + start);
    to.dones = this.dones.splice(count);
  }

  /** Tells those who wait for these lines, and forgets the lines. */
  settle(error?: Error): void {
    const { dones } = this;
    this.ends = [];
    this.dones = [];
    this.start = start;
    // A disk that stood still has let them grow.
    if (this.bytes.length > 16 * usualBytes) this.bytes = Buffer.allocUnsafe(usualBytes);
    for (const done of dones) done?.(error);
  }

  private startOf(index: number): number {
    return this.ends[index - 1] ?? this.start;
  }

  private atOf(index: number): string {
    const end = this.startOf(index + 1) - lineFeed.length;
    return (JSON.parse(this.bytes.toString('utf8', this.startOf(index), end)) as AnyEvent).at;
  }

  private get end(): number {
    return this.startOf(this.count);
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
