/** The machine's time, for what is judged by a library with a clock of its own. Milliseconds since 1970, UTC. */
export function realNowMs(): number {
  return Date.now();
}
