import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { CoreAnswer, InjectedFault } from './core-proxy.js';
import { canary, jsonOf, spoilt, withJson, withoutLists } from './spoil.js';

/** The wait that the core demands of callers that ask too often. */
export const retryAfterSeconds = 7;

const replacement = (by: (answer: CoreAnswer) => CoreAnswer): InjectedFault => ({ kind: 'replace', by });
function inJson(change: (json: unknown) => unknown): (answer: CoreAnswer) => CoreAnswer {
  return (answer) => {
    const json = jsonOf(answer);
    return json === undefined ? answer : withJson(answer, change(json));
  };
}
const html = Buffer.from(`<!DOCTYPE html><html><body><h1>${canary}</h1><p>Scheduled maintenance</p></body></html>`);
const errorAnswer = (status: number, headers = {}): InjectedFault =>
  replacement(() => ({
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify({ error: canary })),
  }));
const htmlPage = (status: number): InjectedFault =>
  replacement(() => ({ status, headers: { 'content-type': 'text/html; charset=utf-8' }, body: html }));

/** Faults of the network, whatever the core speaks, each answered at once. */
const networkFaults = { 'reset in mid-answer': { kind: 'reset' } } as const satisfies Record<string, InjectedFault>;

/** Faults of the network, and faults of a core over HTTP. */
export const injectedFaults = {
  ...networkFaults,
  'cut short': replacement((answer) => ({ ...answer, body: answer.body.subarray(0, answer.body.length >> 1) })),
  'a page of HTML': htmlPage(200),
  'a page of HTML under status 500': htmlPage(500),
  'a page of HTML under status 404': htmlPage(404),
  'a page of HTML under status 503': htmlPage(503),
  'status 429': errorAnswer(429, { 'retry-after': String(retryAfterSeconds) }),
  'status 401': errorAnswer(401),
  'status 404 of another server': errorAnswer(404),
  'status 500': errorAnswer(500),
  'wrong types': replacement(inJson(spoilt)),
  'texts in place of lists': replacement(inJson(withoutLists)),
} as const satisfies Record<string, InjectedFault>;

/** A core that is asked too often, and states no wait in seconds. */
export const unstatedWaits = {
  'status 429 without Retry-After': errorAnswer(429),
  'status 429 with a date in Retry-After': errorAnswer(429, { 'retry-after': 'Fri, 20 Nov 2026 12:00:00 GMT' }),
} as const satisfies Record<string, InjectedFault>;

/** The faults that the proxy before this core can inject. */
export function injectedFaultsFor({
  isOverHttp,
}: {
  readonly isOverHttp: boolean;
}): Readonly<Record<string, InjectedFault>> {
  return isOverHttp ? injectedFaults : networkFaults;
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
