import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PublicIds } from '../../src/open-banking/public-ids.js';
import type { Json } from '../support/stack.js';
import { coreAt, Stack } from '../support/stack.js';
import { atCards, atLedger, moreAtCards, saverAtCards, StubCore, TwoCores, type Given } from './setting.js';

describe('equal references at two cores', () => {
  let cores: TwoCores;
  let both: Given;
  let [inLedger, inCards]: string[] = [];
  beforeAll(async () => {
    cores = await TwoCores.start();
    const { customerRef, accounts } = cores.stack.persona('complete');
    const ref = accounts[0]?.ref ?? '';
    both = await cores.consent({ customerRef, accounts: [atLedger(ref), atCards(ref)] });
    [inLedger, inCards] = both.accountIds;
  });
  afterAll(() => cores.close());

  const ask = async (path: string): Promise<Json> => (await cores.stack.ask(path, both)).json.Data;
  const idsOf = async (accountId: string | undefined): Promise<string[]> =>
    (await ask(`/accounts/${accountId}/transactions`)).Transaction.map((row: Json) => row.TransactionId);
  const pence = async (accountId: string | undefined): Promise<number> =>
    Math.round((await ask(`/accounts/${accountId}/balances`)).Balance[0].Amount.Amount * 100);

  it('are different accounts: each is read from its own core', async () => {
    expect(inLedger).not.toBe(inCards);
    const { Account } = await ask('/accounts');
    expect(Account.map((account: Json) => [account.AccountId, account.Description])).toEqual([
      [inLedger, expect.not.stringContaining('At cards')],
      [inCards, 'At cards: complete'],
    ]);
    const [one, other] = [await ask(`/accounts/${inLedger}`), await ask(`/accounts/${inCards}`)];
    expect([one.Account[0], other.Account[0]]).toEqual(Account);
    expect((await pence(inCards)) - (await pence(inLedger))).toBe(moreAtCards);
  });

  it('of records give different public ids', async () => {
    const [ledger, cards] = [await idsOf(inLedger), await idsOf(inCards)];
    expect(ledger.length).toBeGreaterThan(10);
    expect(cards).toHaveLength(ledger.length);
    expect(cards.filter((id) => ledger.includes(id))).toEqual([]);
  });

  it('are one customer, who has one PartyId', async () => {
    const party = async (accountId: string | undefined): Promise<string> =>
      (await ask(`/accounts/${accountId}/party`)).Party.PartyId;
    expect(await party(inLedger)).toBe(await party(inCards));
  });

  it('of an account that was selected at one core open nothing at the other', async () => {
    const { customerRef, accounts } = cores.stack.persona('complete');
    const { token } = await cores.consent({ customerRef, accounts: [atLedger(accounts[0]?.ref ?? '')] });
    expect((await cores.stack.ask(`/accounts/${inCards}/balances`, { token })).status).toBe(403);
    const { json } = await cores.stack.ask('/accounts', { token });
    expect(json.Data.Account.map((account: Json) => account.AccountId)).toEqual([inLedger]);
  });
});

describe('a customer with another reference at one core', () => {
  let cores: TwoCores;
  let customerRef: string;
  let ref: string;
  let strangersRef: string;
  const customerRefs = { cards: saverAtCards };
  beforeAll(async () => {
    cores = await TwoCores.start();
    const saver = cores.stack.persona('saver');
    customerRef = saver.customerRef;
    ref = saver.accounts[0]?.ref ?? '';
    strangersRef = cores.stack.persona('trader').accounts[0]?.ref ?? '';
  });
  afterAll(() => cores.close());

  it('has the accounts of that reference there, and never those of the person who has the other one', async () => {
    const given = await cores.consent({ customerRef, customerRefs, accounts: [atLedger(ref), atCards(ref)] });
    const { json } = await cores.stack.ask('/accounts', given);
    expect(json.Data.Account).toHaveLength(2);
    for (const accountId of given.accountIds)
      expect((await cores.stack.ask(`/accounts/${accountId}/balances`, given)).status).toBe(200);

    const report = { customerRef, customerRefs, accounts: [atCards(strangersRef)] };
    const refused = await cores.authorise(await cores.awaiting(), report);
    expect([refused.status, refused.body]).toEqual([400, expect.stringContaining('accounts[0]')]);
  });

  it('is known by the main reference: the consent is in that customer’s list, with the other reference', async () => {
    const { consentId } = await cores.consent({ customerRef, customerRefs, accounts: [atCards(ref), atLedger(ref)] });
    const { json } = await cores.stack.report(`/customers/${customerRef}/consents`);
    const [{ Accounts }] = json.Consents.filter((consent: Json) => consent.ConsentId === consentId);
    expect(Accounts.map(({ AccountId: _, Product: __, ...rest }: Json) => rest)).toEqual([
      { ref, core: 'cards', customerRef: saverAtCards },
      { ref, core: 'ledger' },
    ]);
    expect((await cores.stack.report(`/customers/${saverAtCards}/consents`)).json.Consents).toEqual([]);
  });

  it.each<[string, (account: string) => Readonly<Record<string, unknown>>]>([
    ['customerRefs', (account) => ({ customerRefs: { crads: 'X-saver' }, accounts: [atLedger(account)] })],
    ['accounts[1]', (account) => ({ accounts: [atLedger(account), { core: 'loans', ref: account }] })],
    ['accounts[0]', (account) => ({ accounts: [account] })],
  ])('is refused under a name that is not a core’s: %s', async (path, report) => {
    const { status, body } = await cores.authorise(await cores.awaiting(), { customerRef, ...report(ref) });
    expect([status, body]).toEqual([400, expect.stringContaining(path)]);
    expect(body).toContain('CORES has no core of this name');
  });
});

describe('a bank that adds a core to its first one', () => {
  it('keeps the consents and the ids of the first core’s accounts, and can name them as before', async () => {
    const cards = await StubCore.start();
    const stack = await Stack.start({
      cores: (ledger) => [
        { ...ledger, name: 'ledger' },
        { ...coreAt(cards.url), name: 'cards', recordedAs: 'cards' },
      ],
    });
    try {
      const customer = await stack.consent({ persona: 'complete' });
      const ids = new PublicIds(stack.config.idKey);
      expect(customer.accounts.map(({ AccountId }) => AccountId)).toEqual(
        customer.accounts.map(({ ref }) => ids.ofAccount(ref)),
      );
      const { json } = await stack.report(`/consents/${customer.consentId}`);
      expect(json.Accounts.map((account: Json) => Object.keys(account).sort())).toEqual(
        customer.accounts.map(() => ['AccountId', 'Product', 'ref']),
      );
      expect((await stack.ask('/accounts', customer)).json.Data.Account).toHaveLength(customer.accounts.length);
      expect(cards.asked).toBe(0);
    } finally {
      await stack.close();
      await cards.close();
    }
  });
});
