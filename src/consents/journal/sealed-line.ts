import { createHmac, timingSafeEqual } from 'node:crypto';

/** One line of a journal's file, without its line feed. */
interface SealedLine {
  /** The entry, as JSON. */
  readonly entry: string;
  /** HMAC-SHA256 in base64url. */
  readonly mac: string;
  /** The entry with its HMAC as its last member, which is still a line of JSON. */
  readonly line: string;
}

const sealed = /^(\{.*),"mac":"([\w-]{43})"\}$/s;

/**
 * Seals an entry for its place in a file. The HMAC covers the HMAC of the previous line, or for the first line the file's
 * name: the line is authentic in this place only.
 * @param before the HMAC of the previous line; for the first line the file's name
 * @param entry a JSON object with at least one member
 */
export function sealLine(key: string, before: string, entry: string): SealedLine {
  const mac = createHmac('sha256', key).update(`${before}\n${entry}`).digest('base64url');
  return { entry, mac, line: `${entry.slice(0, -1)},"mac":"${mac}"}` };
}

/** Whether the line has an HMAC, be it right or wrong. */
export function isSealed(line: string): boolean {
  return sealed.test(line);
}

/** The line, where its HMAC is right in this place; compares in constant time. */
export function openLine(key: string, before: string, line: string): SealedLine | undefined {
  const [, members, given] = sealed.exec(line) ?? [];
  if (members === undefined || given === undefined) return undefined;
  const expected = sealLine(key, before, `${members}}`);
  return timingSafeEqual(Buffer.from(given), Buffer.from(expected.mac)) ? expected : undefined;
}
