import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { CoreSettings } from '../core-adapter/core-settings.js';

/** An answer over HTTP. */
export interface CoreAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The fault that the proxy makes of one request of the adapter; `pass` makes none. */
export type InjectedFault =
  | { readonly kind: 'pass' }
  /** Nothing comes back. */
  | { readonly kind: 'hang' }
  /** The first half of the answer comes, then nothing. */
  | { readonly kind: 'stall' }
  /** The first half of the answer comes, then a reset. */
  | { readonly kind: 'reset' }
  /** Another answer comes. Only for cores over HTTP. */
  | { readonly kind: 'replace'; readonly by: (answer: CoreAnswer) => CoreAnswer };

export interface CoreRequest {
  /** Counted from 0 since the rules were last set. */
  readonly index: number;
  /** Empty where the core does not speak HTTP. */
  readonly path: string;
}

/** Injects a fault into each request, or reads the answers that pass. */
export interface CoreProxyRules {
  readonly inject?: (request: CoreRequest) => InjectedFault;
  /** Called only for cores over HTTP. */
  readonly onAnswer?: (path: string, answer: CoreAnswer, request: IncomingMessage) => void;
  /** Called once an injected fault keeps the core silent: the adapter receives nothing more. */
  readonly onSilence?: () => void;
}

/** Stands between an adapter and its core, and applies the faults of the rules. */
export interface CoreProxy {
  /** Where the adapter reaches the core through this. */
  readonly origin: string;
  /** Requests since the rules were last set. */
  readonly requests: number;
  readonly connections: number;
  readonly openRequests: number;
  /** Ends requests that hang under the previous rules: each would hold one of the adapter's connections. */
  set(rules: CoreProxyRules): void;
  close(): Promise<void>;
}

export function isOverHttp(coreUrl: string): boolean {
  return /^https?:/i.test(coreUrl);
}

/** The settings with the core's address replaced wherever it occurs. @param origin its scheme is used for HTTP only */
export function throughProxy(settings: CoreSettings, origin: string): CoreSettings {
  const part = isOverHttp(settings.url) ? 'origin' : 'host';
  const [from, to] = [new URL(settings.url)[part], new URL(origin)[part]];
  const url = settings.url.replace(from, to);
  const variables = Object.fromEntries(
    Object.entries(settings.variables).map(([name, value]) => [name, value.replaceAll(from, to)]),
  );
  return { ...settings, url, variables: { ...variables, CORE_URL: url } };
}

/** In the place of the proxy where an adapter reads a replica: there is no connection to stand between. */
export class NoProxy implements CoreProxy {
  readonly requests = 0;
  readonly connections = 0;
  readonly openRequests = 0;

  constructor(readonly origin: string) {}

  set(): void {
    // No rule can apply.
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
