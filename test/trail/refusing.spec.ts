import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { AuthorisationSetting } from '../authorisation/setting.js';
import { Stack, type ConsentedCustomer } from '../support/stack.js';
import { eventsOf, trailEvents } from '../support/read-trail.js';
import { until } from '../support/until.js';

const ids = (last: number): string => `93bac548-d2de-4546-b106-880a5018${String(last).padStart(4, '0')}`;

describe('the gateway with TRAIL_FAULT=refuse', () => {
  let stack: Stack;
  let customer: ConsentedCustomer;
  let reads = 0;
  let asked = 0;
  let directory = '';
  beforeAll(async () => {
    const plain = await Stack.start();
    directory = plain.config.trail.directory;
    const { trail } = plain.config;
    await plain.close();
    stack = await Stack.start({
      config: { trail: { ...trail, fault: 'refuse' } },
      adapter: (ledger) =>
        Object.assign(Object.create(ledger) as typeof ledger, {
          balances: (...given: Parameters<typeof ledger.balances>) => {
            reads++;
            return ledger.balances(...given);
          },
        }),
    });
    customer = await consented();
  });
  afterAll(() => stack.close());

  /** A busy disk may take more than a second for an fsync: the gateway then refuses, as it must, and the TPP comes again. */
  async function consented(): Promise<ConsentedCustomer> {
    let given: ConsentedCustomer | undefined;
    await until(async () => {
      given = await stack.consent({ persona: 'saver' }).catch((error: Error) => {
        if (!error.message.includes('503 ServiceUnavailable')) throw error;
        return undefined;
      });
      return given !== undefined;
    });
    return given as ConsentedCustomer;
  }

  const ask = (id: string) =>
    stack.ask(`/accounts/${customer.accountId('Savings')}/balances`, {
      token: customer.token,
      headers: { 'x-fapi-interaction-id': id },
    });
  const read = async (): Promise<{ id: string; status: number }> => {
    const id = ids(++asked);
    const { status } = await ask(id);
    return { id, status };
  };

  it('has the one event of a request in its segment before the answer is there', async () => {
    let answered: { id: string; status: number } | undefined;
    await until(async () => (answered = await read()).status !== 503);
    const { id, status } = answered ?? {};
    const written = async () => (await trailEvents(directory)).filter((event) => event.id === id);
    const times = { firstByteMs: expect.any(Number), lastByteMs: expect.any(Number), bytes: expect.any(Number) };
    expect([status, await written()]).toMatchObject([200, [{ status: 200, endpoint: 'balances', ...times }]]);
    await read();
    expect(await written()).toHaveLength(1);
  });

  it('has the changes that a request made before its answer is there', async () => {
    const { consentId } = await consented();
    const changes = (await eventsOf(directory, 'consent')).filter(({ consent }) => consent === consentId);
    expect(changes.map(({ event }) => event)).toEqual(['created', 'authorised']);
  });

  it('answers 503 without asking the core while the trail cannot be written, stays live, and goes on by itself', async () => {
    await rm(directory, { recursive: true });
    // Neither a folder nor a file can be made below a file.
    await writeFile(directory, '');
    await chmod(directory, 0o400);
    // The first request finds it out: its answer must not leave.
    await until(async () => (await read().catch(() => ({ status: 0 }))).status !== 200);
    const before = reads;
    for (let time = 0; time < 3; time++) {
      const { status, headers } = await ask(ids(++asked));
      expect([status, headers['retry-after']]).toEqual([503, '5']);
    }
    expect(reads).toBe(before);
    const live = await stack.gateway.bankServer.inject({ method: 'GET', url: '/health/live' });
    const ready = await stack.gateway.bankServer.inject({ method: 'GET', url: '/health/ready' });
    expect([live.statusCode, ready.statusCode, ready.body]).toEqual([
      200,
      503,
      expect.stringContaining('the decision trail cannot be written'),
    ]);
    await expect(Stack.start({ config: { trail: { ...stack.config.trail, directory } } })).rejects.toThrow(
      `TRAIL_DIR names ${directory}, where no file can be made`,
    );
    await rm(directory);
    await until(async () => (await read().catch(() => ({ status: 0 }))).status === 200);
    const events = await trailEvents(directory);
    expect(events[0]).toMatchObject({ kind: 'segment', lostBefore: expect.any(Number) });
  });
});

describe('the authorization server with TRAIL_FAULT=refuse', () => {
  it('has the one event of an answer that its library gives past Fastify before that answer is there', async () => {
    const plain = await AuthorisationSetting.start();
    const { trail } = plain.stack.config;
    await plain.close();
    const setting = await AuthorisationSetting.start({ config: { trail: { ...trail, fault: 'refuse' } } });
    const tpp = await setting.tpp('tpp-one');
    let isIssued = false;
    // A busy disk may take more than a second for an fsync: the gateway then refuses, as it must.
    await until(async () => (isIssued = await tpp.ownToken().then(Boolean, () => false)));
    const ofTokens = async () =>
      (await eventsOf(trail.directory, 'request')).filter(
        ({ endpoint, status }) => endpoint === '/as/token' && status === 200,
      );
    expect([isIssued, await ofTokens()]).toMatchObject([
      true,
      [{ tpp: 'tpp-one', facts: { grantType: 'client_credentials' }, bytes: expect.any(Number) }],
    ]);
    await setting.close();
    expect(await ofTokens()).toHaveLength(1);
  });
});
