import { availableParallelism } from 'node:os';
import { readSetting } from './read-setting.js';

/** The numbers of processes that WORKERS accepts, and the word for one on each processor. */
export const workersPattern = /^(auto|[1-9]\d?)$/;

/** The number of gateway processes that WORKERS asks for. A wrong value counts as one: the check of the settings names it. */
export function wantedWorkers(text = givenWorkers()): number {
  if (text === 'auto') return availableParallelism();
  return workersPattern.test(text) ? Number(text) : 1;
}

function givenWorkers(): string {
  try {
    return readSetting(process.env, 'WORKERS') ?? '';
  } catch {
    return '';
  }
}
