/**
 * A record of the port as text, by which the replica keeps it: JSON, with an instant as `{"ms":…}` and whole minor units
 * as `{"n":"…"}`.
 */
export function textOfRecord(record: object): string {
  return JSON.stringify(plain(record));
}

/** A copy: `JSON.stringify` with a function that replaces values takes three times as long. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return { n: String(value) };
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return { ms: value.getTime() };
  const copy: Record<string, unknown> = {};
  for (const name in value) copy[name] = plain((value as Record<string, unknown>)[name]);
  return copy;
}

/** @throws SyntaxError where the text is not JSON */
export function recordOfText<T>(text: string): T {
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if ('ms' in value && typeof value.ms === 'number') return new Date(value.ms);
    return 'n' in value && typeof value.n === 'string' ? BigInt(value.n) : value;
  }) as T;
}
