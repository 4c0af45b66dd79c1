import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { EventEmitter, once } from 'node:events';
import { type RequestListener, type Server, createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { makeIssuerKeys } from '../../../../sandbox/bank/issuer.js';
import { type EntryRow, type PayeeForm, productNames } from '../../../../sandbox/bank/ledger.records.js';
import type { Persona, PersonaAccount } from '../../../../sandbox/bank/personas/persona.js';
import { type SandboxBank, startSandboxBank } from '../../../../sandbox/bank/sandbox-bank.js';
import { msOf } from '../../../../sandbox/bank/stamps.js';
import { Clock } from '../../../clock/clock.js';
import type { CoreContext, CoreRead } from '../../core.adapter.js';
import { CoreError } from '../../core-error.js';
import type { CoreTime, CoreTransaction, TransactionPosition, TransactionQuery } from '../../core.records.js';
import { LedgerAdapter } from './ledger.adapter.js';

class FixedClock extends Clock {
  override nowMs(): number {
    return Date.parse('2026-11-20T14:30:00.000Z');
  }
}

let bank: SandboxBank;
let core: LedgerAdapter;

beforeAll(async () => {
  bank = await startSandboxBank({
    port: 0,
    credential: 'staff',
    issuerKeys: await makeIssuerKeys(),
    clock: new FixedClock(),
  });
  core = new LedgerAdapter({ url: bank.coreUrl, connections: 4 });
});
afterEach(() => bank.setFault('none'));
afterAll(async () => {
  await core.close();
  await bank.close();
});

function contextOf(customerRef: string, signal = new AbortController().signal): CoreContext {
  return { interactionId: '5a7f1c1e-0d1b-4c9e-9f60-3f3f6f1f7a11', customerRef, signal };
}
const persona = (name: string): Persona => bank.personas.find((one) => one.name === name) as Persona;
const everyAccount = (): { person: Persona; account: PersonaAccount; ref: string; context: CoreContext }[] =>
  bank.personas.flatMap((person) =>
    person.accounts.map((account) => ({
      person,
      account,
      ref: account.acct.key,
      context: contextOf(person.person.key),
    })),
  );

// An independent reading of the ledger's rows: by other means than the adapter's, and no further than comparing needs.
const timeMs = (time: CoreTime): number => (time instanceof Date ? time.getTime() : Date.parse(time.date));
const identificationOf = (payee: PayeeForm): string => payee.id.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
const isCard = ({ acct }: PersonaAccount): boolean => acct.prod === 'CRD400';
const inFavour = ({ amt, side }: EntryRow): number => (side === 'CR' ? amt : 0 - amt);
const entryMs = (row: EntryRow): number => msOf(row.state === 'HELD' ? row.made : row.booked);
const newestFirst = (rows: readonly EntryRow[]): EntryRow[] =>
  rows.toSorted((a, b) => entryMs(b) - entryMs(a) || (a.key < b.key ? 1 : -1));

describe('the ledger adapter reads every persona’s', () => {
  it('accounts, each list complete', async () => {
    for (const { person, accounts } of bank.personas) {
      const { items, bad } = await core.accounts(contextOf(person.key));
      expect(bad).toEqual([]);
      expect(items.map(({ ref, product, permitted }) => [ref, product, permitted])).toEqual(
        accounts.map(({ acct }) => [acct.key, productNames[acct.prod], acct.status !== 'BARRED']),
      );
    }
  });

  it('account, the same alone as in the list', async () => {
    for (const { ref, context } of everyAccount()) {
      const listed = (await core.accounts(context)).items.find((account) => account.ref === ref);
      expect(await core.account(ref, context)).toEqual(listed);
    }
  });

  it('balances', async () => {
    for (const { account, ref, context } of everyAccount()) {
      const { items, bad } = await core.balances(ref, context);
      const [ledger, spend] = account.lists.figures;
      expect(bad).toEqual([]);
      expect(items.map(({ kind, amount }) => [kind, Number(amount.minorUnits), amount.currency])).toEqual([
        ['booked', isCard(account) ? 0 - (ledger?.amt ?? 0) : ledger?.amt, account.acct.ccy],
        ['available', (spend?.amt ?? 0) - Number(spend?.arranged), account.acct.ccy],
      ]);
      expect(items[1]?.overdraftLimit?.minorUnits).toBe(
        spend?.arranged === '' ? undefined : BigInt(spend?.arranged ?? 0),
      );
    }
  });

  it('transactions, newest first', async () => {
    for (const { account, ref, context } of everyAccount()) {
      const read = await core.transactions(ref, { read: 'older', limit: 1000 }, context);
      const rows = newestFirst(account.entries);
      expect(read.bad).toEqual([]);
      expect(read.total).toBe(rows.length);
      expect(read.more).toBe(rows.length > 1000);
      expect(read.items.map(factsOf)).toEqual(rows.slice(0, 1000).map((row) => factsOfRow(row, account)));
    }
  });

  it('party: the customer who asks, on a joint account too', async () => {
    const names = await Promise.all(
      ['joint', 'partner'].map(async (name) => {
        const { items, account } = await core.party('A100701', contextOf(persona(name).person.key));
        expect(account.ref).toBe('A100701');
        return items.map((party) => [party.ref, party.name]);
      }),
    );
    expect(names).toEqual([[['C1007', 'Grace Lindqvist']], [['C1008', 'Henrik Lindqvist']]]);
  });

  it('lists, every record of them, the international ones of payments and orders left out', async () => {
    for (const { account, ref, context } of everyAccount()) {
      const { lists } = account;
      const domestic = <T extends { reach: string }>(rows: readonly T[]): T[] =>
        rows.filter(({ reach }) => reach === 'DOM');
      const [payments, beneficiaries, debits, orders, offers, product] = await Promise.all([
        core.scheduledPayments(ref, context),
        core.beneficiaries(ref, context),
        core.directDebits(ref, context),
        core.standingOrders(ref, context),
        core.offers(ref, context),
        core.product(ref, context),
      ]);
      for (const { bad } of [payments, beneficiaries, debits, orders, offers, product]) expect(bad).toEqual([]);
      expect(
        payments.items.map((p) => [p.id, timeMs(p.dueAt), Number(p.amount.minorUnits), p.creditor.identification]),
      ).toEqual(domestic(lists.forwards).map((row) => [row.key, msOf(row.on), row.amt, identificationOf(row.payee)]));
      expect(beneficiaries.items.map((b) => [b.id, b.creditor.identification, b.creditor.name])).toEqual(
        lists.payees.map((row) => [row.key, identificationOf(row.payee), row.payee.name.trim()]),
      );
      expect(debits.items.map((d) => [d.id, d.mandate, d.active, d.name])).toEqual(
        lists.mandates.map((row) => [row.key, row.mandate.trim(), row.status === 'LIVE', row.taker.trim()]),
      );
      expect(
        orders.items.map((o) => [o.id, o.active, o.nextPaymentAmount && Number(o.nextPaymentAmount.minorUnits)]),
      ).toEqual(
        domestic(lists.orders).map((row) => [row.key, row.status === 'ON', row.amt === '' ? undefined : row.amt]),
      );
      expect(
        offers.items.map((o) => [
          o.endMonth?.replace('-', ''),
          o.minTransferAmount && Number(o.minTransferAmount.minorUnits),
        ]),
      ).toEqual(lists.promos.map((row) => [row.until, row.least === '' ? undefined : row.least]));
      expect(product.items.map((p) => p.name)).toEqual(lists.terms.map((row) => row.title.trim()));
    }
  });

  it('latest statement and no other', async () => {
    let seen = 0;
    for (const { account, ref, context } of everyAccount()) {
      const { items, bad } = await core.statements(ref, context);
      const latest = account.lists.cycles.toSorted((a, b) => msOf(b.closed) - msOf(a.closed))[0];
      expect(bad).toEqual([]);
      expect(items.map((s) => [timeMs(s.endAt), Number(s.closingBalance.minorUnits)])).toEqual(
        latest === undefined ? [] : [[msOf(latest.closed), 0 - latest.owed]],
      );
      seen += items.length;
    }
    expect(seen).toBeGreaterThanOrEqual(5);
  });
});

function factsOf(transaction: CoreTransaction): unknown[] {
  const { id, status, at, amount, runningBalance, exchange, description } = transaction;
  return [
    id,
    status,
    timeMs(at),
    Number(amount.minorUnits),
    runningBalance && Number(runningBalance.minorUnits),
    exchange?.sourceCurrency,
    description,
  ];
}

function factsOfRow(row: EntryRow, account: PersonaAccount): unknown[] {
  return [
    row.key,
    row.state === 'HELD' ? 'pending' : 'booked',
    entryMs(row),
    inFavour(row),
    row.bal === '' ? undefined : isCard(account) ? 0 - row.bal : row.bal,
    row.fx === '' ? undefined : row.fx.ccy,
    row.text.trim() === '' ? undefined : row.text.trim(),
  ];
}

describe('the pages of a history', () => {
  const ref = 'A100601';
  const context = contextOf('C1006');
  const from = new Date('2026-09-01T08:30:00.000Z');
  const to = new Date('2026-11-02T09:00:00.000Z');

  async function walk(accountRef: string, who: CoreContext, query: TransactionQuery): Promise<CoreTransaction[][]> {
    const pages: CoreTransaction[][] = [];
    for (let position: TransactionPosition | undefined; ;) {
      const page = await core.transactions(accountRef, { ...query, position }, who);
      pages.push([...page.items]);
      const edge = query.read === 'older' ? page.items.at(-1) : page.items.at(0);
      if (!page.more || edge === undefined) return pages;
      position = { atMs: timeMs(edge.at), id: edge.id };
    }
  }

  it.each<[string, Partial<TransactionQuery>]>([
    ['everything', {}],
    ['money in', { direction: 'credit' }],
    ['money out', { direction: 'debit' }],
    ['from a time', { from }],
    ['up to a time', { to }],
    ['money out between two times', { from, to, direction: 'debit', status: 'booked' }],
  ])('of %s are the whole, without repeats, whichever side they are read from', async (_, filter) => {
    const rows = newestFirst((persona('history').accounts[0] as PersonaAccount).entries).filter(
      (row) =>
        (filter.from === undefined || entryMs(row) >= filter.from.getTime()) &&
        (filter.to === undefined || entryMs(row) < filter.to.getTime()) &&
        (filter.direction === undefined || inFavour(row) >= 0 === (filter.direction === 'credit')),
    );
    const whole = rows.map(({ key }) => key);
    expect(whole.length).toBeGreaterThan(100);
    const older = await walk(ref, context, { ...filter, read: 'older', limit: 333 });
    const newer = await walk(ref, context, { ...filter, read: 'newer', limit: 250 });
    expect(older.flat().map(({ id }) => id)).toEqual(whole);
    expect(
      newer
        .toReversed()
        .flat()
        .map(({ id }) => id),
    ).toEqual(whole);
  });

  it('say how many there are, wherever they are read', async () => {
    const first = await core.transactions(ref, { read: 'older', limit: 25, from, to }, context);
    const edge = first.items.at(-1) as CoreTransaction;
    const position = { atMs: timeMs(edge.at), id: edge.id };
    const second = await core.transactions(ref, { read: 'older', limit: 25, from, to, position }, context);
    expect(second.total).toBe(first.total);
    expect(first.total).toBeGreaterThan(25);
  });

  it('include the lower edge and exclude the upper one', async () => {
    const [newest] = (await core.transactions(ref, { read: 'older', limit: 1 }, context)).items;
    const at = newest?.at as Date;
    const next = new Date(at.getTime() + 1);
    const ids = async (query: Partial<TransactionQuery>) =>
      (await core.transactions(ref, { read: 'older', limit: 1, ...query }, context)).items.map(({ id }) => id);
    expect(await ids({ from: at })).toEqual([newest?.id]);
    expect(await ids({ from: next })).toEqual([]);
    expect(await ids({ to: next })).toEqual([newest?.id]);
    expect(await ids({ to: at })).not.toEqual([newest?.id]);
  });

  it('count nothing moved as money in', async () => {
    const read = (direction: 'credit' | 'debit') =>
      core.transactions('A100101', { read: 'older', limit: 1000, direction }, contextOf('C1001'));
    const zeros = async (direction: 'credit' | 'debit') =>
      (await read(direction)).items.filter(({ amount }) => amount.minorUnits === 0n).length;
    expect(await zeros('credit')).toBeGreaterThan(0);
    expect(await zeros('debit')).toBe(0);
  });

  it('leave out pending ones when booked ones are asked for', async () => {
    const read = async (status?: 'booked') =>
      (await core.transactions('A100302', { read: 'older', limit: 1000, status }, contextOf('C1003'))).items;
    expect((await read()).filter(({ status }) => status === 'pending')).toHaveLength(4);
    expect((await read('booked')).filter(({ status }) => status === 'pending')).toHaveLength(0);
  });

  it('are empty beyond either end of time', async () => {
    const far = { from: new Date(8.64e15), to: new Date(8.64e15) };
    const long = { from: new Date(-8.64e15), to: new Date(8.64e15) };
    expect((await core.transactions(ref, { read: 'older', limit: 1, ...far }, context)).items).toEqual([]);
    expect((await core.transactions(ref, { read: 'older', limit: 1, ...long }, context)).total).toBe(12_000);
  });
});

type Read = [string, (context: CoreContext) => Promise<unknown>];
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
  ['health', (c) => core.health(c.signal)],
];
const accountReads = reads.filter(([name]) => name !== 'accounts' && name !== 'health');

