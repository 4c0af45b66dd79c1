/** A port between the gateway and adapters that banks keep in separate repositories. */
export interface PublishedPort {
  /** The gateway's, as `major.minor.patch`. */
  readonly version: string;
  /** The package's entry from which an adapter's module exports the version with which it was built. */
  readonly entry: string;
}

/** Whether the gateway can use an adapter that was built with another version of the port. */
export type PortAgreement =
  | { readonly agrees: true; /** A sentence about a newer minor version. */ readonly warning?: string }
  /** The end of a sentence that begins with the adapter. */
  | { readonly agrees: false; readonly reason: string };

/** @param stated the export `portVersion` of the adapter's module */
export function portAgreement(stated: unknown, { version: own, entry }: PublishedPort): PortAgreement {
  const adapters = typeof stated === 'string' ? /^(\d+)\.(\d+)\.\d+$/.exec(stated) : null;
  if (adapters === null)
    return {
      agrees: false,
      reason: `states no version of the port: add \`export { portVersion } from '${entry}';\` to its module`,
    };
  const [major, minor] = own.split('.').map(Number) as [number, number];
  if (Number(adapters[1]) !== major)
    return {
      agrees: false,
      reason: `was built with version ${adapters[0]} of the port, and the gateway has ${own}: build it with version ${major}`,
    };
  return Number(adapters[2]) <= minor
    ? { agrees: true }
    : {
        agrees: true,
        warning: `the adapter was built with version ${adapters[0]} of the port, and the gateway has ${own}: parts of it may have no effect`,
      };
}
