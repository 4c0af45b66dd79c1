import type { CoreTime } from '../../../../packages/core-adapter/core.records.js';

/**
 * A record of the port as text, by which the replica keeps it: JSON, with an instant as `{"ms":…}` and whole minor units
 * as `{"n":"…"}`.
 */
export function textOfRecord(record: object): string {
  return JSON.stringify(record, function (this: Record<string, unknown>, name: string, value: unknown) {
    // A Date is a text by the time that it comes here.
    const member = this[name];
    if (member instanceof Date) return { ms: member.getTime() };
    return typeof member === 'bigint' ? { n: String(member) } : value;
  });
}

/** @throws SyntaxError where the text is no JSON */
export function recordOfText<T>(text: string): T {
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if ('ms' in value && typeof value.ms === 'number') return new Date(value.ms);
    return 'n' in value && typeof value.n === 'string' ? BigInt(value.n) : value;
  }) as T;
}

/** Milliseconds since 1970; a day without a time counts as its 00:00 UTC. */
export function msOf(time: CoreTime): number {
  return time instanceof Date ? time.getTime() : Date.parse(`${time.date}T00:00:00Z`);
}
