import type { RequestTrace } from '../request/request-trace.js';
import type { EndedRequest } from './ended-request.js';

/** Takes a trace of each request, and sends the traces away. */
export interface Tracing {
  /** Begins the span of a request. */
  begin(request: TracedRequest): RequestSpan;
  /** Sends the remaining spans, for a few seconds at most. Never rejects. */
  close(): Promise<void>;
}

export interface TracedRequest {
  readonly method: string;
  /** The pattern of the route, e.g. `/accounts/{AccountId}/balances` after the base path; never the path itself. */
  readonly route: string | undefined;
  /** The start of `route` that the span's name omits. */
  readonly basePath: string;
  /** The header of that name, as it came. */
  readonly traceparent: string | string[] | undefined;
}

/** The span of a request that is under way. A span that is not ended is not sent. */
export interface RequestSpan extends RequestTrace {
  end(request: EndedRequest): void;
}
