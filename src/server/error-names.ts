import type { FastifyRequest } from 'fastify';
import type { ApiVersion } from '../endpoint/api-version.js';
import { declarationOf } from '../endpoint/route-declaration.js';
import type { ErrorNames } from '../open-banking/errors.js';
import { defaultVersion, versionAt, versions } from '../versions/versions.js';

/** The page that explains every error. */
export const errorsPagePath = '/docs/errors';

/** Where the page of the errors is, and `<prefix>` of the bank's own codes. */
export interface NamesConfig {
  readonly baseUrl: string;
  readonly errorCodePrefix: string;
}

/** The names of errors in the answers to a request; without a request, where bytes are no HTTP. */
export type ErrorNamesOf = (request: FastifyRequest | undefined) => ErrorNames;

/** Nest injects the names of the TPPs' API by this token. */
export const ERROR_NAMES = Symbol('ERROR_NAMES');

/** Each answer of the TPPs' API names its errors in the codes of the request's version. */
export function errorNamesOf(config: NamesConfig): ErrorNamesOf {
  const names = new Map(versions.map((version) => [version, errorNamesIn(version, config)]));
  return (request) => names.get(request ? versionOf(request) : defaultVersion) as ErrorNames;
}

/** That of its route. A request that met no route has that of its address. */
function versionOf(request: FastifyRequest): ApiVersion {
  return declarationOf(request)?.version ?? versionAt(request.url);
}

export function errorNamesIn({ errorCodes }: ApiVersion, { errorCodePrefix, baseUrl }: NamesConfig): ErrorNames {
  return { bankPrefix: errorCodePrefix, helpUrl: `${baseUrl}${errorsPagePath}`, codes: errorCodes };
}
