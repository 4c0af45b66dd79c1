/** The part of autocannon that the bench uses; the package has no types. */
declare module 'autocannon' {
  interface Options {
    readonly url: string;
    readonly connections: number;
    /** Seconds. */
    readonly duration: number;
    /** Seconds. */
    readonly timeout?: number;
    /** Called for each connection before its first request. */
    readonly setupClient?: (client: Client) => void;
    readonly tlsOptions?: { readonly ca: Buffer; readonly cert: Buffer; readonly key: Buffer };
  }

  interface Client {
    setRequests(
      requests: readonly { readonly path: string; readonly headers: Readonly<Record<string, string>> }[],
    ): void;
  }

  interface Result {
    /** Seconds. */
    readonly duration: number;
    readonly '2xx': number;
    readonly non2xx: number;
    /** Timeouts included. */
    readonly errors: number;
  }

  interface Instance extends PromiseLike<Result> {
    on(
      event: 'response',
      listener: (client: unknown, status: number, bytes: number, responseTimeMs: number) => void,
    ): this;
  }

  export default function autocannon(options: Options): Instance;
}
