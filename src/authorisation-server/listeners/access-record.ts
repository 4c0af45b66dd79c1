import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { brokenStatus, canAnswer, endWith } from '../../http/broken-http.js';
import { readInteractionId } from '../../http/headers.js';
import { Slots } from '../../http/slots.js';

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

interface Recording {
  readonly response: ServerResponse;
  readonly interactionId: string;
  /** The status of an answer that was given past the response. */
  refused?: number;
}

/** Observes the requests of the authorization server: its access records and its metrics. */
export class AccessRecords {
  private readonly tpps = new WeakMap<IncomingMessage, string>();
  private readonly underWay = new Slots<Recording>();

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

  /**
   * Answers a request that is under way and whose bytes are no HTTP any more, or do not come to their end in time; its
   * record says so. False where the connection has no such request.
   */
  refuse(error: NodeJS.ErrnoException, socket: Duplex): boolean {
    const recording = this.underWay.all().find(({ response }) => response.socket === socket);
    if (recording === undefined) return false;
    // In the middle of an answer a second one would be read as its rest.
    if (!canAnswer(error, socket) || recording.response.headersSent) socket.destroy();
    else {
      recording.refused = brokenStatus(error.code);
      endWith(socket, recording.refused, recording.interactionId);
    }
    return true;
  }

  private watch(request: IncomingMessage, response: ServerResponse, endpoint: string | undefined): void {
    const started = performance.now();
    const interactionId = readInteractionId(request) ?? randomUUID();
    response.setHeader('x-fapi-interaction-id', interactionId);
    const recording: Recording = { response, interactionId };
    const slot = this.underWay.enter(recording);
    response.once('close', () => {
      this.underWay.leave(slot);
      const status = recording.refused ?? (response.writableEnded ? response.statusCode : 499);
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
