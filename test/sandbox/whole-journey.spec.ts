import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { approveAtBank } from '../../sandbox/actions/customer.js';
import { describePersona } from '../../sandbox/bank/staff-paths.js';
import { BankClient, type Access } from '../../sandbox/clients/bank.client.js';
import { listIn, textAt } from '../../sandbox/clients/exchange.js';
import { minuteMs } from '../support/stack.js';
import { TppSetting } from './tpp-setting.js';

const permissions = [
  'ReadAccountsDetail',
  'ReadBalances',
  'ReadParty',
  'ReadTransactionsDetail',
  'ReadTransactionsCredits',
  'ReadTransactionsDebits',
];

describe('the whole journey with two TPPs and two customers over mutual TLS', () => {
  let setting: TppSetting;
  let other: BankClient;
  beforeAll(async () => {
    setting = await TppSetting.start();
    const { folder, clientId } = await setting.make('Other', { redirectUri: setting.endpoint.redirectUri });
    const transport = join(folder, 'transport.pem');
    const keys = {
      authorityFile: join(folder, 'authority.pem'),
      tpp: { certificateFile: transport, keyFile: transport },
      tppSigningKeyFile: join(folder, 'signing-key.jwk'),
    };
    other = await BankClient.open({ ...setting.endpoint, clientId }, keys, setting.clock);
  });
  afterAll(async () => {
    await other.close();
    await setting.close();
  });

  function person(name: string) {
    const persona = setting.bank.personas.find((one) => one.name === name);
    if (persona === undefined) throw new Error(`there is no persona ${name}`);
    return describePersona(persona);
  }

  async function visit(bank: BankClient, name: string, consentId: string): Promise<Access> {
    return (await approveAtBank(setting.running, bank, person(name), consentId)).access;
  }

  /** The access that a customer gives to a TPP, and the TPP's reads with it. */
  async function connect(bank: BankClient, name: string) {
    const consentId = await bank.createConsent({ permissions });
    return new Connection(bank, name, await visit(bank, name, consentId));
  }

  class Connection {
    accountIds: readonly string[] = [];

    constructor(
      readonly bank: BankClient,
      readonly name: string,
      public access: Access,
    ) {}

    async status(path: string): Promise<number> {
      return (await this.bank.read(path, this.access)).response.status;
    }

    async readAll() {
      const accounts = listIn((await this.bank.read('/accounts', this.access)).json, 'Account');
      this.accountIds = accounts.map((account) => textAt(account, 'AccountId') ?? '');
      const each = async (resource: string) =>
        Promise.all(this.accountIds.map((id) => this.bank.read(`/accounts/${id}/${resource}`, this.access)));
      const [balances, transactions, parties] = [
        await each('balances'),
        await each('transactions'),
        await each('party'),
      ];
      return {
        accounts: accounts.length,
        balances: balances.every(({ json }) => listIn(json, 'Balance').length > 0),
        transactions: transactions.some(({ json }) => listIn(json, 'Transaction').length > 0),
        statuses: [...balances, ...transactions, ...parties].map(({ response }) => response.status),
        customers: [...new Set(parties.map(({ json }) => textAt(json, 'Data', 'Party', 'Name')))],
      };
    }

    /** The statuses of three reads, some of which need an open window. */
    async windowed(): Promise<readonly [party: number, balances: number, transactions: number]> {
      const [id] = this.accountIds;
      return [
        await this.status(`/accounts/${id}/party`),
        await this.status(`/accounts/${id}/balances`),
        await this.status(`/accounts/${id}/transactions`),
      ];
    }
  }

  it('goes from consent to data, authenticates again, refreshes and ends, each seeing and ending only their own', async () => {
    const own = setting.client;
    // One after the other for the same customer, because the newest code in the inbox belongs to the last journey.
    const [[ownAmelia, otherAmelia], [ownSaver, otherSaver]] = await Promise.all([
      (async () => [await connect(own, 'complete'), await connect(other, 'complete')] as const)(),
      (async () => [await connect(own, 'saver'), await connect(other, 'saver')] as const)(),
    ]);
    const all = [ownAmelia, otherAmelia, ownSaver, otherSaver];

    for (const connection of all) {
      const { accounts, displayName } = { ...person(connection.name) };
      const read = await connection.readAll();
      expect(read).toEqual({
        accounts: accounts.length,
        balances: true,
        transactions: true,
        statuses: read.statuses.map(() => 200),
        customers: [displayName],
      });
    }

    // Another customer's account, with the TPP's own access.
    for (const [reader, owner] of [
      [ownAmelia, ownSaver],
      [otherSaver, ownAmelia],
    ] as const)
      expect(await reader.status(`/accounts/${owner.accountIds[0]}/balances`)).toBe(403);
    // Another TPP's token with this TPP's certificate; and the other TPP's consent.
    expect((await other.read('/accounts', ownAmelia.access)).response.status).toBe(401);
    await expect(other.refresh(ownAmelia.access)).rejects.toMatchObject({ error: 'invalid_grant' });
    expect((await other.deleteConsent(ownAmelia.access.consentId)).response.status).toBeGreaterThanOrEqual(400);

    setting.clock.advance(5 * minuteMs);
    for (const connection of all) {
      expect(await connection.windowed()).toEqual([403, 200, 403]);
      // A new token reads, and opens nothing.
      connection.access = await connection.bank.refresh(connection.access);
      expect(await connection.windowed()).toEqual([403, 200, 403]);
    }

    const before = ownAmelia.access;
    ownAmelia.access = await visit(own, 'complete', before.consentId);
    expect(await ownAmelia.windowed()).toEqual([200, 200, 200]);
    expect((await own.read('/accounts', before)).response.status).toBe(401);
    ownAmelia.access = await own.refresh(ownAmelia.access);
    for (const connection of all)
      expect(await connection.windowed()).toEqual(connection === ownAmelia ? [200, 200, 200] : [403, 200, 403]);

    const living = async () => Promise.all(all.map((connection) => connection.status('/accounts')));
    expect((await own.deleteConsent(ownAmelia.access.consentId)).response.status).toBe(204);
    expect(await living()).toEqual([401, 200, 200, 200]);
    await expect(own.refresh(ownAmelia.access)).rejects.toMatchObject({ error: 'invalid_grant' });
    const revoked = await setting.stack.report(`/consents/${otherSaver.access.consentId}/revoke`, {});
    expect([revoked.status, await living()]).toEqual([200, [401, 200, 200, 401]]);
  });
});
