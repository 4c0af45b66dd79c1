/** A pause of the process, however long, uses up one of these slices. */
const parts = 20;

/**
 * Calls back after this number of milliseconds in which the process could read answers. A plain timer fires first after a
 * pause of the process, such as the loading of code, although answers have arrived that the process has not read yet.
 * @returns a function that cancels the wait
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
