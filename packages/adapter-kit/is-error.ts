/**
 * Whether the value is an error, also one of another realm: a test runner's own realm has another `Error`. Not by
 * `Error.isError`, which the oldest Node of the package does not have.
 */
export function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}

/** The error with which it ends, if any. */
export async function errorOf(act: () => Promise<unknown>): Promise<unknown> {
  try {
    await act();
    return undefined;
  } catch (error) {
    return error;
  }
}
