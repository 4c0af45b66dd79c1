import { afterEach, describe, expect, it } from '@jest/globals';
import { told } from '../support/error-shape.js';
import { freshDatabase } from '../support/fresh-database.js';
import { PersistenceModule } from '../../src/persistence/persistence.module.js';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import { minuteMs, Stack, type Answer, type ConsentedCustomer } from '../support/stack.js';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import { until } from '../support/until.js';
import { WatchedDatabase } from '../support/watched-database.js';
import { watched } from '../support/wrapped-adapter.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';

const present = { 'x-fapi-customer-ip-address': '203.0.113.7' };
const hourMs = 60 * minuteMs;
const tooOften = [429, '429 TooManyRequests', 'UK.AIG.Requests.TooMany', 'x-fapi-customer-ip-address'];

describe('reads without the customer', () => {
  const stacks: Stack[] = [];
  afterEach(async () => {
    for (const stack of stacks.splice(0)) await stack.close();
  });
  const start = async (options: Parameters<typeof Stack.start>[0] = {}): Promise<Stack> => {
    const stack = await Stack.start({
      ...options,
      rules: { unattendedAccess: { mode: 'enforce', limit: 4 }, pageSize: 25, ...options.rules },
    });
    stacks.push(stack);
    return stack;
  };
  /** The token of a customer whose authentication is too old to count as presence. */
  const consent = (stack: Stack): Promise<ConsentedCustomer> =>
    stack.consent({ persona: 'complete', authenticatedAgoMs: 10 * minuteMs });
  const balances = (stack: Stack, of: ConsentedCustomer, headers = {}): Promise<Answer> =>
    stack.ask(`/accounts/${of.accountId('CurrentAccount')}/balances`, { token: of.token, headers });
  const statuses = async (times: number, ask: () => Promise<Answer>): Promise<number[]> => {
    const answers: number[] = [];
    for (let time = 0; time < times; time++) answers.push((await ask()).status);
    return answers;
  };

  it('are four in 24 hours for each account and endpoint, and free while the customer is present', async () => {
    const stack = await start();
    const customer = await consent(stack);
    expect(await statuses(4, () => balances(stack, customer))).toEqual([200, 200, 200, 200]);
    const refused = await balances(stack, customer);
    expect(told(refused)).toEqual(tooOften);
    expect(refused.headers['retry-after']).toBe(String(24 * 60 * 60));
    expect(refused.headers['ratelimit']).toMatch(/"unattended";r=0;t=86400$/);
    expect(refused.headers['ratelimit-policy']).toMatch(/"unattended";q=4;w=86400$/);
    expect(await statuses(6, () => balances(stack, customer, present))).toEqual(Array(6).fill(200));
    const savings = `/accounts/${customer.accountId('Savings')}/balances`;
    expect((await stack.ask(savings, { token: customer.token })).status).toBe(200);
    expect((await stack.ask('/accounts', { token: customer.token })).status).toBe(200);
    const another = await consent(stack);
    expect((await balances(stack, another)).status).toBe(200);
  });

  it('are possible again when the oldest counted read is 24 hours old', async () => {
    const stack = await start();
    const customer = await consent(stack);
    await balances(stack, customer);
    stack.clock.advance(hourMs);
    const token = () => stack.bank.mintToken({ clientId: 'tpp-one', consentId: customer.consentId });
    const later = async () => ({ ...customer, token: await token() });
    expect(await statuses(3, async () => balances(stack, await later()))).toEqual([200, 200, 200]);
    stack.clock.advance(23 * hourMs - 1);
    expect((await balances(stack, await later())).headers['retry-after']).toBe('1');
    stack.clock.advance(1);
    expect(await statuses(2, async () => balances(stack, await later()))).toEqual([200, 429]);
  });

  it('do not count right after an authentication, nor as later pages of an answer', async () => {
    const stack = await start();
    const fresh = await stack.consent({ persona: 'complete', authenticatedAgoMs: 5 * minuteMs - 1 });
    expect(await statuses(6, () => balances(stack, fresh))).toEqual(Array(6).fill(200));
    stack.clock.advance(1);
    expect(await statuses(5, () => balances(stack, fresh))).toEqual([200, 200, 200, 200, 429]);

    const { token, accountId } = await stack.consent({ persona: 'history', authenticatedAgoMs: 10 * minuteMs });
    const from = new Date(stack.clock.nowMs() - 80 * 24 * hourMs).toISOString().slice(0, 10);
    let next: string | undefined =
      `${v3_1.basePath}/accounts/${accountId('CurrentAccount')}/transactions?fromBookingDateTime=${from}`;
    let pages = 0;
    for (; next !== undefined && pages < 6; pages++) {
      const answer: Answer = await stack.ask(next, { token });
      expect(answer.status).toBe(200);
      next = (answer.json.Links.Next as string | undefined)?.replace(stack.config.baseUrl, '');
    }
    expect(pages).toBe(6);
  });

  it('count a page more than 15 minutes after the first one, so that a kept link is not a way past the limit', async () => {
    const stack = await start();
    const { consentId, accountId } = await stack.consent({ persona: 'history', authenticatedAgoMs: 10 * minuteMs });
    const from = new Date(stack.clock.nowMs() - 80 * 24 * hourMs).toISOString().slice(0, 10);
    const ask = async (link: string): Promise<Answer> => {
      const token = await stack.bank.mintToken({ clientId: 'tpp-one', consentId });
      return stack.ask(link.replace(stack.config.baseUrl, ''), { token });
    };
    const first = await ask(
      `${v3_1.basePath}/accounts/${accountId('CurrentAccount')}/transactions?fromBookingDateTime=${from}`,
    );
    const second = await ask(first.json.Links.Next as string);
    const newer = second.json.Links.Prev as string;
    stack.clock.advance(15 * minuteMs);
    expect(await statuses(6, () => ask(newer))).toEqual(Array(6).fill(200));
    stack.clock.advance(1);
    expect(await statuses(4, () => ask(newer))).toEqual([200, 200, 200, 429]);
    // A page that counted has links of the same first request: they do not begin a new quarter of an hour.
    expect(told(await ask(second.json.Links.Next as string))).toEqual(tooOften);
    stack.clock.advance(24 * hourMs - 15 * minuteMs);
    const ended = await ask(newer);
    expect([ended.status, ended.json.Errors[0].Path, ended.json.Errors[0].Message]).toEqual([
      400,
      'page',
      expect.stringContaining('send the same request again'),
    ]);
  });

  it('do not count where the core could not answer', async () => {
    let isDown = false;
    const database = new WatchedDatabase();
    const stack = await start({
      persistence: database.module,
      adapter: (ledger) =>
        watched(ledger, () => {
          if (isDown) throw new CoreError('unavailable', 'is down', 1);
        }),
    });
    const customer = await consent(stack);
    isDown = true;
    for (let time = 0; time < 6; time++) {
      expect((await balances(stack, customer)).status).toBe(503);
      // The answer does not wait until the count is given back.
      await until(async () => (await database.prisma.limitCount.count()) === 0);
    }
    isDown = false;
    stack.clock.advance(2_000);
    expect((await balances(stack, customer)).headers['ratelimit']).toContain('"unattended";r=3');
  });

  it('are counted together by gateways with one database: simultaneous ones get no more than the limit', async () => {
    const database = await freshDatabase();
    const opened = await PrismaService.open(database.config);
    try {
      const prisma = Object.create(opened, {
        onApplicationShutdown: { value: () => Promise.resolve() },
      }) as PrismaService;
      const persistence = () => PersistenceModule.register(() => Promise.resolve(prisma));
      const gateways = [await start({ persistence }), await start({ persistence })];
      const customer = await consent(gateways[0] as Stack);
      const askers = await Promise.all(
        gateways.map(async (stack) => {
          const token = await stack.bank.mintToken({ clientId: 'tpp-one', consentId: customer.consentId });
          return () => balances(stack, { ...customer, token });
        }),
      );
      const answers = await Promise.all(askers.flatMap((ask) => Array.from({ length: 12 }, ask)));
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array(4).fill(200), ...Array(20).fill(429)]);
      for (const stack of stacks.splice(0)) await stack.close();
    } finally {
      await opened.onApplicationShutdown();
      await database.drop();
    }
  });

  describe('that the database cannot count', () => {
    const database = new WatchedDatabase();
    const failing = async (mode: 'enforce' | 'observe'): Promise<Answer> => {
      const stack = await start({ persistence: database.module, rules: { unattendedAccess: { mode, limit: 4 } } });
      const customer = await consent(stack);
      database.before = (sql) => (sql.includes('INTO limit_counts') ? Promise.reject(new Error('full')) : undefined);
      expect((await balances(stack, customer, present)).status).toBe(200);
      return balances(stack, customer);
    };

    it('are refused with 503 where the bank enforces the limit', async () => {
      expect((await failing('enforce')).status).toBe(503);
    });

    it('are answered where it only observes', async () => {
      expect((await failing('observe')).status).toBe(200);
    });
  });

  it('cost one statement each, and none while the customer is present', async () => {
    const database = new WatchedDatabase();
    const stack = await start({ persistence: database.module });
    const customer = await consent(stack);
    const countsOf = async (ask: () => Promise<Answer>): Promise<number> => {
      database.statements.length = 0;
      await ask();
      return database.statements.filter((sql) => sql.includes('limit_counts') && !sql.startsWith('DELETE')).length;
    };
    for (let time = 0; time < 6; time++) expect(await countsOf(() => balances(stack, customer))).toBe(1);
    expect(await countsOf(() => balances(stack, customer, present))).toBe(0);
  });

  it('are counted across a restart', async () => {
    const database = await freshDatabase();
    try {
      const first = await start({ database });
      const customer = await consent(first);
      expect(await statuses(4, () => balances(first, customer))).toEqual([200, 200, 200, 200]);
      await stacks.pop()?.close();
      const second = await start({ database });
      const token = await second.bank.mintToken({ clientId: 'tpp-one', consentId: customer.consentId });
      expect(told(await balances(second, { ...customer, token }))).toEqual(tooOften);
      await stacks.pop()?.close();
    } finally {
      await database.drop();
    }
  });

  it('are answered and counted in the metrics where the bank only observes', async () => {
    const stack = await start({ rules: { unattendedAccess: { mode: 'observe', limit: 2 } } });
    const customer = await consent(stack);
    expect(await statuses(3, () => balances(stack, customer))).toEqual([200, 200, 200]);
    expect((await balances(stack, customer)).headers['ratelimit-policy']).not.toContain('unattended');
    const metrics = await stack.gateway.bankServer.inject('/metrics');
    expect(metrics.body).toContain('gateway_unattended_requests_total{outcome="within"} 2');
    expect(metrics.body).toContain('gateway_unattended_requests_total{outcome="beyond"} 2');
    expect(stack.log.join('')).toContain('"unattended":"beyond"');
  });
});
