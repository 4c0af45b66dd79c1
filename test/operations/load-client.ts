// A TPP that reads and creates consents, as a process: `node load-client.js <settings as JSON>`. After a message from its
// parent it sends its counts to the parent and ends.
import { Agent, request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface LoadSettings {
  readonly port: number;
  readonly connections: number;
  /** The pause between an answer and the next request of the same connection. */
  readonly pauseMs: number;
  readonly read: { readonly path: string; readonly token: string };
  readonly create: { readonly path: string; readonly token: string; readonly body: string };
  /** One of this number of requests creates a consent. */
  readonly createEvery: number;
}

export interface Counted {
  readonly answered: number;
  readonly created: number;
  /** The number of wrong answers, by method and event. */
  readonly failed: Readonly<Record<string, number>>;
}

const settings = JSON.parse(process.argv[2] ?? '') as LoadSettings;
const agent = new Agent({ keepAlive: true, maxSockets: settings.connections });
let over = false;
let answered = 0;
let created = 0;
const failed: Record<string, number> = {};

/** The status and, where it is a fault that no gateway sent, its origin. */
function ask(method: string, path: string, token: string, body?: string): Promise<number | string> {
  return new Promise((resolve, reject) => {
    const sent = {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    };
    const asked = request({ agent, host: '127.0.0.1', port: settings.port, method, path, headers: sent });
    asked.once('error', reject);
    asked.once('response', (answer: IncomingMessage) => {
      answer.once('error', reject);
      const { statusCode = 0, headers } = answer;
      const isGateways = headers['x-fapi-interaction-id'] !== undefined;
      answer.once('end', () => resolve(isGateways ? statusCode : `${statusCode} of the balancer`));
      answer.resume();
    });
    asked.end(body);
  });
}

async function connection(): Promise<void> {
  for (let turn = 0; !over; turn++) {
    const creates = turn % settings.createEvery === 0;
    const method = creates ? 'POST' : 'GET';
    const { path, token } = creates ? settings.create : settings.read;
    const outcome = await ask(method, path, token, creates ? settings.create.body : undefined).catch(
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    );
    if (outcome === (creates ? 201 : 200)) answered++;
    else failed[`${method} ${outcome}`] = (failed[`${method} ${outcome}`] ?? 0) + 1;
    if (outcome === 201) created++;
    await sleep(settings.pauseMs);
  }
}

process.once('message', () => (over = true));
await Promise.all(Array.from({ length: settings.connections }, connection));
agent.destroy();
process.send?.({ answered, created, failed } satisfies Counted, () => process.disconnect());
