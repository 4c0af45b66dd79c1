import { isError } from './is-error.js';

/** The kit could not begin or end: the message names the part of the description that failed, in one line. */
export class KitFault extends Error {
  override readonly name = 'KitFault';
}

/** Runs a part of the adapter's description. @param name with backticks @throws KitFault */
export async function partOfKit<T>(name: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw new KitFault(`${name} failed: ${sentenceOf(error)}`, { cause: error });
  }
}

/** The first line of an error's message. Adapters and test cores may throw anything. */
export function sentenceOf(error: unknown): string {
  // Not `instanceof`: a test runner's own realm has another Error.
  if (!isError(error)) return 'a value that is not an Error was thrown';
  return error.message.split('\n')[0] || error.name;
}
