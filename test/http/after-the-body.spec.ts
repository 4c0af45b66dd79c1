import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { OperatorStore } from '../../src/bank-facing/operators/operator.store.js';
import { allPermissions, bankCredential, base, Stack } from '../support/stack.js';
import { WatchedDatabase } from '../support/watched-database.js';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { parseAnswer, portOf, type RawAnswer } from '../support/raw-http.js';

interface HalfSent {
  /** Sends the rest of the body. @returns the answer */
  finish(): Promise<RawAnswer>;
}

/** Sends a request but for the rest of its body, once the server has read the head and waits for the body. */
async function sendHalf(
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

describe('a caller whose right ends between the head and the body of a request', () => {
  const database = new WatchedDatabase();
  let stack: Stack;
  beforeEach(async () => {
    stack = await Stack.start({ persistence: database.module });
    await stack.gateway.listen();
  });
  afterEach(async () => {
    database.before = () => undefined;
    await stack.close();
  });

  const add = async (name: string, role: string, by = bankCredential): Promise<string> =>
    (await stack.report('/operators', { name, role }, by)).json.Credential;
  const remove = (name: string, by: string) =>
    stack.gateway.bankServer.inject({
      method: 'DELETE',
      url: `/bank/v1/operators/${name}`,
      headers: { authorization: `Bearer ${by}` },
    });
  const names = async (by: string): Promise<string[]> =>
    (await stack.report('/operators', undefined, by)).json.Operators.map(({ Name }: { Name: string }) => Name);
  const halfSent = (method: string, path: string, credential: string, body: object) =>
    sendHalf(
      stack.gateway.bankServer,
      method,
      `/bank/v1${path}`,
      { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      JSON.stringify(body),
    );

  it('as an operator adds no other operator and withdraws nothing', async () => {
    const anna = await add('anna', 'admin');
    const evil = await add('evil', 'admin', anna);
    const begun = [
      await halfSent('POST', '/operators', evil, { name: 'backdoor', role: 'admin' }),
      await halfSent('POST', '/cases/withdrawals', evil, { customer: 'C1001', reason: 'fraud' }),
      await halfSent('PUT', '/tpps/tpp-one', evil, { name: 'Renamed' }),
    ];
    expect((await remove('evil', anna)).statusCode).toBe(200);
    for (const { finish } of begun) {
      const { status, headers } = await finish();
      expect([status, headers['www-authenticate']]).toEqual([401, expect.stringContaining('Bearer')]);
    }
    expect(await names(anna)).toEqual(['anna']);
  });

  it('as an admin adds and removes no operator, also where the right ends after the last check', async () => {
    const anna = await add('anna', 'admin');
    for (const act of ['add', 'remove'] as const) {
      const evil = await add('evil', 'admin', anna);
      const real = OperatorStore.prototype[act] as (...given: unknown[]) => Promise<never>;
      const late = jest.spyOn(OperatorStore.prototype, act).mockImplementation(async function (
        this: OperatorStore,
        ...given
      ) {
        late.mockRestore();
        await database.prisma.operator.delete({ where: { name: 'evil' } });
        return real.call(this, ...given);
      });
      const status =
        act === 'add'
          ? (await stack.report('/operators', { name: 'backdoor', role: 'admin' }, evil)).status
          : (await remove('anna', evil)).statusCode;
      expect([act, status, await names(anna)]).toEqual([act, 401, ['anna']]);
    }
  });

  it('as an operator ends and restores no access, also where the right ends after the last check', async () => {
    const anna = await add('anna', 'admin');
    const customer = await stack.consent({ persona: 'saver' });
    const acts: readonly (readonly [string, object])[] = [
      ['/tpps/tpp-one/suspend', {}],
      ['/tpps/tpp-one/reinstate', {}],
      ['/tpps/tpp-one/revoke-consents', {}],
      ['/cases/withdrawals', { customer: customer.customerRef, reason: 'fraud' }],
      ['/cases/withdrawals', { tpp: 'tpp-one', reason: 'fraud' }],
    ];
    for (const [path, body] of acts)
      for (const after of [undefined, 'read'] as const) {
        const evil = await add('evil', 'operate', anna);
        const real = OperatorStore.prototype.find;
        let checks = 0;
        const find = jest.spyOn(OperatorStore.prototype, 'find').mockImplementation(async function (
          this: OperatorStore,
          name,
        ) {
          const found = await real.call(this, name);
          // The second check is the last one: it comes after the body.
          if (++checks < 2) return found;
          const where = { name: 'evil' };
          if (after === undefined) await database.prisma.operator.delete({ where });
          else await database.prisma.operator.update({ where, data: { role: after } });
          return found;
        });
        const { status } = await stack.report(path, body, evil);
        find.mockRestore();
        expect([path, after, checks, status]).toEqual([path, after, 2, 401]);
        await database.prisma.operator.deleteMany({ where: { name: 'evil' } });
      }
    expect((await stack.ask('/accounts', { token: customer.token })).status).toBe(200);
    expect(await database.prisma.tppStanding.count()).toBe(0);
  });

  it('as a TPP creates no consent', async () => {
    const { finish } = await sendHalf(
      stack.gateway.server,
      'POST',
      `${base}/account-access-consents`,
      { authorization: `Bearer ${await stack.clientToken()}`, 'content-type': 'application/json' },
      JSON.stringify({ Data: { Permissions: allPermissions('profile-2') }, Risk: {} }),
    );
    expect((await stack.report('/tpps/tpp-one/suspend', {})).status).toBe(200);
    const { status, headers } = await finish();
    expect([status, headers['www-authenticate']]).toEqual([401, expect.stringContaining('suspended the TPP')]);
    expect(await database.prisma.consent.count()).toBe(0);
  });

  it('as a TPP whose token expires creates no consent', async () => {
    const { finish } = await sendHalf(
      stack.gateway.server,
      'POST',
      `${base}/account-access-consents`,
      { authorization: `Bearer ${await stack.clientToken()}`, 'content-type': 'application/json' },
      JSON.stringify({ Data: { Permissions: allPermissions('profile-2') }, Risk: {} }),
    );
    stack.clock.advance(24 * 3_600_000);
    const { status, headers } = await finish();
    expect([status, headers['www-authenticate']]).toEqual([401, expect.stringContaining('invalid_token')]);
  });
});
