import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pseudonymOfCustomer } from '../../src/trail/pseudonyms.js';
import type { WrittenEvent } from '../../src/trail/event.js';
import { dayMs, noon, Stack } from '../support/stack.js';
import { trailEvents } from '../support/read-trail.js';
import { trailKeys } from '../support/trail-keys.js';
import { until } from '../support/until.js';

const id = '93bac548-d2de-4546-b106-880a5018460d';
const interactionId = expect.stringMatching(/^[0-9a-f-]{36}$/);

describe('the trail of changes', () => {
  let stack: Stack;
  let seen = 0;
  beforeAll(async () => {
    stack = await Stack.start();
  });
  afterAll(() => stack.close());

  const customer = (ref: string): string => pseudonymOfCustomer(trailKeys.PSEUDONYM_KEY, ref);
  /** The events of the kinds since the last call, once there are `count`. */
  const next = async (count: number, ...kinds: WrittenEvent['kind'][]): Promise<WrittenEvent[]> => {
    let found: WrittenEvent[] = [];
    await until(async () => {
      const events = await trailEvents(stack.config.trail.directory);
      found = events.slice(seen).filter(({ kind }) => kinds.includes(kind));
      if (found.length < count) return false;
      seen = events.length;
      return true;
    });
    return found;
  };

  it('has the life of a consent, each change with its actor and the request that caused it', async () => {
    const { consentId, customerRef } = await stack.consent({ persona: 'saver', permissions: ['ReadAccountsBasic'] });
    await stack.report(`/consents/${consentId}/reauthentications`, {
      customerRef,
      authenticatedAt: new Date(noon).toISOString(),
    });
    await stack.report(`/consents/${consentId}/revoke`, {});
    const tpp = { issuer: stack.bank.issuer, tpp: 'tpp-one', consent: consentId };
    const own = { ...tpp, customer: customer(customerRef), by: 'bank', interactionId };
    expect(await next(4, 'consent')).toMatchObject([
      { ...tpp, event: 'created', by: 'tpp', interactionId, permissions: ['ReadAccountsBasic'], status: 'awaiting' },
      { ...own, event: 'authorised', accounts: expect.any(Number), status: 'authorised' },
      { ...own, event: 'reauthenticated', status: 'authorised' },
      { ...own, event: 'revoked', status: 'cancelled' },
    ]);
  });

  it('has the term of a consent with each of its changes, and none where the TPP stated none', async () => {
    const token = await stack.clientToken();
    const ask = (data: object) =>
      stack.ask('/account-access-consents', {
        method: 'POST',
        token,
        payload: { Data: { Permissions: ['ReadAccountsBasic'], ...data }, Risk: {} },
      });
    for (const data of [{ ExpirationDateTime: '2026-12-24T18:30:00+01:00' }, {}])
      await stack.report(`/consents/${(await ask(data)).json.Data.ConsentId}/reject`, {});
    const events = await next(4, 'consent');
    expect(events.map((event) => ('expires' in event ? event.expires : undefined))).toEqual([
      '2026-12-24T17:30:00.000Z',
      '2026-12-24T17:30:00.000Z',
      undefined,
      undefined,
    ]);
  });

  it('has a deletion by the TPP and a refusal by the customer, and nothing of a change that was refused', async () => {
    const { consentId } = await stack.consent({ persona: 'saver' });
    const token = await stack.clientToken();
    const path = `/account-access-consents/${consentId}`;
    for (let time = 0; time < 2; time++)
      await stack.ask(path, { method: 'DELETE', token, headers: { 'x-fapi-interaction-id': id } });
    const [, , deleted, ...more] = await next(3, 'consent');
    expect(deleted).toMatchObject({ event: 'deleted', by: 'tpp', consent: consentId, interactionId: id });
    expect(more).toEqual([]);
  });

  it('has a consent that was not authorised in time, once', async () => {
    const created = await stack.ask('/account-access-consents', {
      method: 'POST',
      token: await stack.clientToken(),
      payload: { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} },
    });
    const consent = created.json.Data.ConsentId as string;
    stack.clock.advance(dayMs);
    await stack.gateway.sweep();
    await stack.gateway.sweep();
    expect(await next(2, 'consent')).toMatchObject([
      { event: 'created', consent },
      { event: 'abandoned', consent, by: 'gateway', reason: 'not-authorised-in-time', tpp: 'tpp-one' },
    ]);
  });

  it('has the bank’s measures against a TPP, and each act at its port, refused ones too', async () => {
    const issuer = encodeURIComponent(stack.bank.issuer);
    for (const verb of ['suspend', 'reinstate', 'revoke-consents'])
      await stack.report(`/tpps/tpp-one/${verb}?issuer=${issuer}`, {});
    // The consents of the next test are created after the revocation.
    stack.clock.advance(1);
    await stack.report('/consents/aac-00000000-0000-4000-8000-000000000000/revoke', {});
    await stack.report('/consents/aac-00000000-0000-4000-8000-000000000000/revoke', {}, 'not-the-credential');
    const tpp = { issuer: stack.bank.issuer, tpp: 'tpp-one' };
    const events = await next(8, 'tpp', 'operator');
    expect(events.filter(({ kind }) => kind === 'tpp')).toMatchObject([
      { ...tpp, event: 'suspended', by: 'bank', interactionId },
      { ...tpp, event: 'resumed', by: 'bank', interactionId },
      { ...tpp, event: 'consents-revoked', by: 'bank', interactionId },
    ]);
    expect(events.filter(({ kind }) => kind === 'operator')).toMatchObject([
      { command: 'suspendTpp', outcome: 'done', target: tpp, by: 'bank', interactionId },
      { command: 'reinstateTpp', outcome: 'done', target: tpp },
      { command: 'revokeConsentsOfTpp', outcome: 'done', target: tpp },
      { command: 'revokeConsent', outcome: 'refused', reason: 'consent-unknown' },
      { command: 'revokeConsent', outcome: 'refused', reason: 'credential-wrong' },
    ]);
  });

  it('has the requests of the bank’s port, and no act for one that reads', async () => {
    await stack.gateway.bankServer.inject({ method: 'GET', url: '/health/ready' });
    // Events are in the order of the requests, so that those of other tests are before this one.
    await until(async () => {
      const events = await trailEvents(stack.config.trail.directory);
      seen = events.length;
      const last = events.at(-1);
      return last?.kind === 'request' && last.endpoint === 'ready';
    });
    await stack.report('/tpps');
    await stack.gateway.bankServer.inject({ method: 'GET', url: '/health/live' });
    await stack.gateway.bankServer.inject({ method: 'GET', url: '/metrics' });
    const events = await next(3, 'request', 'operator');
    expect(events).toMatchObject([
      { kind: 'request', listener: 'bank', status: 200, method: 'GET' },
      { kind: 'request', listener: 'bank', status: 200, endpoint: 'live' },
      { kind: 'request', listener: 'bank', status: 200, endpoint: 'metrics' },
    ]);
  });

  it('shows its figures among the metrics', async () => {
    const metrics = async () => (await stack.gateway.bankServer.inject({ method: 'GET', url: '/metrics' })).body;
    await until(async () => /^gateway_trail_events_total [1-9]\d*$/m.test(await metrics()));
    const body = await metrics();
    expect(body).toMatch(/^gateway_trail_lost_events_total 0$/m);
    expect(body).toMatch(/^gateway_trail_lag_seconds [\d.e-]+$/m);
    expect(body).toMatch(/^gateway_trail_unrooted_segments 0$/m);
  });
});
