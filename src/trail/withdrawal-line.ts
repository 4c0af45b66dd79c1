import { createHmac, timingSafeEqual } from 'node:crypto';

const withItsMac = /^(\{.*),"mac":"([\w-]{43})"\}$/s;

/**
 * The line of a withdrawal with its number in the segment and its MAC. The MAC covers the rest of the line and not the place: a
 * line that was moved still takes away the same access.
 * @param line a JSON object with at least one member
 */
export function withMac(line: string, number: number, key: Buffer): string {
  const content = `${line.slice(0, -1)},"number":${number}`;
  return `${content},"mac":"${macOf(content, key).toString('base64url')}"}`;
}

/** Whether a gateway with the key wrote the line; compares in constant time. */
export function hasMac(line: string, key: Buffer): boolean {
  const [, content, mac] = withItsMac.exec(line) ?? [];
  if (content === undefined || mac === undefined) return false;
  const given = Buffer.from(mac, 'base64url');
  const expected = macOf(content, key);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function macOf(content: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(content).digest();
}
