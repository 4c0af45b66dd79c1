import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import { eventsOf } from '../support/read-trail.js';
import { postgresUrl } from '../support/fresh-database.js';
import { dayMs, minuteMs, noon, Stack, type Answer } from '../support/stack.js';
import { until } from '../support/until.js';
import { WatchedDatabase } from '../support/watched-database.js';

const path = '/account-access-consents';
const [atTwelve, atHalfPast] = ['2026-06-15T12:00:00+00:00', '2026-06-15T12:30:00+00:00'];

async function create(stack: Stack): Promise<string> {
  const payload = { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} };
  const token = await stack.clientToken();
  return (await stack.ask(path, { method: 'POST', token, payload })).json.Data.ConsentId as string;
}
const begin = (stack: Stack, consentId: string): Promise<Answer> => stack.report(`/consents/${consentId}/begin`, {});
async function begun(stack: Stack): Promise<string> {
  const consentId = await create(stack);
  await begin(stack, consentId);
  return consentId;
}
const authorise = (stack: Stack, consentId: string): Promise<Answer> =>
  stack.report(`/consents/${consentId}/authorise`, {
    customerRef: stack.persona('saver').customerRef,
    accounts: stack.persona('saver').accounts.map(({ ref }) => ref),
    authenticatedAt: new Date(stack.clock.nowMs()).toISOString(),
  });

describe('a consent whose authorisation a customer began', () => {
  const database = new WatchedDatabase();
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start({ persistence: database.module });
  });
  afterAll(() => stack.close());
  afterEach(() => stack.clock.set(noon));

  const shown = async (consentId: string): Promise<unknown[]> => {
    const { Status, StatusReason, StatusUpdateDateTime } = (await stack.report(`/consents/${consentId}`)).json;
    return [Status, StatusReason, StatusUpdateDateTime];
  };
  const ask = async (consentId: string): Promise<unknown> =>
    (await stack.ask(`${path}/${consentId}`, { token: await stack.clientToken() })).json.Data?.Status;
  const notCompleted = ['rejected', 'not-completed', atHalfPast];

  it('can be completed until the millisecond before its time ends', async () => {
    const [one, other] = [await begun(stack), await begun(stack)];
    stack.clock.advance(30 * minuteMs - 1);
    expect([(await authorise(stack, one)).status, await shown(other)]).toEqual([
      200,
      ['awaiting', undefined, atTwelve],
    ]);
    stack.clock.advance(1);
    const late = await authorise(stack, other);
    expect([late.status, late.body]).toEqual([400, expect.stringContaining('The consent is rejected')]);
    expect([await shown(other), await ask(other), (await shown(one))[0]]).toEqual([
      notCompleted,
      'Rejected',
      'authorised',
    ]);
  });

  it('is rejected since its time ended, whenever the gateway finds that, and stays known', async () => {
    const [read, swept] = [await begun(stack), await begun(stack)];
    stack.clock.advance(30 * minuteMs + 5_000);
    expect(await shown(read)).toEqual(notCompleted);
    await stack.gateway.sweep();
    expect(await shown(swept)).toEqual(notCompleted);
    stack.clock.advance(2 * dayMs);
    await stack.gateway.sweep();
    expect([await shown(read), await shown(swept)]).toEqual([notCompleted, notCompleted]);
  });

  it('has its time from the last beginning, though a customer can begin no more after the day in which it can be authorised', async () => {
    const consentId = await begun(stack);
    stack.clock.advance(29 * minuteMs);
    await begin(stack, consentId);
    stack.clock.advance(29 * minuteMs);
    expect((await shown(consentId))[0]).toBe('awaiting');
    stack.clock.set(noon);
    const late = await create(stack);
    stack.clock.advance(dayMs - 1);
    await begin(stack, late);
    stack.clock.advance(2);
    expect([(await begin(stack, late)).json.Status, (await shown(late))[0]]).toEqual(['awaiting', 'awaiting']);
    stack.clock.advance(30 * minuteMs - 3);
    expect((await shown(late))[0]).toBe('awaiting');
    stack.clock.advance(1);
    expect((await shown(late))[0]).toBe('rejected');
  });

  it('changes nothing in a consent that does not await its authorisation', async () => {
    const consentId = await create(stack);
    await authorise(stack, consentId);
    expect([(await begin(stack, consentId)).json.Status, (await begin(stack, 'aac-unknown')).status]).toEqual([
      'authorised',
      400,
    ]);
    stack.clock.advance(dayMs);
    expect((await shown(consentId))[0]).toBe('authorised');
  });

  it('leaves one event in the trail, however often its end is found', async () => {
    const consentId = await begun(stack);
    stack.clock.advance(30 * minuteMs);
    await Promise.all([stack.gateway.sweep(), shown(consentId), ask(consentId)]);
    const ends = async () =>
      (await eventsOf(stack.config.trail.directory, 'consent')).filter(
        ({ consent, event }) => consent === consentId && event === 'abandoned',
      );
    await until(async () => (await ends()).length > 0);
    expect(await ends()).toEqual([
      expect.objectContaining({ by: 'gateway', reason: 'not-completed', status: 'rejected', tpp: 'tpp-one' }),
    ]);
  });

  it('goes with its row where its TPP deleted it, or the bank withdrew all consents of the TPP', async () => {
    // A day before the other tests, whose consents stay.
    stack.clock.set(noon - dayMs);
    const [deleted, ended] = [await begun(stack), await begun(stack)];
    await stack.ask(`${path}/${deleted}`, { method: 'DELETE', token: await stack.clientToken() });
    await stack.report('/tpps/tpp-one/revoke-consents', {});
    expect((await shown(ended)).slice(0, 2)).toEqual(['rejected', 'withdrawn-with-tpp']);
    stack.clock.advance(dayMs);
    await stack.gateway.sweep();
    expect(await database.prisma.consent.count({ where: { consentId: { in: [deleted, ended] } } })).toBe(0);
  });

  it('is decided by its row when the customer completes it at the moment of its end', async () => {
    for (let round = 0; round < 5; round += 1) {
      stack.clock.set(noon + dayMs);
      const consentId = await begun(stack);
      stack.clock.advance(30 * minuteMs - 1);
      const completed = authorise(stack, consentId);
      stack.clock.advance(1);
      const [{ status }] = await Promise.all([completed, stack.gateway.sweep()]);
      expect((await shown(consentId))[0]).toBe(status === 200 ? 'authorised' : 'rejected');
    }
  });
});

