import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { kitServices } from '../../packages/adapter-kit/kit-services.js';
import { createGateway, type Gateway } from '../../src/boot/gateway.js';
import { PersistenceModule } from '../../src/persistence/persistence.module.js';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import { createAdapter } from '../../src/core-banking/adapters/ledger/ledger.adapter.js';
import { profile } from '../../src/profiles/profile-2.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { accountPaths } from '../support/account-paths.js';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { coreAt, Stack, type ConsentedCustomer } from '../support/stack.js';

type Ids = Record<string, string[]>;
const idNames = [
  'AccountId',
  'PartyId',
  'BeneficiaryId',
  'ScheduledPaymentId',
  'StandingOrderId',
  'DirectDebitId',
  'TransactionId',
];

/** Every id in the answers to every path, by its name, in order. */
async function idsOf(server: Gateway['server'], token: string, accountIds: string[]): Promise<Ids> {
  const ids: Ids = Object.fromEntries(idNames.map((name) => [name, []]));
  for (const path of ['/accounts', ...accountIds.flatMap((accountId) => accountPaths(profile, accountId))]) {
    const { statusCode, body } = await server.inject({
      url: `${v3_1.basePath}${path}`,
      headers: { authorization: `Bearer ${token}` },
    });
    expect([path, statusCode]).toEqual([path, 200]);
    for (const [, name, id] of body.matchAll(/"([A-Za-z]+Id)":"([^"]*)"/g)) ids[String(name)]?.push(String(id));
  }
  return ids;
}

describe('the ids that a TPP sees', () => {
  let database: FreshDatabase;
  let stack: Stack;
  let customer: ConsentedCustomer;
  let ids: Ids;
  const accountIds = (of: ConsentedCustomer): string[] => of.accounts.map(({ AccountId }) => AccountId);
  beforeAll(async () => {
    database = await freshDatabase();
    stack = await Stack.start({ database });
    customer = await stack.consent({ persona: 'complete' });
    ids = await idsOf(stack.gateway.server, customer.token, accountIds(customer));
  });
  afterAll(async () => {
    await stack.close();
    await database.drop();
  });

  it('are 32 hexadecimal digits for every kind', () => {
    for (const name of idNames) {
      expect([name, ids[name]?.length]).not.toEqual([name, 0]);
      for (const id of ids[name] ?? []) expect(id).toMatch(/^[0-9a-f]{32}$/);
    }
  });

  it('differ from kind to kind, and from account to account', () => {
    const kinds = Object.values(ids).map((all) => new Set(all));
    expect(new Set(kinds.flatMap((kind) => [...kind])).size).toBe(kinds.reduce((sum, { size }) => sum + size, 0));
    expect(kinds.map(({ size }) => size)).toEqual([5, 1, 7, 2, 1, 2, ids['TransactionId']?.length]);
  });

  it('are the same for another consent and another TPP', async () => {
    const other = await stack.consent({ persona: 'complete', clientId: 'tpp-two' });
    expect(await idsOf(stack.gateway.server, other.token, accountIds(other))).toEqual(ids);
  });

  it('are the same for every customer of the account, while the ids of the customers differ', async () => {
    const [grace, henrik] = [await stack.consent({ persona: 'joint' }), await stack.consent({ persona: 'partner' })];
    const of = (who: ConsentedCustomer): Promise<Ids> =>
      idsOf(stack.gateway.server, who.token, [who.accountId('A100701')]);
    const [hers, his] = [await of(grace), await of(henrik)];
    expect(grace.accountId('A100701')).toBe(henrik.accountId('A100701'));
    expect(hers['TransactionId']).toEqual(his['TransactionId']);
    expect(hers['PartyId']).not.toEqual(his['PartyId']);
  });
});

describe('the ids that a TPP sees after a restart', () => {
  it('are the same with the same key, and different under another key', async () => {
    const database = await freshDatabase();
    const stack = await Stack.start({ database });
    const customer = await stack.consent({ persona: 'complete' });
    const ids = await idsOf(
      stack.gateway.server,
      customer.token,
      customer.accounts.map(({ AccountId }) => AccountId),
    );
    const restarted = async (idKey: string): Promise<Ids> => {
      const gateway = await createGateway({
        config: { ...stack.config, idKey },
        profile,
        clock: stack.clock,
        adapter: createAdapter(coreAt(stack.bank.coreUrl), kitServices),
        log: stack.gateway.server.log,
        persistence: PersistenceModule.register(() => PrismaService.open(stack.config.database)),
      });
      try {
        const listed = await gateway.server.inject({
          url: `${v3_1.basePath}/accounts`,
          headers: { authorization: `Bearer ${customer.token}` },
        });
        const found = JSON.parse(listed.body).Data.Account as { AccountId: string }[];
        return await idsOf(
          gateway.server,
          customer.token,
          found.map(({ AccountId }) => AccountId),
        );
      } finally {
        await gateway.close();
      }
    };
    // Only one process, and in it one gateway, can open the embedded database at a time.
    await stack.gateway.close();
    expect(await restarted(stack.config.idKey)).toEqual(ids);
    const others = await restarted('another-test-id-key-0123456789abcdef');
    for (const name of idNames)
      for (const [index, id] of (others[name] ?? []).entries()) expect(id).not.toBe(ids[name]?.[index]);
    await stack.close();
    await database.drop();
  });
});
