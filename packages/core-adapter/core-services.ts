import type { CoreAdapter } from './core.adapter.js';
import type { CoreSettings } from './core-settings.js';
import type { CoreHttp } from './http-core.client.js';

/**
 * The export `createAdapter` of an adapter's module. The gateway calls it before it listens.
 *
 * @throws CoreSettingFault for a setting that is missing or wrong
 */
export type CreateAdapter = (settings: CoreSettings, services: CoreServices) => CoreAdapter | Promise<CoreAdapter>;

/** The services that the gateway lends to an adapter. */
export interface CoreServices {
  readonly logger: CoreLogger;
  readonly clock: CoreClock;
  readonly metrics: CoreMetrics;
  readonly http: CoreHttp;
  /**
   * The path of a folder for the adapter's own files, in the folder `DATA_DIR` of the gateway. The first call makes it,
   * for the gateway's user only. All processes on a machine share it, and they may start at once: write a file under
   * another name, then rename it. A process on another machine has another folder.
   *
   * @throws CoreSettingFault if the folder cannot be made
   */
  dataFolder(): Promise<string>;
}

/**
 * Writes lines into the gateway's log, each with the adapter's name, and during a read with the interaction id of its
 * request. No line may hold a customer's data, a secret or the core's words.
 */
export interface CoreLogger {
  debug(fields: CoreLogFields, message: string): void;
  info(fields: CoreLogFields, message: string): void;
  warn(fields: CoreLogFields, message: string): void;
  error(fields: CoreLogFields, message: string): void;
}

/** The gateway omits every other value: a whole error or answer can hold customers' data. */
export type CoreLogFields = Readonly<Record<string, string | number | boolean>>;

export interface CoreClock {
  /** Milliseconds since 1970, UTC. */
  nowMs(): number;
}

/**
 * The adapter's metrics among the gateway's, with the adapter's name. A name has lower-case letters, digits and
 * underscores, at most 40 of them. The gateway takes 50 names and ignores each further name, with one warning in the
 * log.
 */
export interface CoreMetrics {
  /** Adds to `gateway_adapter_events_total`. @param value not negative; absent: 1 */
  count(name: string, value?: number): void;
  /** Adds a duration to `gateway_adapter_duration_seconds`. */
  observe(name: string, seconds: number): void;
}
