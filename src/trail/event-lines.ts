import { cleanJson } from '../open-banking/printable.js';
import { eventVersion, mostLineBytes, type AnyEvent, type TooLongEvent, type WrittenMembers } from './event.js';

/** Makes the lines of one process. */
export class EventLines {
  /** The members that are the same in each line. */
  private readonly constant: string;

  constructor(instance: string, release: string) {
    this.constant = `,"instance":${JSON.stringify(instance)},"release":${JSON.stringify(release)},`;
  }

  /**
   * @param seq of the first
   * @param more further members of the first, as JSON with a comma after each
   */
  make(seq: number, events: readonly AnyEvent[], more: string): string {
    return events.map((event, index) => this.line(seq + index, event, index === 0 ? more : '')).join('');
  }

  private line(seq: number, event: AnyEvent, more: string): string {
    return `{"v":${eventVersion},"seq":${seq}${this.constant}${more}${bodyOf(event).slice(1)}\n`;
  }
}

/** One unit of UTF-16 in UTF-8. */
const mostBytesOfUnit = 3;
/** Room for the members that the writer adds. */
const mostBodyBytes = mostLineBytes - 1_024;

/** JSON. An event that has none, or would not fit into a line, keeps the members that name it. */
function bodyOf(event: AnyEvent): string {
  const body = jsonOf(event);
  const fits = body.length * mostBytesOfUnit < mostBodyBytes || Buffer.byteLength(body) < mostBodyBytes;
  if (body !== '' && fits) return body;
  const { kind, id, at } = event;
  const short: Omit<TooLongEvent, keyof WrittenMembers> = { kind, id, at, tooLong: true };
  return JSON.stringify(short);
}

/**
 * JSON without the characters by which a text of a stranger could change a reader's terminal. `''` for an event of which a fault made something that has no JSON: the other
 * events of its group must not be lost with it.
 */
function jsonOf(event: AnyEvent): string {
  try {
    return cleanJson(event);
  } catch {
    return '';
  }
}
