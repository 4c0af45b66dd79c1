/**
 * Tokens, assertions and request objects begin so; inside a signature or a MAC the letters occur by chance. The others are the
 * sandbox core's own words.
 */
const neverWritten = /(?<![\w-])eyJ[\w-]{8}|NullPointer|ORA-\d/;

/**
 * Whether a gateway kept secrets to itself.
 * @param written its log or its trail
 * @throws Error that names what is in it
 */
export function checkSecrecy(place: string, written: string, secrets: Iterable<string>): void {
  // The digits of a code also occur in a time by chance.
  const texts = written.replaceAll(/(?<=:)-?\d[\d.e+-]*(?=[,}\]])/g, '0');
  const found = [...new Set(secrets)].filter((secret) => secret.length > 4 && has(texts, secret));
  const [pattern] = neverWritten.exec(texts) ?? [];
  if (pattern !== undefined) found.push(pattern);
  if (found.length > 0)
    throw new Error(`${place} has ${found.join(', ')}: ${texts.split('\n').find((line) => has(line, found[0] ?? ''))}`);
}

function has(texts: string, secret: string): boolean {
  // As a word, because digits also occur in a hash.
  return texts.includes(secret) && (!/^\d+$/.test(secret) || new RegExp(`\\b${secret}\\b`).test(texts));
}
