import type { FastifyRequest } from 'fastify';
import type { ApiVersion } from '../endpoint/api-version.js';
import { neutralErrors } from '../endpoint/neutral-errors.js';
import type { ErrorNames, ErrorWords } from '../open-banking/errors.js';
import { versionAt } from '../versions/versions.js';

/** The page that explains every error. */
export const errorsPagePath = '/docs/errors';

/** Where the page of the errors is, and `<prefix>` of the bank's own codes. */
export interface NamesConfig {
  readonly baseUrl: string;
  readonly errorCodePrefix: string;
}

/** The names of errors in the answers to a request; without a request, where bytes are not HTTP. */
export type ErrorNamesOf = (request: FastifyRequest | undefined) => ErrorNames;

/** Nest injects the names of the TPPs' API by this token. */
export const ERROR_NAMES = Symbol('ERROR_NAMES');

/**
 * Each answer of the TPPs' API names its errors in the codes of the request's version: that of its route, or of its address
 * where it met no route. Bytes that are not HTTP have those of the oldest version.
 * @param served the versions that the bank serves, the oldest first
 */
export function errorNamesOf(config: NamesConfig, served: readonly ApiVersion[]): ErrorNamesOf {
  const neutral = errorNamesIn(neutralErrors, config);
  const names = new Map(served.map((version) => [version, errorNamesIn(version.errors, config)]));
  const namesOf = (version: ApiVersion | undefined): ErrorNames => (version && names.get(version)) ?? neutral;
  return (request) => namesOf(request ? (request.declaration?.version ?? versionAt(request.url, served)) : served[0]);
}

export function errorNamesIn(words: ErrorWords, { errorCodePrefix, baseUrl }: NamesConfig): ErrorNames {
  return { bankPrefix: errorCodePrefix, helpUrl: `${baseUrl}${errorsPagePath}`, words };
}
