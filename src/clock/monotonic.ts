/**
 * Milliseconds that only ever rise, also while the wall clock is set or the process is stopped (SIGSTOP): for ages and
 * intervals within this process.
 */
export const monotonicMs = (): number => performance.now();
