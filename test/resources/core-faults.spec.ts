import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import { profile } from '../../src/profiles/profile-2.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { helpUrl } from '../support/error-shape.js';
import { accountPaths } from '../support/account-paths.js';
import { Stack, type Answer, type ConsentedCustomer, type Json } from '../support/stack.js';
import { until } from '../support/until.js';
import { WatchedDatabase } from '../support/watched-database.js';
import { watched, type AskedRead } from '../support/wrapped-adapter.js';

/** The sandbox's slow core takes 30 seconds. Most tests here would see a deadline that a busy machine cannot keep. */
const deadlineMs = 5_000;
/** The circuit breaker's limit: when it opens, it stays open for a second. */
const breakerOpenMs = 1_000;

const errorOf = (status: string): unknown => ({
  Code: status,
  Id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  Message: expect.any(String),
  Errors: [{ ErrorCode: 'UK.OBIE.UnexpectedError', Message: expect.any(String), Url: helpUrl }],
});

/** @returns the URL of the API at the gateway's own port */
async function listening({ gateway }: Stack): Promise<string> {
  await gateway.server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = gateway.server.server.address() as AddressInfo;
  return `http://127.0.0.1:${port}${v3_1.basePath}`;
}

describe('a core that fails', () => {
  let stack: Stack;
  let customer: ConsentedCustomer;
  let current: string;
  /** Stands between the gateway and the sandbox bank's core where a test sets it. */
  let before: (asked: AskedRead) => unknown = () => undefined;
  const ask = (path: string): Promise<Answer> => stack.ask(path, { token: customer.token });
  const health = async (path: string): Promise<[number, unknown]> => {
    const { statusCode, body } = await stack.gateway.bankServer.inject(path);
    return [statusCode, JSON.parse(body)];
  };
  const metrics = async (): Promise<string> => (await stack.gateway.bankServer.inject('/metrics')).body;

  beforeAll(async () => {
    stack = await Stack.start({
      // One TPP may hold half of them.
      core: { connections: 32, deadlineMs },
      adapter: (ledger) => watched(ledger, (asked) => before(asked)),
    });
    customer = await stack.consent({ persona: 'complete' });
    current = customer.accountId('CurrentAccount');
    await ask('/accounts');
  });
  afterEach(async () => {
    before = () => undefined;
    stack.bank.setFault('none');
    // The next test begins with a core that answers and a closed circuit.
    if ((await ask(`/accounts/${current}`)).status !== 200) await sleep(breakerOpenMs);
    expect((await ask(`/accounts/${current}`)).status).toBe(200);
  });
  afterAll(() => stack.close());

  it('that is down is 503 with Retry-After on every endpoint', async () => {
    stack.bank.setFault('down');
    for (const path of ['/accounts', ...accountPaths(profile, current)]) {
      const { status, headers, json } = await ask(path);
      expect([path, status, json]).toEqual([path, 503, errorOf('503 ServiceUnavailable')]);
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(headers['x-fapi-interaction-id']).toEqual(expect.any(String));
    }
  });

  it('that is slow is 503 with Retry-After at the deadline', async () => {
    stack.bank.setFault('slow');
    const startedMs = performance.now();
    const { status, headers, json } = await ask(`/accounts/${current}/balances`);
    const tookMs = performance.now() - startedMs;
    expect([status, headers['retry-after'], json]).toEqual([503, '5', errorOf('503 ServiceUnavailable')]);
    expect(tookMs).toBeGreaterThan(deadlineMs * 0.9);
    // The core would have answered later, and with 200.
    expect(tookMs).toBeLessThan(30_000);
  });

  it('that ignores the abort signal is 503 at the deadline, too', async () => {
    before = () => new Promise(() => undefined);
    const startedMs = performance.now();
    const { status, json } = await ask(`/accounts/${current}/transactions`);
    expect([status, json]).toEqual([503, errorOf('503 ServiceUnavailable')]);
    // The core would never have answered.
    expect(performance.now() - startedMs).toBeGreaterThan(deadlineMs * 0.9);
  });

  it('that answers nonsense is 500, and the answer contains none of its text', async () => {
    stack.bank.setFault('garbage');
    stack.log.length = 0;
    for (const path of ['/accounts', ...accountPaths(profile, current)]) {
      const answer = await ask(path);
      expect([path, answer.status, answer.json]).toEqual([path, 500, errorOf('500 InternalServerError')]);
      expect(answer.headers).not.toHaveProperty('retry-after');
      expect(answer.body).not.toMatch(/html|maintenance|NullPointer|Ledger|ORA-|table|perhaps/i);
    }
    const faults = stack.log.filter((line) => line.includes('the core failed a request'));
    expect(faults.length).toBeGreaterThan(9);
    expect(faults.filter((line) => !line.includes('"core":"ledger","kind":"bad-record"'))).toEqual([]);
    expect(stack.log.filter((line) => /maintenance|NullPointer|ORA-|perhaps|GNU/i.test(line))).toEqual([]);
  });

  it('that sends some bad records has them omitted, counted, and logged without their values', async () => {
    const counted = async (read: string): Promise<number> =>
      Number(
        new RegExp(`^gateway_core_bad_records_total\\{core="ledger",read="${read}"\\} (\\d+)$`, 'm').exec(
          await metrics(),
        )?.[1] ?? 0,
      );
    const shown = async (path: string): Promise<Json[]> => {
      const { status, json } = await ask(path);
      expect([path, status]).toEqual([path, 200]);
      return Object.values<Json[]>(json.Data)[0] ?? [];
    };
    for (const [path, read] of [
      ['/accounts', 'accounts'],
      [`/accounts/${current}/balances`, 'balances'],
      [`/accounts/${current}/transactions`, 'transactions'],
      [`/accounts/${current}/beneficiaries`, 'beneficiaries'],
      [`/accounts/${current}/direct-debits`, 'directDebits'],
    ] as const) {
      stack.bank.setFault('none');
      const whole = await shown(path);
      const before_ = await counted(read);
      stack.bank.setFault('partial');
      stack.log.length = 0;
      const left = await shown(path);
      // Every third record, the second of a list first.
      expect([path, left]).toEqual([path, whole.filter((_, index) => index % 3 !== 1)]);
      expect([path, (await counted(read)) - before_]).toEqual([path, whole.length - left.length]);
      const [line] = stack.log.filter((entry) =>
        entry.includes('records of the core that cannot be read are not in the answer'),
      );
      expect(JSON.parse(String(line))).toMatchObject({
        level: 40,
        read,
        count: whole.length - left.length,
        interactionId: expect.any(String),
      });
      for (const { where, fault } of JSON.parse(String(line)).bad) {
        expect(where).toMatch(/^[a-z]+\[\d+\]$/);
        expect(fault).toMatch(/^[a-z.]+: [a-z ]+$/);
      }
    }
  });

  it('that limits the gateway’s rate is 503 with the seconds that it demands', async () => {
    before = () => {
      throw new CoreError('rate-limited', 'the core answered 429', 17);
    };
    expect([(await ask('/accounts')).status, (await ask('/accounts')).headers['retry-after']]).toEqual([503, '17']);
    before = () => {
      throw new CoreError('rate-limited', 'the core answered 429');
    };
    expect((await ask('/accounts')).headers['retry-after']).toBe('5');
  });

  it('whose data are too old is 503 with words that say so, counted apart, and asked again each time', async () => {
    const asked: string[] = [];
    before = ({ read }) => {
      asked.push(read);
      throw new CoreError('stale', 'its data are of 2026-11-18T23:59:59.000Z');
    };
    const paths = ['/accounts', ...accountPaths(profile, current)];
    for (let time = 0; time < 2; time++)
      for (const path of paths) {
        const { status, headers, json } = await ask(path);
        expect([path, status, headers['retry-after'], json]).toEqual([
          path,
          503,
          '900',
          errorOf('503 ServiceUnavailable'),
        ]);
        expect(json.Message).toBe(
          "The bank's data are too old to be shown, and newer ones have not arrived yet. Nothing was changed; retry after 900 s.",
        );
        expect(JSON.stringify(json)).not.toContain('2026-11-18');
      }
    // No attempt is repeated, and no circuit opens.
    expect(asked).toHaveLength(2 * paths.length);
    expect(await metrics()).toContain(
      'gateway_core_read_duration_seconds_count{core="ledger",read="accounts",outcome="stale"} 2',
    );
  });

  it('ten times in a row gets no request for a second, and then answers again', async () => {
    let asked = 0;
    // On a busy machine the second may be over before the next answer comes: then the core fails once more.
    for (let judged = false; !judged;) {
      stack.bank.setFault('down');
      before = () => undefined;
      for (let count = 0; count < 10; count++) expect((await ask('/accounts')).status).toBe(503);
      const openMs = performance.now();
      stack.bank.setFault('none');
      asked = 0;
      before = () => asked++;
      const refused = await ask('/accounts');
      judged = performance.now() - openMs < breakerOpenMs / 2;
      if (judged) expect([refused.status, refused.headers['retry-after'], asked]).toEqual([503, '1', 0]);
    }
    await sleep(breakerOpenMs);
    expect([(await ask('/accounts')).status, asked]).toEqual([200, 1]);
  });

  it('because of a fault of the gateway is 500, with the place but not the message in the log', async () => {
    stack.log.length = 0;
    before = () => {
      throw new TypeError('cannot read the name of Amelia Hart');
    };
    const { status, json, body } = await ask(`/accounts/${current}/party`);
    expect([status, json]).toEqual([500, errorOf('500 InternalServerError')]);
    const [line] = stack.log.filter((entry) => entry.includes('a request failed'));
    expect(JSON.parse(String(line))).toMatchObject({
      level: 50,
      fault: 'TypeError',
      errorId: json.Id,
      stack: expect.stringContaining('core-faults.spec'),
    });
    expect(body + stack.log.join('')).not.toContain('Amelia');
  });

  it('does not affect requests that need no core: consents, errors of the TPP, and liveness', async () => {
    stack.bank.setFault('down');
    const token = await stack.clientToken();
    const payload = { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} };
    const created = await stack.ask('/account-access-consents', { method: 'POST', token, payload });
    expect(created.status).toBe(201);
    const consent = `/account-access-consents/${created.json.Data.ConsentId}`;
    expect((await stack.ask(consent, { token })).status).toBe(200);
    expect((await stack.ask(consent, { method: 'DELETE', token })).status).toBe(204);
    expect((await ask(`/accounts/${current}/transactions?page=x`)).status).toBe(400);
    expect((await ask('/accounts/unknown/balances')).status).toBe(403);
    expect((await ask('/nothing')).status).toBe(404);
    expect((await stack.ask('/accounts')).status).toBe(401);
    expect((await stack.ask('/!openapi.json')).status).toBe(200);
    expect(await health('/health/live')).toEqual([200, { status: 'live' }]);
  });

  it('does not delay requests that do not need it, however many requests wait for it', async () => {
    before = () => new Promise(() => undefined);
    // More reads than the core has connections, all of them different.
    const waiting = Array.from({ length: 40 }, (_, index) =>
      ask(`/accounts/${current}/transactions?fromBookingDateTime=2026-05-01T00:00:${String(index).padStart(2, '0')}Z`),
    );
    let ended = 0;
    for (const each of waiting) void each.then(() => ended++);
    const token = await stack.clientToken();
    expect((await stack.ask(`/account-access-consents/${customer.consentId}`, { token })).status).toBe(200);
    expect((await ask('/accounts/unknown/balances')).status).toBe(403);
    // The waiting requests still wait: they end at the deadline or, beyond the limit, at once.
    expect(ended).toBeLessThan(waiting.length);
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([503]));
  });

  it('only once is not visible: the gateway asks again within the request', async () => {
    let asked = 0;
    before = () => {
      if (asked++ === 0) throw new CoreError('unavailable', 'the connection was reset');
    };
    expect([(await ask('/accounts')).status, asked]).toEqual([200, 2]);
    expect(await metrics()).toContain('gateway_core_retries_total{core="ledger",read="accounts"}');
  });

  it('or not gets one request for simultaneous equal requests of a TPP for one customer, and one for each customer', async () => {
    const other = await stack.consent({ persona: 'joint' });
    const asked: string[] = [];
    before = async ({ customerRef }) => {
      asked.push(customerRef);
      await sleep(20);
    };
    const answers = await Promise.all([
      ...[1, 2, 3].map(() => ask('/accounts')),
      stack.ask('/accounts', { token: other.token }),
    ]);
    expect(new Set(asked)).toEqual(new Set([customer.customerRef, other.customerRef]));
    expect(asked).toHaveLength(2);
    expect(answers.map(({ json }) => json.Data.Account.length)).toEqual([
      ...[1, 2, 3].map(() => customer.accounts.length),
      other.accounts.length,
    ]);
    expect(await metrics()).toContain('gateway_core_shared_reads_total{core="ledger",read="accounts"} 2');
  });

  it('makes the gateway not ready until it answers again, and readiness names it', async () => {
    expect(await health('/health/ready')).toEqual([200, { status: 'ready' }]);
    for (const [fault, said] of [
      ['down', 'the core "ledger" does not answer (the connection is lost)'],
      ['garbage', expect.stringMatching(/^the core "ledger" is not ready: ledger /)],
    ] as const) {
      stack.bank.setFault(fault);
      const notReady = { status: 'not ready', faults: [said], serving: true };
      expect([fault, ...(await health('/health/ready'))]).toEqual([fault, 503, notReady]);
      expect(await health('/health/live')).toEqual([200, { status: 'live' }]);
    }
    stack.bank.setFault('none');
    expect(await health('/health/ready')).toEqual([200, { status: 'ready' }]);
  });

  it('is not counted for requests that their TPP cancelled', async () => {
    const url = `${await listening(stack)}/accounts`;
    // Each for a different day, because identical reads would be made once.
    const days = `${url}/${current}/transactions?fromBookingDateTime=2026-06-`;
    const headers = { authorization: `Bearer ${customer.token}` };
    stack.log.length = 0;
    let waiting = 0;
    before = () => {
      waiting++;
      return new Promise(() => undefined);
    };
    const gone = new AbortController();
    const asked = Array.from({ length: 12 }, (_, index) =>
      fetch(days + String(index + 1).padStart(2, '0'), { headers, signal: gone.signal }).catch(() => 'gave up'),
    );
    await until(() => waiting === 12);
    gone.abort();
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['gave up']));
    const given = (): string[] => stack.log.filter((line) => line.includes('"status":499'));
    await until(() => given().length === 12);

    before = () => undefined;
    const answer = await fetch(url, { headers });
    expect(answer.status).toBe(200);
    await answer.text();
    const counted = await metrics();
    expect(counted).toMatch(/duration_seconds_count\{core="ledger",read="transactions",outcome="abandoned"\} 12/);
    expect(counted).toMatch(
      /request_duration_seconds_count\{endpoint="transactions",version="v3\.1",method="GET",status="499"\} 12/,
    );
  });

  it('and a core that does not fail differ in the metrics, which contain no data of a customer', async () => {
    const kinds = ['unavailable', 'timeout', 'bad-record', 'rate-limited'] as const;
    for (const fault of [...kinds.map((kind) => new CoreError(kind, 'of this test')), new Error('of this test')]) {
      before = () => Promise.reject(fault);
      await ask(`/accounts/${current}/balances`);
    }
    const text = await metrics();
    for (const outcome of ['ok', ...kinds, 'fault']) expect(text).toContain(`outcome="${outcome}"`);
    // A measured value may contain any digits by chance. The rest could name a customer.
    const named = text.replaceAll(/ [-+.\de]+$/gm, '');
    const secrets = [customer.consentId, customer.token, customer.customerRef, 'Amelia', '7897', '089999'];
    for (const known of [...secrets, ...customer.accounts.flatMap(({ ref, AccountId }) => [ref, AccountId])])
      expect([known, named.includes(known)]).toEqual([known, false]);
  });
});