describe('the time in which an authorisation must be completed', () => {
  it('is a rule of the profile', async () => {
    const stack = await Stack.start({ rules: { authorisationMinutes: 15 } });
    try {
      const consentId = await begun(stack);
      stack.clock.advance(15 * minuteMs - 1);
      expect((await stack.report(`/consents/${consentId}`)).json.Status).toBe('awaiting');
      stack.clock.advance(1);
      expect((await stack.report(`/consents/${consentId}`)).json.Status).toBe('rejected');
    } finally {
      await stack.close();
    }
  });
});

// An embedded database serves one process, so several gateways share a PostgreSQL.
(postgresUrl === undefined ? describe.skip : describe)('begun consents of two gateways', () => {
  it('are rejected once, also by a gateway that started after they were begun', async () => {
    const first = await Stack.start();
    const { database, cores, issuers } = first.config;
    const consentIds = await Promise.all(Array.from({ length: 20 }, () => begun(first)));
    const second = await Stack.start({ config: { database, cores, issuers } });
    const prisma = await PrismaService.open(database);
    try {
      for (const { clock } of [first, second]) clock.advance(30 * minuteMs);
      await Promise.all([first.gateway.sweep(), second.gateway.sweep()]);
      const statusReason = 'not-completed';
      expect(await prisma.consent.count({ where: { statusReason } })).toBe(consentIds.length);
      const ended = async (): Promise<readonly unknown[]> => {
        const all = await Promise.all([first, second].map(({ config }) => eventsOf(config.trail.directory, 'consent')));
        return all.flat().flatMap(({ event, consent }) => (event === 'abandoned' ? [consent] : []));
      };
      await until(async () => (await ended()).length >= consentIds.length);
      expect((await ended()).toSorted()).toEqual(consentIds.toSorted());
    } finally {
      await prisma.onApplicationShutdown();
      await second.close();
      await first.close();
    }
  });
});
