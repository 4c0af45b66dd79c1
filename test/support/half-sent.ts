import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { parseAnswer, portOf, type RawAnswer } from './raw-http.js';

interface HalfSent {
  /** Sends the rest of the body. @returns the answer */
  finish(): Promise<RawAnswer>;
}

/** Sends a request but for the rest of its body, once the server has read the head and waits for the body. */
export async function sendHalf(
  server: FastifyInstance,
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  payload: string,
): Promise<HalfSent> {
  const lines = Object.entries({
    host: 'gateway',
    connection: 'close',
    'content-length': String(Buffer.byteLength(payload)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(portOf(server), '127.0.0.1');
  const answer = text(socket);
  const arrival = once(server.server, 'request') as Promise<[IncomingMessage]>;
  socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${payload.slice(0, 5)}`);
  const [request] = await arrival;
  // Fastify reads the body once the checks of the head are over.
  if (request.readableFlowing !== true) await once(request, 'resume');
  return {
    finish: async () => {
      socket.write(payload.slice(5));
      return parseAnswer(await answer);
    },
  };
}
