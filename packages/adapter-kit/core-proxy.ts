import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { CoreSettings } from '../core-adapter/core-settings.js';

/** An answer over HTTP. */
export interface CoreAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The treatment of one request of the adapter. */
export type Strike =
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
  /** Counted from 0 since the strikes were last set. */
  readonly index: number;
  /** Empty where the core does not speak HTTP. */
  readonly path: string;
}

/** Strikes each request, or sees an answer that passes. */
export interface CoreProxyRules {
  readonly strike?: (request: CoreRequest) => Strike;
  /** Called only for cores over HTTP. */
  readonly onAnswer?: (path: string, answer: CoreAnswer, request: IncomingMessage) => void;
  /** A strike that keeps silent has reached the adapter: from here on nothing comes any more. */
  readonly onSilence?: () => void;
}

/** Stands between an adapter and its core, and applies the faults of the rules. */
export interface CoreProxy {
  /** Where the adapter reaches the core through this. */
  readonly origin: string;
  /** Requests since the rules were last set. */
  readonly requests: number;
  readonly connections: number;
  readonly underWay: number;
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
