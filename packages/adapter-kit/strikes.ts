import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { CoreAnswer, Strike } from './core-proxy.js';
import { canary, jsonOf, spoilt, withJson, withoutLists } from './spoil.js';

/** The wait that the core demands of callers that ask too often. */
export const retryAfterSeconds = 7;

const replaced = (by: (answer: CoreAnswer) => CoreAnswer): Strike => ({ kind: 'replace', by });
function inJson(change: (json: unknown) => unknown): (answer: CoreAnswer) => CoreAnswer {
  return (answer) => {
    const json = jsonOf(answer);
    return json === undefined ? answer : withJson(answer, change(json));
  };
}
const html = Buffer.from(`<!DOCTYPE html><html><body><h1>${canary}</h1><p>Scheduled maintenance</p></body></html>`);
const refusal = (status: number, headers = {}): Strike =>
  replaced(() => ({
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify({ error: canary })),
  }));
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
  'a page of HTML under status 404': page(404),
  'a page of HTML under status 503': page(503),
  'status 429': refusal(429, { 'retry-after': String(retryAfterSeconds) }),
  'status 401': refusal(401),
  'status 404 of another server': refusal(404),
  'status 500': refusal(500),
  'wrong types': replaced(inJson(spoilt)),
  'texts in place of lists': replaced(inJson(withoutLists)),
} as const satisfies Record<string, Strike>;

/** A core that is asked too often, and states no wait in seconds. */
export const unstatedWaits = {
  'status 429 without Retry-After': refusal(429),
  'status 429 with a date in Retry-After': refusal(429, { 'retry-after': 'Fri, 20 Nov 2026 12:00:00 GMT' }),
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
