import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { readInteractionId } from '../http/headers.js';

/** One finished request, as operators may see it: no query, no header and no id but the TPP's. */
export interface FinishedRequest {
  /** The TPP, where one is known that was not refused as such. */
  readonly tpp: string | undefined;
  readonly interactionId: string;
  readonly method: string;
  /** The path's pattern, `undefined` for a path that is none of ours. */
  readonly endpoint: string | undefined;
  /** 499 where nobody was left to answer. */
  readonly status: number;
  readonly durationMs: number;
}

/** Observes the requests of the authorization server: its access records and its metrics. */
export class AccessRecords {
  private readonly tpps = new WeakMap<IncomingMessage, string>();

  /**
   * @param endpointOf gives a path's pattern, `undefined` for a path that is none of ours
   * @param finished is called once for each request
   */
  constructor(
    private readonly endpointOf: (pathname: string) => string | undefined,
    private readonly finished: (request: FinishedRequest) => void,
  ) {}

  /** Names the TPP of a request. */
  identify(request: IncomingMessage, clientId: string | undefined): void {
    if (clientId !== undefined) this.tpps.set(request, clientId);
  }

  of(next: RequestListener): RequestListener {
    return (request, response) => {
      this.watch(request, response, this.endpointOf((request.url ?? '').split('?', 1).join()));
      next(request, response);
    };
  }

  private watch(request: IncomingMessage, response: ServerResponse, endpoint: string | undefined): void {
    const started = performance.now();
    const interactionId = readInteractionId(request) ?? randomUUID();
    response.setHeader('x-fapi-interaction-id', interactionId);
    response.once('close', () => {
      const status = response.writableEnded ? response.statusCode : 499;
      this.finished({
        // Who is refused for not being this TPP is not this TPP.
        tpp: status === 401 ? undefined : this.tpps.get(request),
        interactionId,
        method: request.method ?? '',
        endpoint,
        status,
        durationMs: Math.round((performance.now() - started) * 10) / 10,
      });
    });
  }
}
