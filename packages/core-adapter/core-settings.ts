import { hasName } from './error-name.js';

/** The gateway's settings of the core. */
export interface CoreSettings {
  /** Where the core is, without a trailing slash. */
  readonly url: string;
  /** How many connections to it may be open at once. */
  readonly connections: number;
  /**
   * Every environment variable whose name begins with `CORE_`: where an adapter finds what only it needs. With several cores
   * those that begin with `CORE_<NAME>_`, under the names of a single core's. In a sandbox also `ALLOW_PLAIN_CONNECTIONS`,
   * without which an adapter refuses a plain connection to another machine.
   */
  readonly variables: Readonly<Record<string, string>>;
}

/** A setting of the core is missing or wrong. Stops the boot in one line; never carries the value, it may be a secret. */
export class CoreSettingFault extends Error {
  override readonly name = 'CoreSettingFault';

  constructor(
    /** The environment variable, e.g. `CORE_TENANT`. */
    readonly setting: string,
    /** The demand, as the end of a sentence: `must be the name of a tenant`. */
    readonly rule: string,
  ) {
    super(`${setting} ${rule}`);
  }
}

/** Use it instead of `instanceof`: an adapter of a separate repository throws the class of its own copy of the port. */
export function isCoreSettingFault(error: unknown): error is CoreSettingFault {
  return hasName(error, 'CoreSettingFault');
}
