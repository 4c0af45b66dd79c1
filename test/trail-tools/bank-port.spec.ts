import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SegmentScan } from '../../src/trail/segment-scan.js';
import { portOf } from '../support/raw-http.js';
import { bankCredential, Stack, type ConsentedCustomer } from '../support/stack.js';
import { trailKeys } from '../support/trail-keys.js';
import { until } from '../support/until.js';
import { trailCommand } from '../support/ops-command.js';
import { type Members, request, WrittenTrail } from '../support/written-trail.js';

const ids = (last: number): string => `93bac548-d2de-4546-b106-880a5018${String(last).padStart(4, '0')}`;

describe('the questions at the bank’s port', () => {
  let stack: Stack;
  let customer: ConsentedCustomer;
  beforeAll(async () => {
    stack = await Stack.start();
    customer = await stack.consent({ persona: 'saver' });
    stack.clock.advance(22 * 60_000);
    const headers = (last: number) => ({ token: customer.token, headers: { 'x-fapi-interaction-id': ids(last) } });
    const account = `/accounts/${customer.accountId('Savings')}`;
    await stack.ask(`${account}/direct-debits`, headers(1));
    await stack.ask(`${account}/balances`, headers(2));
    await until(async () => (await why(ids(2))).Events.length > 0);
  });
  afterAll(async () => {
    await stack.close();
    await rm(stack.config.trail.directory, { recursive: true });
  });
  const why = async (id: string) =>
    (await stack.report(`/trail/why/${id}`)).json as { Events: Members[]; NotFound?: string };

  it('explain a refusal of this gateway with its checks and the way through', async () => {
    const { Events } = await why(ids(1));
    expect(Events).toEqual([
      expect.objectContaining({
        Kind: 'request',
        Outcome: expect.stringContaining('the gateway answered 403'),
        Reason: expect.objectContaining({ Code: 'window-closed' }),
        NeededToPass: expect.stringMatching(/^an authentication of the customer after 2026-06-15 12:17/),
        Core: 'the core was not asked',
      }),
    ]);
    const checks = Events[0]?.['Checks'] as Members[];
    expect(checks.map(({ Outcome }) => Outcome).join()).toBe(
      [...Array<string>(13).fill('passed'), 'refused', 'not reached', 'not reached'].join(),
    );
    expect(checks[13]).toEqual({
      Check: 'authentication window',
      Outcome: 'refused',
      Facts: 'the customer authenticated 22 min before, at 2026-06-15 12:00:00Z; the window is 5 min',
    });
  });

  it('give the same explanation as the command', async () => {
    const { text } = await trailCommand('why', ids(1), '--trail', stack.config.trail.directory, '--json');
    const [explained] = JSON.parse(text).explanations;
    const [event] = (await why(ids(1))).Events;
    expect([event?.['Asked'], event?.['Outcome'], event?.['NeededToPass']]).toEqual([
      explained.asked,
      explained.outcome,
      explained.neededToPass,
    ]);
  });

  it('say in one sentence where they searched for an unknown id, and refuse a text that cannot be an id', async () => {
    expect((await why(ids(9))).NotFound).toMatch(/^No event has the id .* Searched: 1 instance \(/);
    expect((await stack.report('/trail/why/%22')).status).toBe(400);
    expect((await stack.report(`/trail/why/${ids(1)}`, undefined, 'wrong')).status).toBe(401);
  });

  it('are fewer than those of the command, which shows who read a customer’s data', async () => {
    expect((await stack.report(`/customers/${customer.customerRef}/trail`)).status).toBe(404);
    process.env['PSEUDONYM_KEY'] = trailKeys.PSEUDONYM_KEY;
    const { text } = await trailCommand('customer', customer.customerRef, '--trail', stack.config.trail.directory);
    delete process.env['PSEUDONYM_KEY'];
    expect(text).toContain(
      `balances, under ${customer.consentId}: 1 answer, 0 with the customer present, 0 requests without data`,
    );
    expect(text).not.toContain(customer.customerRef);
  });
});

describe('a caller who leaves the bank’s port', () => {
  it('ends the question to the trail, without a fault, and the next caller is answered', async () => {
    const stack = await Stack.start();
    await stack.gateway.bankServer.listen({ port: 0, host: '127.0.0.1' });
    const callers: AbortSignal[] = [];
    const by = SegmentScan.prototype.by;
    const spy = jest.spyOn(SegmentScan.prototype, 'by').mockImplementation(function (this: SegmentScan, caller) {
      callers.push(caller);
      const search = by.call(this, caller);
      // The first question is still looked for when its caller leaves.
      const left = () => until(() => callers.length > 1 || caller.aborted);
      return { find: (question) => left().then(() => search.find(question)) };
    });
    const socket = connect(portOf(stack.gateway.bankServer), '127.0.0.1');
    socket.write(
      `GET /bank/v1/trail/why/${ids(1)} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${bankCredential}\r\n\r\n`,
    );
    await until(() => callers.length === 1);
    expect(callers[0]?.aborted).toBe(false);
    socket.destroy();
    await until(() => callers[0]?.aborted === true);
    expect((await stack.report(`/trail/why/${ids(1)}`)).status).toBe(200);
    spy.mockRestore();
    expect(stack.log.filter((line) => line.includes('"level":50'))).toEqual([]);
    await stack.close();
    await rm(stack.config.trail.directory, { recursive: true });
  });
});

describe('the look through a gateway’s own segments', () => {
  let trail: WrittenTrail;
  beforeEach(async () => {
    trail = await WrittenTrail.make();
    for (const hour of [12, 13, 14])
      await trail.close(`2026-11-24T${hour}:00:00.000Z`, `gateway-1-0000000${hour % 10}`, [
        request('id-of-all', `2026-11-24T${hour}:30:00.000Z`),
        request(`id-of-${hour}`, `2026-11-24T${hour}:40:00.000Z`),
      ]);
  });
  afterEach(() => trail.remove());
  const question = { members: ['id'], values: ['id-of-all'] } as const;
  const stays = new AbortController().signal;

  it('finds the events by time, from the latest segment to the first', async () => {
    const { events, searched } = await new SegmentScan(trail.folder).by(stays).find(question);
    expect(events.map(({ at }) => at)).toEqual([12, 13, 14].map((hour) => `2026-11-24T${hour}:30:00.000Z`));
    expect(searched).toEqual({
      instances: ['gateway-1-00000002', 'gateway-1-00000003', 'gateway-1-00000004'],
      days: ['2026-11-24'],
      openEvents: 0,
    });
  });

  it.each([
    ['bytes', { mostBytes: 1, mostEvents: 10 }, 'it ends after 0 MiB'],
    ['events', { mostBytes: 1_000_000, mostEvents: 1 }, 'it ends after 1 events'],
  ])('ends at its limit of %s, keeps the latest, and says so', async (_, limits, limit) => {
    const { events, searched } = await new SegmentScan(trail.folder, limits).by(stays).find(question);
    expect(events.map(({ at }) => at)).toEqual(['2026-11-24T14:30:00.000Z']);
    expect([searched.instances.at(-1), searched.limit]).toEqual(['gateway-1-00000004', limit]);
  });

  it('finds the changes of a consent, however many requests are behind them', async () => {
    const consent = 'aac-1';
    await trail.close('2026-11-24T11:00:00.000Z', 'gateway-1-00000001', [
      { kind: 'consent', id: 'c-1', at: '2026-11-24T11:01:00.000Z', consent, event: 'created', by: 'tpp' },
      ...['r-1', 'r-2'].map((id) => request(id, '2026-11-24T11:02:00.000Z', { consent })),
      { kind: 'consent', id: 'c-2', at: '2026-11-24T11:03:00.000Z', consent, event: 'revoked', by: 'bank' },
    ]);
    const scan = new SegmentScan(trail.folder, { mostBytes: 1_000_000, mostEvents: 1 });
    const { events } = await scan.by(stays).find({ members: ['consent'], values: [consent] });
    expect(events.filter(({ kind }) => kind === 'consent').map(({ id }) => id)).toEqual(['c-1', 'c-2']);
  });

  it('omits the segments and the events of other times', async () => {
    const time = { from: '2026-11-24T14:15:00.000Z', to: '2026-11-24T14:30:00.001Z' };
    const { events, searched } = await new SegmentScan(trail.folder).by(stays).find({ ...question, ...time });
    expect(events.map(({ at }) => at)).toEqual(['2026-11-24T14:30:00.000Z']);
    expect(searched.instances).toEqual(['gateway-1-00000003', 'gateway-1-00000004']);
  });

  it('finds nothing before the first event of all', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'trail-'));
    await rm(empty, { recursive: true });
    expect((await new SegmentScan(empty).by(stays).find(question)).searched).toEqual({
      instances: [],
      days: [],
      openEvents: 0,
    });
  });

  it('passes over the question of a caller who left, while it waits or is searched for, and answers the next', async () => {
    const scan = new SegmentScan(trail.folder);
    const [leaves, left] = [new AbortController(), new AbortController()];
    const answers = [leaves.signal, left.signal, stays].map((caller) => scan.by(caller).find(question));
    left.abort();
    leaves.abort();
    const settled = await Promise.allSettled(answers);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(await scan.by(stays).find(question)).toMatchObject({ events: { length: 3 } });
  });

  it('reads neither a pipe nor a link, and waits for none', async () => {
    const day = join(trail.folder, '2026-11-24');
    execFileSync('mkfifo', [join(day, '20261124T150000000Z.gateway-1-00000009.open.ndjson')]);
    await symlink('/dev/zero', join(day, '20261124T160000000Z.gateway-1-00000009.ndjson'));
    const { events, searched } = await new SegmentScan(trail.folder).by(stays).find(question);
    expect(events).toHaveLength(3);
    expect(searched.instances).not.toContain('gateway-1-00000009');
  });
});
