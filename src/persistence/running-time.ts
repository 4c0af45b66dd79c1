/** A process that was held up, for however long, has used one of these up. */
const parts = 20;

/**
 * Calls back after so many milliseconds in which this process could look for answers. A timer alone comes first after a
 * process was held up, as by loading code: it would take for silence what has arrived and was not read.
 * @returns what ends the waiting
 */
export function afterRunning(ms: number, act: () => void): () => void {
  let left = parts;
  const ticking = setInterval(() => {
    if (--left > 0) return;
    clearInterval(ticking);
    act();
  }, ms / parts);
  return () => clearInterval(ticking);
}
