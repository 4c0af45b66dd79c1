import { eventVersion, mostLineBytes, type AnyEvent, type TooLongEvent, type WrittenMembers } from './event.js';
import type { Line } from './open-segment.js';

/** Makes the lines of one process. */
export class EventLines {
  /** The members that are the same in each line. */
  private readonly constant: string;

  constructor(instance: string, release: string) {
    this.constant = `,"instance":${JSON.stringify(instance)},"release":${JSON.stringify(release)},`;
  }

  /** @param more further members, as JSON with a comma after each */
  of(seq: number, body: string, at: string, more: string): Line {
    return { text: `{"v":${eventVersion},"seq":${seq}${this.constant}${more}${body.slice(1)}`, at };
  }
}

/** Room for the members that the writer adds. */
const mostBodyBytes = mostLineBytes - 1_024;

/** JSON. An event that would not fit into a line keeps the members that name it. */
export function bodyOf(event: AnyEvent): string {
  const body = JSON.stringify(event);
  // One unit of UTF-16 has at most three bytes in UTF-8.
  if (body.length * 3 < mostBodyBytes || Buffer.byteLength(body) < mostBodyBytes) return body;
  const { kind, id, at } = event;
  const short: Omit<TooLongEvent, keyof WrittenMembers> = { kind, id, at, tooLong: true };
  return JSON.stringify(short);
}
