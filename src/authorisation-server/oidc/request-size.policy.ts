/** TPPs keep 32 random bytes or a small signed text there. Bytes. */
const mostOfOne = { state: 1_024, nonce: 1_024 };
/** A request object with every claim of the standard has less than 3 KB. Bytes. */
const mostOfAll = 16 * 1_024;

const bytesOf = (value: unknown): number => (typeof value === 'string' ? Buffer.byteLength(value) : 0);

/** Says why an authorization request is refused for its size, in words for the TPP: each is kept while its customer decides. */
export function sizeFault(parameters: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, most] of Object.entries(mostOfOne))
    if (bytesOf(parameters[name]) > most) return `${name} must have at most ${most} bytes`;
  const all = Object.values(parameters)
    .flat()
    .reduce<number>((sum, value) => sum + bytesOf(value), 0);
  return all > mostOfAll ? `the parameters of the request must have at most ${mostOfAll} bytes` : undefined;
}

/** The same of a request object as it came. */
export function objectSizeFault(jwt: unknown): string | undefined {
  return bytesOf(jwt) > mostOfAll ? `the request object must have at most ${mostOfAll} bytes` : undefined;
}