async function faultOf(read: Promise<unknown>): Promise<CoreError> {
  const fault = await read.then(
    () => new Error('it answered'),
    (error: unknown) => error,
  );
  expect(fault).toBeInstanceOf(CoreError);
  return fault as CoreError;
}

describe.each(reads)('when the core is at fault, reading %s', (_, read) => {
  it('is unavailable while the core is down, and answers again afterwards', async () => {
    bank.setFault('down');
    expect((await faultOf(read(contextOf('C1001')))).kind).toBe('unavailable');
    bank.setFault('none');
    await read(contextOf('C1001'));
  });

  it('times out at its deadline while the core is slow', async () => {
    bank.setFault('slow');
    const startedAt = performance.now();
    expect((await faultOf(read(contextOf('C1001', AbortSignal.timeout(60))))).kind).toBe('timeout');
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });

  it('finds a bad record in every kind of garbage, and repeats none of it', async () => {
    bank.setFault('garbage');
    for (let kind = 0; kind < 7; kind++) {
      const fault = await faultOf(read(contextOf('C1001')));
      expect(fault.kind).toBe(_ === 'health' && fault.detail.includes('not up') ? 'unavailable' : 'bad-record');
      expect(fault.message).not.toMatch(/maintenance|NullPointer|ORA-|G$/);
    }
  });
});

