import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../support/until.js';
import type { Answer, Json } from '../support/stack.js';
import { atCards, atLedger, TwoCores, type Conduct, type Given } from './setting.js';

const patienceMs = 20_000;
const connections = 4;
/** How it fails, and the status of a read of its accounts. */
const faults: readonly [Conduct, number][] = [
  ['dead', 503],
  ['answers 500', 500],
];

/** The customer with one account of each core under equal references. */
async function bothOf(cores: TwoCores): Promise<Given> {
  const { customerRef, accounts } = cores.stack.persona('complete');
  const ref = accounts[0]?.ref ?? '';
  return cores.consent({ customerRef, accounts: [atLedger(ref), atCards(ref)] });
}

describe('of two cores, one that is unreachable', () => {
  let cores: TwoCores;
  let both: Given;
  let ledgerOnly: Given;
  let inLedger: string;
  let inCards: string;
  beforeAll(async () => {
    cores = await TwoCores.start({}, { connections });
    both = await bothOf(cores);
    const { customerRef, accounts } = cores.stack.persona('complete');
    ledgerOnly = await cores.consent({ customerRef, accounts: [atLedger(accounts[0]?.ref ?? '')] });
    [inLedger = '', inCards = ''] = both.accountIds;
  });
  afterEach(async () => {
    cores.cards.conduct = 'well';
    cores.cards.release();
    // No circuit stays open for the next test.
    await until(async () => (await balances(inCards)).status === 200, patienceMs);
  });
  afterAll(() => cores.close());

  const balances = (accountId: string): Promise<Answer> =>
    cores.stack.ask(`/accounts/${accountId}/balances`, { token: both.token });
  const statusesOf = async (count: number, accountId: string): Promise<Set<number>> => {
    const statuses = new Set<number>();
    for (let index = 0; index < count; index++) statuses.add((await balances(accountId)).status);
    return statuses;
  };
  const answered = (): Promise<number> =>
    cores.metric('gateway_core_read_duration_seconds_count{core="ledger",read="balances",outcome="ok"}');

  it('hangs alone: 30 of 30 balances of the other are answered without a wait for a connection', async () => {
    const before = (await answered()) || 0;
    cores.cards.conduct = 'hangs';
    // Each read is different, because identical ones would be made once.
    const hanging = Array.from({ length: 20 }, (_, index) =>
      cores.stack.ask(`/accounts/${inCards}/transactions?fromBookingDateTime=2026-06-14T00:00:${10 + index}Z`, both),
    );
    await until(() => cores.cards.held.size === connections / 2, patienceMs);
    const waiting = 20 - connections / 2;
    await until(async () => (await cores.metric('gateway_core_waiting_reads{core="cards"}')) === waiting, patienceMs);

    expect(await statusesOf(30, inLedger)).toEqual(new Set([200]));
    expect((await answered()) - before).toBe(30);
    expect(await cores.metric('gateway_core_waiting_reads{core="ledger"}')).toBe(0);
    expect(await cores.metric('gateway_core_open_circuits{core="ledger"}')).toBe(0);

    cores.cards.conduct = 'answers 500';
    cores.cards.release();
    expect(new Set((await Promise.all(hanging)).map(({ status }) => status))).toEqual(new Set([500]));
  });

  it.each(faults)('fails alone, and 30 of 30 balances of the other are answered: %s', async (conduct, fault) => {
    cores.cards.conduct = conduct;
    expect(await statusesOf(5, inCards)).toEqual(new Set([fault]));
    const { asked } = cores.cards;
    expect(await statusesOf(30, inLedger)).toEqual(new Set([200]));
    expect(cores.cards.asked).toBe(asked);
    const faultLines = cores.stack.log.filter((line) => line.includes('the core failed a request'));
    expect(faultLines.length).toBeGreaterThan(0);
    expect(faultLines.filter((line) => !line.includes('"core":"cards"'))).toEqual([]);
  });

  it('opens its own circuit only, and closes it when it answers again', async () => {
    cores.cards.conduct = 'dead';
    expect(await statusesOf(20, inCards)).toEqual(new Set([503]));
    expect(await cores.metric('gateway_core_open_circuits{core="cards"}')).toBe(1);
    expect(await statusesOf(30, inLedger)).toEqual(new Set([200]));
    expect(await cores.metric('gateway_core_open_circuits{core="ledger"}')).toBe(0);

    cores.cards.conduct = 'well';
    await until(async () => (await balances(inCards)).status === 200, patienceMs);
    expect(await cores.metric('gateway_core_open_circuits{core="cards"}')).toBe(0);
  });

  it.each(faults)('fails the lists that have one of its accounts, and no other list: %s', async (conduct, fault) => {
    cores.cards.conduct = conduct;
    expect((await cores.stack.ask('/accounts', both)).status).toBe(fault);
    const { asked } = cores.cards;
    const { status, json } = await cores.stack.ask('/accounts', ledgerOnly);
    expect([status, json.Data.Account.length, cores.cards.asked]).toEqual([200, 1, asked]);
  });

  it('can hinder no approval of the other’s accounts', async () => {
    cores.cards.conduct = 'dead';
    const { customerRef, accounts } = cores.stack.persona('joint');
    const [ref = ''] = accounts.map((account) => account.ref);
    await expect(cores.consent({ customerRef, accounts: [atLedger(ref)] })).resolves.toHaveProperty('token');
    const refused = await cores.authorise(await cores.awaiting(), { customerRef, accounts: [atCards(ref)] });
    expect(refused.status).toBe(503);
  });

  it('can hinder no withdrawal: the accounts of both are closed to the TPP', async () => {
    const { consentId, token } = await bothOf(cores);
    cores.cards.conduct = 'dead';
    expect((await cores.stack.report(`/consents/${consentId}/revoke`, {})).status).toBe(200);
    expect((await cores.stack.ask('/accounts', { token })).status).toBe(401);
    const { customerRef } = cores.stack.persona('complete');
    const { json } = await cores.stack.report(`/customers/${customerRef}/consents`);
    const [withdrawn] = json.Consents.filter((consent: Json) => consent.ConsentId === consentId);
    expect(withdrawn.Status).toBe('cancelled');
  });

  it('is named by readiness, which says that reads are still served', async () => {
    const ready = async (): Promise<unknown> => {
      const answer = await cores.stack.gateway.bankServer.inject('/health/ready');
      return [answer.statusCode, answer.json()];
    };
    expect(await ready()).toEqual([200, { status: 'ready' }]);
    cores.cards.conduct = 'dead';
    const faultLines = ['the core "cards" does not answer (the connection is lost)'];
    expect(await ready()).toEqual([503, { status: 'not ready', faults: faultLines, serving: true }]);
  });
});

