import { connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case; a header that comes twice has its values joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- JSON that the assertion itself checks
  readonly json: any;
}

export function portOf(server: FastifyInstance): number {
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port');
  return address.port;
}

/**
 * Sends these exact bytes over a new socket. @returns all that the server sends until it closes the connection
 * @param open the socket, where it is not a plain one
 */
export function readToEnd(
  port: number,
  text: string,
  open: (port: number) => Socket = (to) => connect(to, '127.0.0.1'),
): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = open(port);
    socket.write(text);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    socket.on('error', reject);
  });
}

/** Sends one request of exactly these bytes, and reads its answer. @param given as those of {@link readToEnd} */
export async function sendRaw(...given: Parameters<typeof readToEnd>): Promise<RawAnswer> {
  return parseAnswer(await readToEnd(...given));
}

export function parseAnswer(answer: string): RawAnswer {
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase();
    const value = line.slice(line.indexOf(':') + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  const body = rest.join('\r\n\r\n');
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    body,
    json: body !== '' && headers['content-type']?.startsWith('application/json') ? JSON.parse(body) : undefined,
  };
}

/** A request of exactly these header lines; `Host` and `Connection: close` are added. */
export function requestText(method: string, target: string, headers: readonly string[], body = ''): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  return [`${method} ${target} HTTP/1.1`, 'Host: gateway', 'Connection: close', ...headers, ...length, '', body].join(
    '\r\n',
  );
}