describe('when part of the core’s records cannot be read', () => {
  it('the others are read, and the bad ones named', async () => {
    bank.setFault('partial');
    const context = contextOf('C1001');
    const counts = (read: Pick<CoreRead<unknown>, 'items' | 'bad'>) => [read.items.length, read.bad.length];
    expect(counts(await core.accounts(context))).toEqual([3, 2]);
    expect(counts(await core.balances('A100101', context))).toEqual([1, 1]);
    expect(counts(await core.transactions('A100101', { read: 'older', limit: 90 }, context))).toEqual([60, 30]);
    expect(counts(await core.beneficiaries('A100101', context))).toEqual([3, 2]);
    expect(counts(await core.directDebits('A100101', context))).toEqual([1, 1]);
    expect(counts(await core.offers('A100103', context))).toEqual([1, 1]);
    expect(counts(await core.statements('A100103', context))).toEqual([1, 1]);
    expect(counts(await core.party('A100101', context))).toEqual([1, 0]);
    expect(counts(await core.standingOrders('A101101', contextOf('C1011')))).toEqual([10, 5]);
  });
});

describe('an account', () => {
  it.each(accountReads)('of somebody else is not found: %s', async (_, read) => {
    expect((await faultOf(read(contextOf('C1002')))).kind).toBe('account-not-found');
  });

  it.each(accountReads)('of a customer whom the core does not know is not found: %s', async (_, read) => {
    expect((await faultOf(read(contextOf('../C1001')))).kind).toBe('account-not-found');
  });

  it('that does not exist is not found, however it is written', async () => {
    for (const ref of ['A999999', 'A100101/../A100101', 'A100101?x=1', '..', '%2e%2e', 'Ä '.repeat(100)]) {
      expect((await faultOf(core.balances(ref, contextOf('C1001')))).kind).toBe('account-not-found');
    }
  });

  it('shows its state as soon as the core has changed it', async () => {
    bank.setAccountState('A100101', 'not-permitted');
    expect((await core.balances('A100101', contextOf('C1001'))).account.permitted).toBe(false);
    bank.setAccountState('A100101', 'valid');
    expect((await core.account('A100101', contextOf('C1001'))).permitted).toBe(true);
  });

  it('list is empty for a customer whom the core does not know', async () => {
    expect(await core.accounts(contextOf('C0000'))).toEqual({ items: [], bad: [] });
  });
});

