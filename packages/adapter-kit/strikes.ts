import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { CoreAnswer, Strike } from './core-proxy.js';
import { canary, jsonOf, spoilt, withJson } from './spoil.js';

/** The wait that the core demands of callers that ask too often. */
export const retryAfterSeconds = 7;

const replaced = (by: (answer: CoreAnswer) => CoreAnswer): Strike => ({ kind: 'replace', by });
const html = Buffer.from(`<!DOCTYPE html><html><body><h1>${canary}</h1><p>Scheduled maintenance</p></body></html>`);
const page = (status: number): Strike =>
  replaced(() => ({ status, headers: { 'content-type': 'text/html; charset=utf-8' }, body: html }));

/** Faults of the network, whatever the core speaks, each answered at once. */
const networkStrikes = { 'reset in mid-answer': { kind: 'reset' } } as const satisfies Record<string, Strike>;

/** Those, and faults of a core over HTTP. */
export const strikes = {
  ...networkStrikes,
  'cut short': replaced((answer) => ({ ...answer, body: answer.body.subarray(0, answer.body.length >> 1) })),
  'a page of HTML': page(200),
  'a page of HTML under status 500': page(500),
  'a page of HTML under status 503': page(503),
  'status 429': replaced(() => ({
    status: 429,
    headers: { 'content-type': 'application/json', 'retry-after': String(retryAfterSeconds) },
    body: Buffer.from(JSON.stringify({ error: canary })),
  })),
  'wrong types': replaced((answer) => {
    const json = jsonOf(answer);
    return json === undefined ? answer : withJson(answer, spoilt(json));
  }),
} as const satisfies Record<string, Strike>;

/** Those that the proxy before the core can make. */
export function strikesOn({ isOverHttp }: { readonly isOverHttp: boolean }): Readonly<Record<string, Strike>> {
  return isOverHttp ? strikes : networkStrikes;
}

/** A loopback address that refuses connections. */
export async function closedOrigin(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}
