/** In bytes. TPPs put 32 random bytes or a small signed text there. */
const mostOfOne = { state: 1_024, nonce: 1_024 };
/** In bytes. A request object with every claim of the standard has less than 3 KB. */
const mostOfAll = 16 * 1_024;

const bytesOf = (value: unknown): number => (typeof value === 'string' ? Buffer.byteLength(value) : 0);

/** The reason, in words for the TPP, why an authorization request is too large to be stored while its customer decides. */
export function sizeFault(parameters: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, most] of Object.entries(mostOfOne))
    if (bytesOf(parameters[name]) > most) return `${name} must have at most ${most} bytes`;
  const all = Object.values(parameters)
    .flat()
    .reduce<number>((sum, value) => sum + bytesOf(value), 0);
  return all > mostOfAll ? `the parameters of the request must have at most ${mostOfAll} bytes` : undefined;
}

/** The same for a request object before it is parsed. */
export function objectSizeFault(jwt: unknown): string | undefined {
  return bytesOf(jwt) > mostOfAll ? `the request object must have at most ${mostOfAll} bytes` : undefined;
}
