import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { freePort } from '../support/free-port.js';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { until } from '../support/until.js';
import { environmentOf, freePorts, GatewayProcess, patienceMs, startBank } from './gateway-process.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';

type Line = Readonly<Record<string, unknown>>;

describe('the log of a gateway that lost a connection', () => {
  let bank: SandboxBank;
  let database: FreshDatabase;
  let ways: Way[];
  let gateway: GatewayProcess;
  beforeEach(async () => {
    ways = [];
    [bank, database] = await Promise.all([startBank(), freshDatabase()]);
  }, 2 * patienceMs);
  afterEach(async () => {
    await gateway.kill();
    for (const way of ways) way.cut();
    await bank.close();
    await database.drop();
  }, patienceMs);

  /** A connection to a server that the test can cut. */
  async function wayTo(url: string): Promise<{ url: string; way: Way }> {
    const target = new URL(url);
    const way = await Way.open(Number(target.port));
    ways.push(way);
    target.port = String(way.port);
    return { url: target.href.replace(/\/$/, ''), way };
  }

  async function start(settings: NodeJS.ProcessEnv): Promise<void> {
    const environment = environmentOf(bank, await freePorts(), { DATABASE_URL: database.config.url, ...settings });
    // Without the keys of an issuer it is live and not ready.
    gateway = await GatewayProcess.start(environment, { until: 'live' });
  }

  async function ask(path: string, token: string, status: number): Promise<void> {
    const url = `http://127.0.0.1:${gateway.ports.port}${v3_1.basePath}${path}`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    await answer.arrayBuffer();
    expect(answer.status).toBe(status);
  }

  const lines = (): Line[] =>
    gateway.output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);

  /** The log of twenty requests that failed in the same way, with their access records. */
  async function saidOf(requests: () => Promise<void>): Promise<Line[]> {
    for (let request = 0; request < 20; request++) await requests();
    const failed = (): Line[] =>
      lines().filter(({ access }) => (access as { status?: number } | undefined)?.status === 503);
    await until(() => failed().length === 20, patienceMs);
    // Each access record names the fault.
    for (const { access } of failed())
      expect(access).toMatchObject({ errorId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    return lines().filter(({ msg }) => msg === 'a request failed');
  }

  it('names the database each time, by its error and place, without a stack', async () => {
    const { url, way } = await wayTo(database.config.url ?? '');
    await start({ DATABASE_URL: url });
    const consentId = 'aac-00000000-0000-4000-8000-000000000000';
    const token = await bank.mintToken({ clientId: 'tpp-one' });
    await ask(`/account-access-consents/${consentId}`, token, 400);
    way.cut();
    const said = await saidOf(() => ask(`/account-access-consents/${consentId}`, token, 503));
    const refused = said.filter(({ host, port }) => host === '127.0.0.1' && port === way.port);
    expect(refused.length).toBeGreaterThan(0);
    for (const line of said) expect(line).not.toHaveProperty('stack');
    // The first requests may meet broken connections. After them there is one kind of fault.
    expect(
      new Set(said.map(({ interactionId: _i, errorId: _e, time: _t, ...rest }) => JSON.stringify(rest))).size,
    ).toBeLessThanOrEqual(4);
    expect(said).toHaveLength(20);
  });

  it('names the issuer of tokens each time, by its address and error, without a stack', async () => {
    const { url, way } = await wayTo(bank.jwksUrl);
    way.cut();
    await start({ TOKEN_JWKS: url });
    const token = await bank.mintToken({ clientId: 'tpp-one' });
    const said = await saidOf(() => ask('/accounts', token, 503));
    const fault = { issuer: new URL(url).origin, code: 'ECONNREFUSED', host: '127.0.0.1', port: way.port };
    expect(said).toEqual(Array.from({ length: 20 }, () => expect.objectContaining(fault)));
    for (const line of said) expect(line).not.toHaveProperty('stack');
  });

  it('names an issuer that answers with a fault by its address and status', async () => {
    const url = `${bank.url}/nothing-here`;
    await start({ TOKEN_JWKS: url });
    const token = await bank.mintToken({ clientId: 'tpp-one' });
    const said = await saidOf(() => ask('/accounts', token, 503));
    for (const line of said) {
      expect(line).toMatchObject({ issuer: bank.url, status: 404 });
      expect(line).not.toHaveProperty('stack');
    }
    expect(said).toHaveLength(20);
  });
});

/** Forwards all bytes until it is cut. Then it refuses connections. */
class Way {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async open(target: number): Promise<Way> {
    const port = await freePort();
    const server = createServer();
    const way = new Way(server, port);
    server.on('connection', (socket) => {
      const onward = connect(target, '127.0.0.1');
      for (const each of [socket, onward]) {
        way.sockets.add(each);
        each.on('error', () => undefined);
      }
      socket.pipe(onward).pipe(socket);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return way;
  }

  cut(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }
}
