import { cleanJson, printableJson } from '../open-banking/printable.js';
import { eventVersion, mostLineBytes, type AnyEvent, type TooLongEvent, type WrittenMembers } from './event.js';
import { withMac } from './withdrawal-line.js';

/** How many events of a segment are written. */
interface WrittenCounts {
  readonly events: number;
  readonly withdrawals: number;
}

export interface EventAsJson {
  readonly event: AnyEvent;
  readonly json: string;
}

/** Makes the lines of one process. */
export class EventLines {
  /** The members that are the same in each line. */
  private readonly constant: string;

  constructor(
    instance: string,
    release: string,
    private readonly macKey: Buffer,
  ) {
    this.constant = `,"instance":${JSON.stringify(instance)},"release":${JSON.stringify(release)},`;
  }

  /**
   * @param before the number of events that their segment has already
   * @param more further members of the first, as JSON with a comma after each
   */
  make(before: WrittenCounts, events: readonly EventAsJson[], more: string): string {
    let { withdrawals } = before;
    const lines = events.map(({ event, json }, index) => {
      const line = this.line(before.events + index + 1, json, index === 0 ? more : '');
      return event.kind === 'withdrawal' ? withMac(line, ++withdrawals, this.macKey) : line;
    });
    return lines.map((line) => `${line}\n`).join('');
  }

  private line(seq: number, json: string, more: string): string {
    return `{"v":${eventVersion},"seq":${seq}${this.constant}${more}${json.slice(1)}`;
  }
}

/** One unit of UTF-16 in UTF-8. */
const mostBytesOfUnit = 3;
/** Room for the members that the writer adds. */
const mostBodyBytes = mostLineBytes - 1_024;

/** An event that has no JSON, or would not fit into a line, keeps the members that name it. */
export function asJson(event: AnyEvent): EventAsJson {
  const json = jsonOf(event);
  const fits = json.length * mostBytesOfUnit < mostBodyBytes || Buffer.byteLength(json) < mostBodyBytes;
  if (json !== '' && fits) return { event, json };
  const { kind, id, at } = event;
  const short: Omit<TooLongEvent, keyof WrittenMembers> = { kind, id, at, tooLong: true };
  return { event, json: JSON.stringify(short) };
}

/**
 * JSON without the characters by which a text of a stranger could change a reader's terminal. `''` for an event of which a
 * fault made something that has no JSON: the other events of its group must not be lost with it.
 */
function jsonOf(event: AnyEvent): string {
  try {
    // A withdrawal must name its subject exactly.
    return event.kind === 'withdrawal' ? printableJson(event) : cleanJson(event);
  } catch {
    return '';
  }
}