describe('a full card number', () => {
  it('never crosses, wherever the core keeps one', async () => {
    for (const { account, ref, context } of everyAccount().filter(({ account }) => account.acct.card !== '')) {
      const seen = JSON.stringify([await core.accounts(context), await core.account(ref, context)]);
      expect(seen).not.toContain(account.acct.card);
      expect((await core.account(ref, context)).cardLastFour).toBe(account.acct.card.slice(-4));
    }
  });
});

describe('a signal', () => {
  it.each(reads)('that has fired already stops reading %s before it begins', async (_, read) => {
    expect((await faultOf(read(contextOf('C1001', AbortSignal.abort())))).kind).toBe('timeout');
  });

  it('stops calls that are under way and calls that wait for a connection, and leaves nothing behind', async () => {
    bank.setFault('slow');
    const aborters = Array.from({ length: 12 }, () => new AbortController());
    const calls = aborters.map(({ signal }) => faultOf(core.balances('A100101', contextOf('C1001', signal))));
    setTimeout(() => aborters.forEach((aborter) => aborter.abort()), 50);
    for (const fault of await Promise.all(calls)) expect(fault.kind).toBe('timeout');
    bank.setFault('none');
    expect((await core.balances('A100101', contextOf('C1001'))).items).toHaveLength(2);
  });

  it('is not listened to any longer once the answer is there', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal) as (...args: unknown[]) => void;
    const remove = signal.removeEventListener.bind(signal) as (...args: unknown[]) => void;
    signal.addEventListener = (...args: unknown[]) => (listeners++, add(...args));
    signal.removeEventListener = (...args: unknown[]) => (listeners--, remove(...args));
    await core.balances('A100101', contextOf('C1001', signal));
    expect(listeners).toBe(0);
  });
});

