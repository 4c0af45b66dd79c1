import type { ApiVersion } from '../endpoint/api-version.js';
import { v3_1 } from './v3.1/v3.1.js';

/** The version of an address that belongs to no version. */
export const defaultVersion = v3_1;

/** The versions that the gateway serves, the oldest first. */
export const versions: readonly ApiVersion[] = [defaultVersion];

/** One of several documents by its name: that of the oldest version has the plain name, so that it keeps its place. */
export function documentName(plain: string, version: ApiVersion): string {
  return version === defaultVersion ? plain : `${plain}-${version.name}`;
}

/** The path of the OpenAPI document of a version. */
export function documentPath(version: ApiVersion): string {
  return `/${documentName('openapi', version)}.json`;
}

/** The version below whose prefix an address lies. For requests that met no route: a route knows its version. */
export function versionAt(url: string): ApiVersion {
  return versions.find(({ basePath }) => url.startsWith(`${basePath}/`)) ?? defaultVersion;
}
