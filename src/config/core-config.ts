/** The settings of one core. */
export interface CoreConfig {
  /** Its name in `CORES`; absent for a single core, which has its adapter's name. */
  readonly name?: string;
  /**
   * The name that consents and public ids keep with its accounts. Absent for a single core and for `FIRST_CORE`: so the
   * consents and the ids of a bank's first core stay when a second one is added.
   */
  readonly recordedAs?: string;
  /** In the registry, or the absolute path of the adapter's module. */
  readonly adapter: string;
  readonly url: string;
  readonly deadlineMs: number;
  readonly connections: number;
  /** The only products that it holds; absent: it may hold every product. */
  readonly holds?: readonly string[];
  /** Settings that only the core's adapter needs, under the names that a single core's have: see `CoreSettings`. */
  readonly variables: Readonly<Record<string, string>>;
}
