import { expect } from '@jest/globals';
import { CoreError } from '../../packages/core-adapter/core-error.js';

/** The `CoreError` with which a read of an adapter ends. */
export async function faultOf(read: Promise<unknown>): Promise<CoreError> {
  const fault = await read.catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(CoreError);
  return fault as CoreError;
}
