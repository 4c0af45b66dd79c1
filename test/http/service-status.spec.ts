import { afterEach, describe, expect, it } from '@jest/globals';
import type { CoreConfig } from '../../src/config/core-config.js';
import { noon, Stack, type Json, type StackOptions } from '../support/stack.js';
import { WatchedDatabase } from '../support/watched-database.js';
import { withReads } from '../support/wrapped-adapter.js';

describe('the status of the service that TPPs see', () => {
  const cleanUps: (() => Promise<void>)[] = [];
  afterEach(async () => {
    while (cleanUps.length > 0) await cleanUps.pop()?.();
  });
  const started = async (options: StackOptions = {}): Promise<Stack> => {
    const stack = await Stack.start(options);
    cleanUps.push(() => stack.close());
    return stack;
  };
  const ask = (stack: Stack) => stack.gateway.server.inject('/.well-known/account-information');
  const state = async (stack: Stack): Promise<Json> => JSON.parse((await ask(stack)).body).Status;
  const away = (core: CoreConfig, name: string): CoreConfig => ({ ...core, name, url: 'http://127.0.0.1:9' });

  it('is partial while one of several cores is unreachable, without the name of the core', async () => {
    const stack = await started({
      cores: (core) => [
        { ...core, name: 'harbour-core' },
        away({ ...core, recordedAs: 'mooring-core' }, 'mooring-core'),
      ],
    });
    const { statusCode, body } = await ask(stack);
    expect([statusCode, JSON.parse(body).Status]).toEqual([200, 'PARTIAL_FAILURE']);
    expect(body).not.toMatch(/harbour|mooring|127\.0\.0\.1/);
  });

  it('is unavailable while every core is unreachable', async () => {
    expect(await state(await started({ cores: (core) => [away(core, 'harbour')] }))).toBe('UNAVAILABLE');
  });

  it('is unavailable while the database is unreachable, and still shows the planned outages, also the one under way', async () => {
    const database = new WatchedDatabase();
    const stack = await started({ persistence: database.module });
    const [from, to] = [1, 2].map((hours) => new Date(noon + hours * 3_600_000).toISOString());
    await stack.report('/outages', { from, to, text: 'The database moves.' });
    database.failing = true;
    // Not asked before, so nothing is kept in memory.
    const { statusCode, body } = await ask(stack);
    const facts = JSON.parse(body);
    expect([statusCode, facts.Status, facts.StatusSinceDateTime]).toEqual([
      200,
      'UNAVAILABLE',
      '2026-06-15T12:00:00+00:00',
    ]);
    expect(facts.PlannedOutages).toMatchObject([{ Text: 'The database moves.' }]);
    stack.clock.advance(3_600_000);
    expect(await state(stack)).toBe('SCHEDULED_OUTAGE');
  });

  it('has stood since the first request that failed, and not since the page was asked', async () => {
    const database = new WatchedDatabase();
    const stack = await started({ persistence: database.module });
    const [complete, saver] = [await stack.consent({ persona: 'complete' }), await stack.consent({ persona: 'saver' })];
    const read = async (token: string): Promise<number> => (await stack.ask('/accounts', { token })).status;
    expect(await read(complete.token)).toBe(200);
    database.failing = true;
    stack.clock.advance(60_000);
    // No process has the second consent in memory.
    expect([await read(saver.token), await read(saver.token)]).toEqual([503, 503]);
    stack.clock.advance(9_000);
    expect(JSON.parse((await ask(stack)).body)).toMatchObject({
      Status: 'UNAVAILABLE',
      StatusSinceDateTime: '2026-06-15T12:01:00+00:00',
    });
  });

  it('is partial while the keys of an issuer cannot be fetched', async () => {
    expect(await state(await started({ jwks: 'http://127.0.0.1:9/jwks.json' }))).toBe('PARTIAL_FAILURE');
  });

  it('asks the core once for any number of callers at the same moment, and lets caches keep the answer a second', async () => {
    let asked = 0;
    const stack = await started({
      adapter: (ledger) =>
        withReads(ledger, {
          health: async (signal) => {
            asked++;
            return ledger.health(signal);
          },
        }),
    });
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask(stack)));
    expect(new Set(answers.map(({ statusCode, headers }) => `${statusCode} ${headers['cache-control']}`))).toEqual(
      new Set(['200 public, max-age=1']),
    );
    expect(asked).toBe(1);
  });
});
