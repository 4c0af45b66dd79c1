import { errorSchema } from '../endpoint/envelope.js';
import { errorNamesIn, type ErrorNamesOf } from '../server/error-names.js';
import { v3_1 } from '../versions/v3.1/v3.1.js';

/**
 * The bank's port belongs to no version of the TPPs' API. It keeps these error codes for every version that the gateway
 * serves.
 */
const codes = v3_1;

export const bankErrorSchema = errorSchema(codes);

export function bankErrorNames(baseUrl: string, errorCodePrefix: string): ErrorNamesOf {
  const names = errorNamesIn(codes, { baseUrl, errorCodePrefix });
  return () => names;
}
