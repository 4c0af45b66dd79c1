import { Agent, request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { GatewayClient } from './gateway-client.js';
import type { GatewayPorts } from './gateway-process.js';

const api = v3_1.basePath;
const [connections, createEvery] = [8, 10] as const;

export interface Counted {
  answered: number;
  created: number;
  /** The number of wrong answers, by method and event. */
  readonly failed: Record<string, number>;
}

/** A TPP that reads a customer's balances on eight connections, and creates a consent in every tenth request. */
export class GatewayLoad {
  private readonly counted: Counted = { answered: 0, created: 0, failed: {} };
  private over = false;
  private working: readonly Promise<void>[] = [];

  /** @param pauseMs the pause of each of its connections after an answer */
  static async start(port: number, { bankPort }: GatewayPorts, bank: SandboxBank, pauseMs = 60): Promise<GatewayLoad> {
    const client = new GatewayClient({ ports: { port, bankPort } }, bank);
    const { token } = await client.give();
    const { body } = await client.send('GET', `${api}/accounts`, token);
    const { AccountId } = (body as { Data: { Account: [{ AccountId: string }] } }).Data.Account[0];
    const own = await bank.mintToken({ clientId: 'tpp-one' });
    const consent = JSON.stringify({ Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} });
    const load = new GatewayLoad();
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    load.working = Array.from({ length: connections }, async () => {
      for (let turn = 0; !load.over; turn++) {
        if (turn % createEvery === 0) load.count(201, await ask(`${api}/account-access-consents`, own, consent));
        else load.count(200, await ask(`${api}/accounts/${AccountId}/balances`, token));
        await sleep(pauseMs);
      }
    });
    return load;

    /** The status and, where no gateway sent it, the fault. */
    function ask(path: string, bearer: string, sent?: string): Promise<string> {
      const method = sent === undefined ? 'GET' : 'POST';
      const type = sent && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) };
      return new Promise((resolve) => {
        const fail = (error: NodeJS.ErrnoException): void => resolve(`${method} ${error.code ?? error.message}`);
        const headers = { authorization: `Bearer ${bearer}`, ...type };
        const asked = request({ agent, host: '127.0.0.1', port, method, path, headers }, (answer: IncomingMessage) => {
          const by = answer.headers['x-fapi-interaction-id'] === undefined ? ' of the balancer' : '';
          answer.once('error', fail);
          answer.resume().once('end', () => resolve(`${method} ${answer.statusCode}${by}`));
        });
        asked.once('error', fail).end(sent);
      });
    }
  }

  /** Ends the load and gives its counts. */
  async end(): Promise<Counted> {
    this.over = true;
    await Promise.all(this.working);
    return this.counted;
  }

  private count(wanted: number, outcome: string): void {
    const { counted } = this;
    if (outcome === `GET ${wanted}` || outcome === `POST ${wanted}`) counted.answered++;
    else counted.failed[outcome] = (counted.failed[outcome] ?? 0) + 1;
    if (outcome === 'POST 201') counted.created++;
  }
}
