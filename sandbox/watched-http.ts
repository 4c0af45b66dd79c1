import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { SystemClock } from '../src/clock/clock.js';
import type { WatchedRequest } from './stack-messages.js';

/** Characters of an answer that are kept. */
const keptCharacters = 2_000;
const keptUrlCharacters = 500;
/** The header in which the gateway sends the request's interaction id to the sandbox bank's core. */
const coreReference = 'x-request-ref';
const shownHeaders = ['www-authenticate', 'retry-after', 'ratelimit', 'warning', 'allow'] as const;

/** Decides which answers are kept in part. The answer with a token is never kept. */
export type KeepsBody = (port: number, url: string, status: number) => boolean;

/** Reports every request to an HTTP server of this process when it ends, without a change to the servers. */
export function watchHttp(
  onExchange: (exchange: WatchedRequest) => void,
  isWatched: KeepsBody,
  keepsBody: KeepsBody,
): void {
  const clock = new SystemClock();
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const port = request.socket.localPort ?? 0;
    const url = (request.url ?? '').slice(0, keptUrlCharacters);
    if (!isWatched(port, url, 0)) return;
    const atMs = clock.nowMs();
    const body = keepBody(response);
    const header = keepHeaders(response);
    response.once('close', () => {
      const status = response.writableEnded ? response.statusCode : undefined;
      onExchange({
        atMs,
        port,
        method: request.method ?? '',
        url,
        status,
        durationMs: clock.nowMs() - atMs,
        interactionId: header('x-fapi-interaction-id') ?? String(request.headers[coreReference] ?? ''),
        headers: headersToShow(header),
        body: keepsBody(port, url, status ?? 0) ? body().slice(0, keptCharacters) : '',
      });
    });
  });
}

function headersToShow(header: (name: string) => string | undefined): Record<string, string> {
  return Object.fromEntries(
    shownHeaders.flatMap((name) => {
      const value = header(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Remembers the headers that are written, which Fastify gives to `writeHead` and others set before. */
function keepHeaders(response: ServerResponse): (name: string) => string | undefined {
  let written: Readonly<OutgoingHttpHeaders> = {};
  const write = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = (...args: unknown[]) => {
    const last = args.at(-1);
    if (typeof last === 'object' && last !== null && !Array.isArray(last)) written = last as typeof written;
    return write(...args);
  };
  return (name) => {
    const value = written[name] ?? response.getHeader(name);
    return typeof value === 'object' ? value.join(', ') : value?.toString();
  };
}

/** Keeps the beginning of the written body. @returns the text so far */
function keepBody(response: ServerResponse): () => string {
  let kept = '';
  const keep = (chunk: unknown): void => {
    if (kept.length >= keptCharacters) return;
    if (typeof chunk === 'string') kept += chunk.slice(0, keptCharacters);
    else if (chunk instanceof Uint8Array) kept += Buffer.from(chunk.subarray(0, keptCharacters)).toString();
  };
  for (const name of ['write', 'end'] as const) {
    const send = response[name].bind(response) as (...args: unknown[]) => unknown;
    response[name] = ((...args: unknown[]) => {
      keep(args[0]);
      return send(...args);
    }) as never;
  }
  return () => kept;
}
