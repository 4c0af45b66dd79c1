import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import type { IncomingHttpHeaders } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** The caller's signal ends a call much earlier; this only bounds one whose caller forgot. */
const transportTimeoutMs = 60_000;

export function openPool(
  origin: string,
  { connections, ca }: { readonly connections: number; readonly ca?: string },
  maxAnswerBytes: number,
): Pool {
  return new Pool(origin, {
    connections,
    maxResponseSize: maxAnswerBytes,
    headersTimeout: transportTimeoutMs,
    bodyTimeout: transportTimeoutMs,
    ...(ca !== undefined && { connect: { ca } }),
  });
}

/** One exchange, whole. Rejects with the transport's error, and at once when the signal fires. */
export function exchange(pool: Pool, options: Dispatcher.DispatchOptions, signal: AbortSignal): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const receiver = new AnswerReceiver(signal, resolve, reject);
    if (receiver.listen()) pool.dispatch(options, receiver);
  });
}

/** Collects one answer, and ends the exchange when the signal fires, even while it still waits for a connection. */
class AnswerReceiver implements Dispatcher.DispatchHandler {
  private controller?: Dispatcher.DispatchController;
  private status = 0;
  private headers: IncomingHttpHeaders = {};
  private readonly chunks: Buffer[] = [];

  constructor(
    private readonly signal: AbortSignal,
    private readonly resolve: (answer: RawAnswer) => void,
    private readonly reject: (reason: unknown) => void,
  ) {}

  /** False when the signal has already fired: there is nothing to send. */
  listen(): boolean {
    if (this.signal.aborted) {
      this.reject(this.signal.reason);
      return false;
    }
    this.signal.addEventListener('abort', this.onAbort, { once: true });
    return true;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.signal.aborted) controller.abort(abortError);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.status = status;
    this.headers = headers;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.signal.removeEventListener('abort', this.onAbort);
    this.resolve({ status: this.status, headers: this.headers, text: Buffer.concat(this.chunks).toString('utf8') });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.signal.removeEventListener('abort', this.onAbort);
    this.reject(error);
  }

  private readonly onAbort = (): void => {
    this.controller?.abort(abortError);
    this.reject(abortError);
  };
}

const abortError = new Error('the caller gave the call up');
