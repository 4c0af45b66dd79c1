import type { ApiVersion } from '../endpoint/api-version.js';
import { v3_1 } from './v3.1/v3.1.js';
import { v4_0 } from './v4.0/v4.0.js';

/** The versions that the gateway can serve, the oldest first. */
export const versions = [v3_1, v4_0] as const;

export type VersionName = (typeof versions)[number]['name'];
export const versionNames: readonly VersionName[] = versions.map(({ name }) => name);

/** The versions of these names, the oldest first. */
export function versionsNamed(names: readonly VersionName[]): readonly ApiVersion[] {
  return versions.filter(({ name }) => names.includes(name));
}

/** One of several documents by its name: that of the oldest version has the plain name, so that it keeps its place. */
export function documentName(plain: string, version: ApiVersion): string {
  return version === versions[0] ? plain : `${plain}-${version.name}`;
}

/** The path of the OpenAPI document of a version. */
export function documentPath(version: ApiVersion): string {
  return `/${documentName('openapi', version)}.json`;
}

/**
 * The version below whose prefix an address lies. For requests that met no route: a route knows its version.
 * @param served the versions that the bank serves
 */
export function versionAt(url: string, served: readonly ApiVersion[]): ApiVersion | undefined {
  const path = url.split('?', 1).join();
  return served.find(({ rootPath }) => path === rootPath || path.startsWith(`${rootPath}/`));
}
