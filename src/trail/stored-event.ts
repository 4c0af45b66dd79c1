import { printable } from '../open-banking/printable.js';

/**
 * An event as its line in a segment states it. A later or an earlier release may have written it, or an attacker: no
 * member is certain, so each is read by one of the functions below.
 */
export type StoredEvent = Readonly<Record<string, unknown>>;

/** The event of a line; `undefined` for a line that is not an event, such as half a line at the end of an open segment. */
export function readEvent(line: string): StoredEvent | undefined {
  try {
    const event: unknown = JSON.parse(line);
    return isObject(event) && textIn(event, 'kind') !== '' && textIn(event, 'at') !== '' ? event : undefined;
  } catch {
    return undefined;
  }
}

/** A text without control characters, which could change the reader's terminal; `''` where the event has none. */
export function textIn(event: StoredEvent, member: string): string {
  const value = event[member];
  return typeof value === 'string' ? printable(value) : '';
}

export function numberIn(event: StoredEvent, member: string): number | undefined {
  const value = event[member];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function textsIn(event: StoredEvent, member: string): readonly string[] {
  return textsOf(event[member]);
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.flatMap((each) => textIn({ each }, 'each') || []) : [];
}

export function partIn(event: StoredEvent, member: string): StoredEvent {
  const value = event[member];
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is StoredEvent {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