describe('of what a core may answer', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });

  async function answering(listener: RequestListener, path = '/core/'): Promise<LedgerAdapter> {
    const server = createServer(listener).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return new LedgerAdapter({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
      connections: 1,
    });
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

  it('JSON under another content type is a bad record', async () => {
    const fault = await balances((_, answer) => void answer.writeHead(200, { 'content-type': 'text/plain' }).end('{}'));
    expect(fault.kind).toBe('bad-record');
  });

  it('more than it may send is a bad record, and ends the reading', async () => {
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

  it('an answer that breaks off is unavailable', async () => {
    const fault = await balances((_, answer) => {
      answer.writeHead(200, { ...json, 'content-length': '100' }).write('{"acct":');
      setTimeout(() => answer.destroy(), 20);
    });
    expect(fault.kind).toBe('unavailable');
  });

  it('an answer that arrives in pieces, cut within a letter, is read whole', async () => {
    const body = Buffer.from(
      JSON.stringify({ acct: { ...persona('complete').accounts[0]?.acct, label: 'Épargne' }, figures: [] }),
    );
    const cut = body.indexOf('É') + 1;
    const adapter = await answering((_, answer) => {
      answer.writeHead(200, json).write(body.subarray(0, cut));
      setTimeout(() => answer.end(body.subarray(cut)), 20);
    });
    expect((await adapter.balances('A1', contextOf('C1'))).account.description).toBe('Épargne');
    await adapter.close();
  });

  it('an account that cannot be read makes the whole answer a bad record', async () => {
    const fault = await balances(
      (_, answer) => void answer.writeHead(200, json).end('{"acct":{"key":"A1"},"figures":[]}'),
    );
    expect(fault.kind).toBe('bad-record');
    expect(fault.detail).toBe('ledger: acct: prod: not a known word');
  });

  it('something that is not HTTP is a bad record', async () => {
    const server = createTcpServer((socket) => socket.end('220 ftp ready\r\n\r\n')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const adapter = new LedgerAdapter({ url: `http://127.0.0.1:${port}`, connections: 1 });
    expect((await faultOf(adapter.health(AbortSignal.timeout(2000)))).kind).toBe('bad-record');
    await adapter.close();
    server.close();
  });

  it('nothing at all, on a port where nobody listens, is unavailable', async () => {
    const adapter = new LedgerAdapter({ url: 'http://127.0.0.1:1', connections: 1 });
    expect((await faultOf(adapter.health(AbortSignal.timeout(2000)))).kind).toBe('unavailable');
    await adapter.close();
  });

  it('the interaction id has been told to it, and the path stands below the configured URL', async () => {
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
