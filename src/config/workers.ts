import { availableParallelism } from 'node:os';

/** The numbers of processes that WORKERS accepts, and the word for one on each processor. */
export const workersPattern = /^(auto|[1-9]\d?)$/;

/** The number of gateway processes that WORKERS asks for. A wrong value counts as one: the check of the settings names it. */
export function wantedWorkers(text = process.env['WORKERS']): number {
  if (text === 'auto') return availableParallelism();
  return workersPattern.test(text ?? '') ? Number(text) : 1;
}
