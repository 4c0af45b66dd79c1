import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyReply } from 'fastify';

/**
 * One list for each connection, which stays while its answers come and go. A Map of all answers would leave its outgrown
 * tables behind, and each table in the old generation keeps its answers from dying young: docs/operate/performance.md has the figure.
 */
const underWay = new WeakMap<Duplex, ServerResponse[]>();

/** The answers under way on a connection, the oldest first: several where the client did not wait for each. */
export function answersOn(connection: Duplex): readonly ServerResponse[] {
  return underWay.get(connection) ?? [];
}

/** Until the answer is sent, or its connection is closed. */
export function addAnswer(connection: Duplex, answer: ServerResponse): void {
  let answers = underWay.get(connection);
  if (answers === undefined) underWay.set(connection, (answers = []));
  const here = answers;
  here.push(answer);
  answer.once('close', () => here.splice(here.indexOf(answer), 1));
}

declare module 'node:http' {
  interface ServerResponse {
    /** Fastify's view of the answer, once the first hook has run. */
    reply?: FastifyReply;
  }
}