describe('where an unreachable core is omitted, of two cores one that is unreachable', () => {
  let cores: TwoCores;
  let both: Given;
  beforeAll(async () => {
    cores = await TwoCores.start({ rules: { unreachableCore: 'partial' } });
    both = await bothOf(cores);
  });
  afterAll(() => cores.close());

  it.each(faults)('is omitted from the list, and named in the access record and in a metric: %s', async (conduct) => {
    const omitted = (): Promise<number> => cores.metric('gateway_core_omitted_total{core="cards"}');
    const before = (await omitted()) || 0;
    cores.cards.conduct = 'well';
    expect((await cores.stack.ask('/accounts', both)).json.Data.Account).toHaveLength(2);
    cores.cards.conduct = conduct;
    cores.stack.log.length = 0;
    const { status, json } = await cores.stack.ask('/accounts', both);
    expect([status, json.Data.Account.map(({ AccountId }: Json) => AccountId)]).toEqual([200, [both.accountIds[0]]]);
    const records = cores.stack.log.map((line) => (JSON.parse(line) as { access?: Record<string, unknown> }).access);
    expect(records.filter((access) => access?.['unreachableCores'] !== undefined)).toEqual([
      expect.objectContaining({ endpoint: 'accounts', status: 200, unreachableCores: ['cards'] }),
    ]);
    expect((await omitted()) - before).toBe(1);
  });

  it('refuses the list where it has every account of it', async () => {
    cores.cards.conduct = 'well';
    const { customerRef, accounts } = cores.stack.persona('complete');
    const cardsOnly = await cores.consent({ customerRef, accounts: [atCards(accounts[0]?.ref ?? '')] });
    cores.cards.conduct = 'dead';
    expect((await cores.stack.ask('/accounts', cardsOnly)).status).toBe(503);
  });
});
