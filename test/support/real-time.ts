/** The machine's time, for a library that has its own clock. Milliseconds since 1970, UTC. */
export function realNowMs(): number {
  return Date.now();
}
