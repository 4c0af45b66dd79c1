import { neutralErrors } from '../endpoint/neutral-errors.js';
import { errorNamesIn, type ErrorNamesOf } from '../server/error-names.js';

/** The bank's port belongs to no version of the TPPs' API. */
export const bankErrorSchema = neutralErrors.schema;

export function bankErrorNames(baseUrl: string, errorCodePrefix: string): ErrorNamesOf {
  const names = errorNamesIn(neutralErrors, { baseUrl, errorCodePrefix });
  return () => names;
}
