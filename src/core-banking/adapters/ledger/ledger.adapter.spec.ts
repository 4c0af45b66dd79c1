import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { EventEmitter, once } from 'node:events';
import { type RequestListener, type Server, createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { kitServices } from '../../../../packages/adapter-kit/kit-services.js';
import { makeIssuerKeys } from '../../../../sandbox/bank/issuer.js';
import { type SandboxBank, startSandboxBank } from '../../../../sandbox/bank/sandbox-bank.js';
import { faultOf } from '../../../../test/support/core-fault.js';
import { Clock } from '../../../clock/clock.js';
import type { CoreContext } from '../../../../packages/core-adapter/core.adapter.js';
import type { CoreError } from '../../../../packages/core-adapter/core-error.js';
import { createAdapter, type LedgerAdapter } from './ledger.adapter.js';

// ledger.kit.spec.ts tests the duties of every adapter. These tests cover the ledger's specifics.
class FixedClock extends Clock {
  override nowMs(): number {
    return Date.parse('2026-11-20T14:30:00.000Z');
  }
}

const ledgerAt = (url: string, connections: number): LedgerAdapter =>
  createAdapter({ url, connections, variables: {} }, kitServices);

describe('the ledger adapter', () => {
  let bank: SandboxBank;
  let core: LedgerAdapter;

  beforeAll(async () => {
    bank = await startSandboxBank({
      port: 0,
      credential: 'staff',
      issuerKeys: await makeIssuerKeys(),
      clock: new FixedClock(),
    });
    core = ledgerAt(bank.coreUrl, 4);
  });
  afterEach(() => bank.setFault('none'));
  afterAll(async () => {
    await core.close();
    await bank.close();
  });

  function contextOf(customerRef: string, signal = new AbortController().signal): CoreContext {
    return { interactionId: '5a7f1c1e-0d1b-4c9e-9f60-3f3f6f1f7a11', customerRef, customerPresent: true, signal };
  }

  type Read = [string, (context: CoreContext) => Promise<unknown>];
  const stated = { scheme: 'sort-code', identification: '08999910010010' } as const;
  const amount = { minorUnits: 1n, currency: 'GBP' };
  const reads: Read[] = [
    ['accounts', (c) => core.accounts(c)],
    ['account', (c) => core.account('A100101', c)],
    ['balances', (c) => core.balances('A100101', c)],
    ['transactions', (c) => core.transactions('A100101', { read: 'older', limit: 25 }, c)],
    ['party', (c) => core.party('A100101', c)],
    ['offers', (c) => core.offers('A100101', c)],
    ['scheduled payments', (c) => core.scheduledPayments('A100101', c)],
    ['beneficiaries', (c) => core.beneficiaries('A100101', c)],
    ['statements', (c) => core.statements('A100101', c)],
    ['direct debits', (c) => core.directDebits('A100101', c)],
    ['standing orders', (c) => core.standingOrders('A100101', c)],
    ['product', (c) => core.product('A100101', c)],
    ['the account that a TPP names', (c) => core.findPaymentAccount(stated, c)],
    ['the funds', (c) => core.fundsAvailable('A100101', { amount, countOverdraft: false }, c)],
    ['health', (c) => core.health(c.signal)],
  ];

  describe.each(reads)('when the core sends garbage, reading %s', (name, read) => {
    it('finds a bad record in every kind of garbage, and repeats none of it', async () => {
      bank.setFault('garbage');
      for (let kind = 0; kind < 7; kind++) {
        const fault = await faultOf(read(contextOf('C1001')));
        expect(fault.kind).toBe(name === 'health' && fault.detail.includes('not up') ? 'unavailable' : 'bad-record');
        expect(fault.message).not.toMatch(/maintenance|NullPointer|ORA-|G$/);
      }
    });
  });

  it('an account shows its state as soon as the core has changed it', async () => {
    bank.setAccountState('A100101', 'not-permitted');
    expect((await core.balances('A100101', contextOf('C1001'))).account.permitted).toBe(false);
    bank.setAccountState('A100101', 'valid');
    expect((await core.account('A100101', contextOf('C1001'))).permitted).toBe(true);
  });

  describe('an answer of the core', () => {
    const servers: Server[] = [];
    afterEach(() => {
      for (const server of servers.splice(0)) server.close().closeAllConnections();
    });

    async function answering(listener: RequestListener, path = '/core/'): Promise<LedgerAdapter> {
      const server = createServer(listener).listen(0, '127.0.0.1');
      servers.push(server);
      await once(server, 'listening');
      return ledgerAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, 1);
    }
    const json = { 'content-type': 'application/json' };
    const balances = async (listener: RequestListener): Promise<CoreError> => {
      const adapter = await answering(listener);
      const fault = await faultOf(adapter.balances('A1', contextOf('C1', AbortSignal.timeout(2000))));
      await adapter.close();
      return fault;
    };

    it.each([
      [429, { 'retry-after': '7' }, 'rate-limited', 7],
      [429, {}, 'rate-limited', undefined],
      [503, { 'retry-after': '120' }, 'unavailable', 120],
      [503, { 'retry-after': 'Fri, 20 Nov 2026 15:00:00 GMT' }, 'unavailable', undefined],
      [502, {}, 'unavailable', undefined],
      [504, {}, 'unavailable', undefined],
      [500, {}, 'bad-record', undefined],
      [401, {}, 'bad-record', undefined],
      [302, { location: 'http://127.0.0.1:1/' }, 'bad-record', undefined],
      [204, {}, 'bad-record', undefined],
      [404, {}, 'bad-record', undefined],
    ])('the status %i with %j is %s', async (status, headers, kind, retryAfterSeconds) => {
      const fault = await balances((_, answer) => void answer.writeHead(status, headers).end());
      expect([fault.kind, fault.retryAfterSeconds]).toEqual([kind, retryAfterSeconds]);
    });

    it('with JSON under another content type is a bad record', async () => {
      const fault = await balances(
        (_, answer) => void answer.writeHead(200, { 'content-type': 'text/plain' }).end('{}'),
      );
      expect(fault.kind).toBe('bad-record');
    });

    it('above the size limit is a bad record, and is not read further', async () => {
      const fault = await balances((_, answer) => {
        answer.writeHead(200, json);
        const more = (): void => {
          while (!answer.destroyed && answer.write(' '.repeat(65_536)));
        };
        answer.on('drain', more);
        more();
      });
      expect([fault.kind, fault.detail]).toEqual(['bad-record', expect.stringContaining('8388608 bytes')]);
    });

    it('that arrives in pieces, cut within a letter, is read whole', async () => {
      const body = Buffer.from(
        JSON.stringify({ acct: { ...bank.personas[0]?.accounts[0]?.acct, label: 'Épargne' }, figures: [] }),
      );
      const cut = body.indexOf('É') + 1;
      const adapter = await answering((_, answer) => {
        answer.writeHead(200, json).write(body.subarray(0, cut));
        setTimeout(() => answer.end(body.subarray(cut)), 20);
      });
      expect((await adapter.balances('A1', contextOf('C1'))).account.description).toBe('Épargne');
      await adapter.close();
    });

    it('with an unreadable account is a bad record as a whole', async () => {
      const fault = await balances(
        (_, answer) => void answer.writeHead(200, json).end('{"acct":{"key":"A1"},"figures":[]}'),
      );
      expect(fault.kind).toBe('bad-record');
      expect(fault.detail).toBe('ledger: acct: prod: not a known word');
    });

    it('that is not HTTP is a bad record', async () => {
      const server = createTcpServer((socket) => socket.end('220 ftp ready\r\n\r\n')).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const adapter = ledgerAt(`http://127.0.0.1:${port}`, 1);
      expect((await faultOf(adapter.health(AbortSignal.timeout(2000)))).kind).toBe('bad-record');
      await adapter.close();
      server.close();
    });

    it('follows a request with the interaction id, at a path below the configured URL', async () => {
      const asked = new EventEmitter();
      const adapter = await answering((request, answer) => {
        asked.emit('request', request.url, request.headers['x-request-ref']);
        answer.writeHead(503).end();
      });
      const seen = once(asked, 'request');
      await faultOf(adapter.balances('A 1/2', contextOf('C1')));
      expect(await seen).toEqual(['/core/clients/C1/accts/A%201%2F2/figures', '5a7f1c1e-0d1b-4c9e-9f60-3f3f6f1f7a11']);
      await adapter.close();
    });
  });
});
