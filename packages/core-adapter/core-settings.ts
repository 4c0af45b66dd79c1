import { isIPv4 } from 'node:net';
import { hasName } from './core-error.js';

/** The gateway's settings of the core. */
export interface CoreSettings {
  /** Where the core is, without a trailing slash. */
  readonly url: string;
  /** How many connections to it may be open at once. */
  readonly connections: number;
  /**
   * Every environment variable whose name begins with `CORE_`: the adapter reads its own settings here. With several
   * cores these are the variables of this core: `CORE_CARDS_TENANT` of the core `cards` has the name `CORE_TENANT` here.
   * In a sandbox also `ALLOW_PLAIN_CONNECTIONS`, without which an adapter refuses a plain connection to another machine.
   */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * A setting of the core is missing or wrong. The gateway prints it in one line and does not start. It never has the
 * value, which may be a secret.
 */
export class CoreSettingFault extends Error {
  override readonly name = 'CoreSettingFault';

  constructor(
    /** The environment variable, e.g. `CORE_TENANT`. */
    readonly setting: string,
    /** The rule, as the end of a sentence: `must be the name of a tenant`. */
    readonly rule: string,
  ) {
    super(`${setting} ${rule}`);
  }
}

/** Use it instead of `instanceof`, which does not recognise an error of another copy of the port. */
export function isCoreSettingFault(error: unknown): error is CoreSettingFault {
  return hasName(error, 'CoreSettingFault');
}

/** Whether a connection to the host, as a URL has it, stays on this machine: it may be plain. */
export function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'));
}
