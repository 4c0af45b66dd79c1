import type { ApiVersion } from '../endpoint/api-version.js';
import { v3_1 } from './v3.1.js';

/** An address that belongs to no version is answered in the words of the oldest one. */
export const oldest = v3_1;

/** The versions that the gateway serves, the oldest first. */
export const versions: readonly ApiVersion[] = [oldest];

/** The version below whose prefix an address lies. For requests that met no route: a route knows its version. */
export function versionAt(url: string): ApiVersion {
  return versions.find(({ basePath }) => url.startsWith(`${basePath}/`)) ?? oldest;
}