describe('a TPP that leaves while its consent is read', () => {
  it('asks nothing of the core', async () => {
    const database = new WatchedDatabase();
    const asked: string[] = [];
    const stack = await Stack.start({
      persistence: database.module,
      adapter: (ledger) => watched(ledger, ({ read }) => asked.push(read)),
    });
    try {
      const url = await listening(stack);
      const balances = ({ accountId, token }: ConsentedCustomer, signal?: AbortSignal): Promise<Response> =>
        fetch(`${url}/accounts/${accountId('CurrentAccount')}/balances`, {
          headers: { authorization: `Bearer ${token}` },
          ...(signal && { signal }),
        });
      await (await balances(await stack.consent({ persona: 'joint' }))).text();
      expect(asked).toContain('balances');

      const customer = await stack.consent({ persona: 'complete' });
      asked.length = 0;
      const gone = new AbortController();
      const closed = new Promise((resolve) => {
        stack.gateway.server.server.once('request', (_, response: ServerResponse) => response.once('close', resolve));
      });
      database.before = () => {
        gone.abort();
        return closed;
      };
      await expect(balances(customer, gone.signal)).rejects.toThrow();
      database.before = () => undefined;
      await until(() => stack.log.some((line) => line.includes('"status":499')));
      // An answered request is later than all that the abandoned one could still ask.
      expect((await stack.ask('/accounts', { token: customer.token })).status).toBe(200);
      expect(asked).toEqual(['accounts']);
    } finally {
      await stack.close();
    }
  });
});
