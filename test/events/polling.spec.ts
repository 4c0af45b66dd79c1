import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  jwtVerify,
  type JSONWebKeySet,
  type JWTPayload,
} from 'jose';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import ajvModule from 'ajv';
import formats from 'ajv-formats';
import { parse } from 'yaml';
import { explain } from '../../src/trail/explain.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { specsFolder } from '../support/official-openapi.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { v4_0 } from '../../src/versions/v4.0/v4.0.js';
import type { ApiVersion } from '../../src/endpoint/api-version.js';
import { AsksForFunds } from '../funds/asks-for-funds.js';
import { dayMs, minuteMs, noon, Stack, type Answer } from '../support/stack.js';
import { eventsOf } from '../support/read-trail.js';
import { until } from '../support/until.js';
import { WatchedDatabase } from '../support/watched-database.js';
import { oneError } from '../support/error-shape.js';

const events = '/open-banking/v3.1/events';
const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (
  ...parts: string[]
) => (...values: unknown[]) => Promise<void>;
const update = 'urn:uk:org:openbanking:events:resource-update';
const revoked = 'urn:uk:org:openbanking:events:consent-authorization-revoked';
const crit = ['iat', 'iss', 'tan'].map((name) => `http://openbanking.org.uk/${name}`);

describe('a TPP polls for events', () => {
  let stack: Stack;
  const database = new WatchedDatabase();
  beforeAll(async () => {
    stack = await Stack.start({ persistence: database.module });
  });
  afterAll(() => stack.close());
  afterEach(async () => {
    stack.clock.set(noon);
    for (const clientId of ['tpp-one', 'tpp-two']) {
      const { json } = await poll({}, clientId);
      await poll({ ack: Object.keys(json.sets), maxEvents: 0 }, clientId);
    }
  });

  const ask = async (payload: unknown, clientId = 'tpp-one'): Promise<Answer> =>
    stack.ask(events, { method: 'POST', token: await stack.clientToken(clientId), payload });
  const poll = (asked: object = {}, clientId?: string): Promise<Answer> =>
    ask({ returnImmediately: true, ...asked }, clientId);
  /** The claims of each event that waits. */
  const claims = async (clientId?: string): Promise<JWTPayload[]> => {
    const { status, json } = await poll({}, clientId);
    expect(status).toBe(200);
    return Object.values<string>(json.sets).map((token) => decodeJwt(token));
  };
  const consent = async (clientId = 'tpp-one'): Promise<string> => {
    const { consentId } = await stack.consent({ persona: 'saver', clientId });
    await poll({ ack: Object.keys((await poll({}, clientId)).json.sets), maxEvents: 0 }, clientId);
    return consentId;
  };
  const withdraw = (consentId: string): Promise<Answer> => stack.report(`/consents/${consentId}/revoke`, {});
  const withdrawn = async (clientId?: string): Promise<string> => {
    const consentId = await consent(clientId);
    await withdraw(consentId);
    return consentId;
  };

  it('and gets none where none of its consents has changed', async () => {
    await consent();
    expect((await poll()).json).toEqual({ sets: {}, moreAvailable: false });
  });

  it('and learns of a withdrawal at the bank by one token, which says the same at each poll until it is acknowledged', async () => {
    stack.clock.set(noon + minuteMs);
    const consentId = await consent();
    await withdraw(consentId);
    const [[jti, token]] = Object.entries<string>((await poll()).json.sets) as [[string, string]];
    const link = `https://gateway.example/open-banking/v3.1/aisp/account-access-consents/${consentId}`;
    const seconds = (noon + minuteMs) / 1_000;
    expect(decodeJwt(token)).toEqual({
      iss: 'https://gateway.example',
      iat: seconds,
      jti,
      aud: 'tpp-one',
      sub: link,
      txn: jti,
      toe: seconds,
      events: {
        [revoked]: {
          subject: {
            subject_type: 'http://openbanking.org.uk/rid_http://openbanking.org.uk/rty',
            'http://openbanking.org.uk/rid': consentId,
            'http://openbanking.org.uk/rty': 'account-access-consent',
            'http://openbanking.org.uk/rlk': [
              { version: 'v3.1', link },
              { version: 'v4.0', link: link.replace('v3.1', 'v4.0') },
            ],
          },
        },
      },
    });
    expect(await claims()).toEqual([decodeJwt(token)]);
    expect((await poll({ ack: [jti] })).json).toEqual({ sets: {}, moreAvailable: false });
    expect(await claims()).toEqual([]);
  });

  it('and in version 4.0, where its status changes, learns of a withdrawal as a resource update too', async () => {
    const consentId = await withdrawn();
    const asked = { method: 'POST', token: await stack.clientToken(), payload: { returnImmediately: true } };
    const { json } = await stack.ask('/open-banking/v4.0/events', asked);
    const [claim] = Object.values<string>(json.sets).map((token) => decodeJwt(token));
    expect(Object.keys(claim?.['events'] as object)).toEqual([revoked, update]);
    expect(claim?.sub).toMatch(new RegExp(`/open-banking/v4\\.0/aisp/.*${consentId}$`));
    expect(Object.keys((await poll()).json.sets)).toEqual([claim?.jti]);
  });

  it('and learns of a consent of version 4.0 by that version alone, also where it polls in version 3.1', async () => {
    const payload = { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} };
    const created = { method: 'POST', token: await stack.clientToken(), payload };
    const { ConsentId: id } = (await stack.ask('/open-banking/v4.0/aisp/account-access-consents', created)).json.Data;
    await stack.report(`/consents/${id}/reject`, {});
    const [claim] = await claims();
    const link = `https://gateway.example/open-banking/v4.0/aisp/account-access-consents/${id}`;
    expect(claim?.sub).toBe(link);
    expect(claim?.['events']).toMatchObject({
      [update]: { subject: { 'http://openbanking.org.uk/rlk': [{ version: 'v4.0', link }] } },
    });
  });

  it.each([v3_1, v4_0])(
    'and learns of a consent for confirmation of funds, in $name, with a token of its scope',
    async (version) => {
      const tpp = new AsksForFunds(stack, version);
      const consentId = await tpp.consented('joint');
      const token = await tpp.clientToken();
      const pollFunds = async (asked: object = {}) => {
        const payload = { returnImmediately: true, ...asked };
        return (await stack.ask(`${version.rootPath}/events`, { method: 'POST', token, payload })).json.sets;
      };
      await pollFunds({ ack: Object.keys(await pollFunds()), maxEvents: 0 });
      await withdraw(consentId);
      const [claim] = Object.values<string>(await pollFunds()).map((set) => decodeJwt(set));
      const linkIn = ({ fundsPath }: ApiVersion) =>
        `https://gateway.example${fundsPath}/funds-confirmation-consents/${consentId}`;
      const subject = {
        subject_type: 'http://openbanking.org.uk/rid_http://openbanking.org.uk/rty',
        'http://openbanking.org.uk/rid': consentId,
        'http://openbanking.org.uk/rty': 'funds-confirmation-consent',
        'http://openbanking.org.uk/rlk': (version === v3_1 ? [v3_1, v4_0] : [v4_0]).map((one) => ({
          version: one.name,
          link: linkIn(one),
        })),
      };
      expect(claim).toMatchObject({ sub: linkIn(version), events: { [revoked]: { subject }, [update]: { subject } } });
    },
  );

  it('and verifies a token by the published keys, its critical header members and its audience', async () => {
    await withdrawn();
    const [token = ''] = Object.values<string>((await poll()).json.sets);
    const facts = await stack.gateway.server.inject('/.well-known/account-information');
    const { Issuer: issuer, KeysUrl } = (JSON.parse(facts.body) as { Events: { Issuer: string; KeysUrl: string } })
      .Events;
    const published = await stack.gateway.server.inject(new URL(KeysUrl).pathname);
    expect([published.statusCode, published.headers['cache-control']]).toEqual([200, 'public, max-age=60']);
    const keys = JSON.parse(published.body) as JSONWebKeySet;
    expect(keys.keys.flatMap((key) => Object.keys(key))).not.toContain('d');
    const options = { issuer, audience: 'tpp-one', algorithms: ['PS256'], currentDate: new Date(noon) };
    const known = Object.fromEntries(crit.map((name) => [name, true]));
    await jwtVerify(token, createLocalJWKSet(keys), { ...options, crit: known });
    // So no verifier of another kind of token accepts an event.
    await expect(jwtVerify(token, createLocalJWKSet(keys), options)).rejects.toThrow(/not recognized/);
    expect(decodeProtectedHeader(token)).toEqual({
      alg: 'PS256',
      kid: keys.keys.find(({ alg }) => alg === 'PS256')?.kid,
      'http://openbanking.org.uk/iat': noon / 1_000,
      'http://openbanking.org.uk/iss': 'https://gateway.example',
      'http://openbanking.org.uk/tan': 'gateway.example',
      crit,
    });
  });

  it('and the lines of the TPP guide verify each token of its answer', async () => {
    const consentId = await withdrawn();
    const answer = (await poll()).json as unknown;
    const published = async (path: string): Promise<unknown> =>
      JSON.parse((await stack.gateway.server.inject(path)).body);
    const facts = (await published('/.well-known/account-information')) as { Events: { KeysUrl: string } };
    const keys = (await published(new URL(facts.Events.KeysUrl).pathname)) as JSONWebKeySet;
    const guide = readFileSync(join(packageRoot(), 'docs/tpp/guide.md'), 'utf8');
    const [, lines = ''] = /```js\nimport [^\n]+\n([^]+?)```/.exec(guide) ?? [];
    const said: unknown[][] = [];
    const given = {
      jwtVerify,
      createRemoteJWKSet: () => createLocalJWKSet(keys),
      fetch: async () => ({ json: async () => facts }),
      clientId: 'tpp-one',
      answer,
      console: { log: (...words: unknown[]) => said.push(words) },
    };
    await new AsyncFunction(...Object.keys(given), lines)(...Object.values(given));
    expect(said).toEqual([[expect.stringContaining(consentId), [revoked]]]);
  });

  it('and learns of every other change of a consent as a resource update', async () => {
    const { consentId } = await stack.consent({ persona: 'saver' });
    const types = async (): Promise<string[]> =>
      (await claims()).flatMap(({ events: of }) => Object.keys(of as object));
    expect(await types()).toEqual([update]);
    await stack.ask(`/account-access-consents/${consentId}`, { method: 'DELETE', token: await stack.clientToken() });
    expect(await types()).toEqual([update, update]);
  });

  it('and gets at most as many as it asks for, the oldest first, and learns whether there are more', async () => {
    const ids: string[] = [];
    for (let minute = 0; minute < 3; minute++) {
      stack.clock.set(noon + minute * minuteMs);
      ids.push(await consent());
    }
    for (const [place, id] of ids.entries()) {
      stack.clock.set(noon + (10 + place) * minuteMs);
      await withdraw(id);
    }
    const first = (await poll({ maxEvents: 2 })).json;
    const subjects = (sets: object): string[] =>
      Object.values<string>(sets as never).map((set) => String(decodeJwt(set).sub).split('/').at(-1) ?? '');
    expect([subjects(first.sets), first.moreAvailable]).toEqual([ids.slice(0, 2), true]);
    const last = (await poll({ maxEvents: 2, ack: Object.keys(first.sets) })).json;
    expect([subjects(last.sets), last.moreAvailable]).toEqual([ids.slice(2), false]);
    expect((await poll({ maxEvents: 0 })).json).toEqual({ sets: {}, moreAvailable: true });
  });

  it('and gets an event that it reported as an error again, after the others', async () => {
    const [first, second] = [await consent(), await consent()];
    await withdraw(first);
    const [faulty = ''] = Object.keys((await poll()).json.sets);
    stack.clock.set(noon + minuteMs);
    await withdraw(second);
    const error = { err: 'jwtCrypto', description: 'the signature is not valid' };
    const { json } = await poll({ setErrs: { [faulty]: error } });
    expect(Object.keys(json.sets).at(-1)).toBe(faulty);
    expect(Object.keys(json.sets)).toHaveLength(2);
  });

  it('and can neither see nor acknowledge the events of another TPP, and does not learn whether an id exists', async () => {
    await withdrawn('tpp-two');
    const [foreign = ''] = Object.keys((await poll({}, 'tpp-two')).json.sets);
    const nothing = { sets: {}, moreAvailable: false };
    const error = { err: 'invalid', description: 'x' };
    for (const id of [foreign, '00000000-0000-4000-8000-000000000000', '\0', "'; DROP TABLE consent_events; --"]) {
      expect((await poll({ ack: [id] })).json).toEqual(nothing);
      expect((await poll({ setErrs: { [id]: error } })).json).toEqual(nothing);
    }
    expect(Object.keys((await poll({}, 'tpp-two')).json.sets)).toEqual([foreign]);
  });

  it.each([
    ['no object', [], undefined],
    ['an unknown member', { Data: {} }, 'Data'],
    ['a number of events below 0', { maxEvents: -1 }, 'maxEvents'],
    ['a number of events that is not an integer', { maxEvents: 1.5 }, 'maxEvents'],
    ['a text instead of a truth value', { returnImmediately: 'true' }, 'returnImmediately'],
    ['an empty id', { ack: [''] }, 'ack[0]'],
    ['an id that is too long', { ack: ['x'.repeat(129)] }, 'ack[0]'],
    ['an id that is not a text', { ack: [{ jti: 'x' }] }, 'ack[0]'],
    ['an error without a description', { setErrs: { x: { err: 'y' } } }, 'setErrs.x.description'],
  ])('and is refused for a body with %s, which changes nothing', async (_, payload, path) => {
    await withdrawn();
    const { status, json } = await ask(payload);
    expect([status, json.Errors[0].Path]).toEqual([400, path]);
    expect(await claims()).toHaveLength(1);
  });

  it('and is refused with the token of a consent, and without a token', async () => {
    const { token } = await stack.consent({ persona: 'saver' });
    const refused = await stack.ask(events, { method: 'POST', token, payload: {} });
    expect([refused.status, refused.json]).toEqual([
      403,
      oneError({ Code: '403 Forbidden', ErrorCode: 'UK.AIG.Token.Scope' }),
    ]);
    expect((await stack.ask(events, { method: 'POST', payload: {} })).status).toBe(401);
    const read = await stack.ask(events, { token: await stack.clientToken() });
    expect([read.status, read.headers['allow']]).toEqual([405, 'POST']);
  });

  (specsFolder === undefined ? it.skip : it)('and gets answers and claims by the official schemas', async () => {
    await stack.consent({ persona: 'saver' });
    const { json } = await poll();
    expect(await claims()).toHaveLength(1);
    for (const version of ['v3.1.11r5', 'v4.0.1']) {
      const faults = (file: string, schema: string, value: unknown) => {
        const ajv = new ajvModule.Ajv({ allErrors: true, strict: false });
        formats.default(ajv);
        ajv.addSchema(parse(readFileSync(join(specsFolder ?? '', version, file), 'utf8')) as object, 'standard');
        const validate = ajv.compile({ $ref: `standard#/components/schemas/${schema}` });
        return validate(value) ? [] : validate.errors;
      };
      for (const answer of [json, { sets: {}, moreAvailable: false }])
        expect(faults('events-openapi.yaml', 'OBEventPollingResponse1', answer)).toEqual([]);
      for (const claim of await claims())
        expect(faults('event-notifications-openapi.yaml', 'OBEventNotification1', claim)).toEqual([]);
    }
  });

  it('and waits for an event, which reaches it within a second', async () => {
    const consentId = await consent();
    const waiting = ask({});
    await new Promise((resolve) => setTimeout(resolve, 50));
    await withdraw(consentId);
    const [token = ''] = Object.values<string>((await waiting).json.sets);
    expect(decodeJwt(token).sub).toContain(consentId);
  });

  it('and gets the events of a withdrawal of all its consents without waiting for the minute', async () => {
    // Before the consents of the other tests.
    stack.clock.set(noon - minuteMs);
    const ids = [await consent(), await consent()];
    // Also where the sweep before it fails.
    database.before = (statement) =>
      statement.startsWith('DELETE FROM consent_events') ? Promise.reject(new Error('the database fails')) : undefined;
    await stack.report('/tpps/tpp-one/revoke-consents', {});
    const told: (string | undefined)[] = [];
    while (told.length < ids.length) {
      const { sets } = (await ask({})).json;
      told.push(...Object.values<string>(sets).map((set) => decodeJwt(set).sub?.split('/').at(-1)));
      await poll({ ack: Object.keys(sets), maxEvents: 0 });
    }
    database.before = () => undefined;
    expect(told.sort()).toEqual(ids.sort());
  });

  it('and its wait is in no time of the request: not in the trail, and so in no statistics', async () => {
    const consentId = await consent();
    const token = await stack.clientToken();
    const headers = { 'x-fapi-interaction-id': randomUUID() };
    database.statements.length = 0;
    const askedMs = performance.now();
    const waiting = stack.ask(events, { method: 'POST', token, headers, payload: {} });
    await until(() => database.statements.some((statement) => statement.includes('unnest')));
    await sleep(300);
    await withdraw(consentId);
    await waiting;
    const withoutWaitMs = performance.now() - askedMs - 299;
    let times: number[] = [];
    await until(async () => {
      const requests = await eventsOf(stack.config.trail.directory, 'request');
      const polled = requests.filter(({ id }) => id === headers['x-fapi-interaction-id']);
      times = polled.flatMap(({ firstByteMs, lastByteMs }) => [Number(firstByteMs), Number(lastByteMs)]);
      return times.length > 0;
    });
    for (const time of times) expect(time).toBeLessThan(withoutWaitMs);
  });

  it('and is refused at the end of the wait where the bank suspended it meanwhile', async () => {
    const consentId = await consent();
    const waiting = ask({});
    await new Promise((resolve) => setTimeout(resolve, 50));
    await stack.report('/tpps/tpp-one/suspend', {});
    await withdraw(consentId);
    expect((await waiting).status).toBe(401);
    await stack.report('/tpps/tpp-one/reinstate', {});
    expect(await claims()).toHaveLength(1);
  });

  it('and a further poll than may wait ends the oldest, without an event', async () => {
    const consentId = await consent();
    const waiting = Array.from({ length: 6 }, () => ask({}));
    expect((await Promise.race(waiting)).json).toEqual({ sets: {}, moreAvailable: false });
    await withdraw(consentId);
    const given = (await Promise.all(waiting)).map(({ json }) => Object.keys(json.sets).length);
    expect(given.sort()).toEqual([0, 1, 1, 1, 1, 1]);
  });

  it('and an event that it never acknowledges is dropped after the days of the profile', async () => {
    await withdrawn();
    stack.clock.set(noon + 90 * dayMs - 1);
    await stack.gateway.sweep();
    expect(await claims()).toHaveLength(1);
    stack.clock.set(noon + 90 * dayMs);
    await stack.gateway.sweep();
    expect(await claims()).toEqual([]);
    expect(await stack.gateway.metrics.getSingleMetricAsString('gateway_events_dropped_total')).toMatch(/ 1$/m);
  });

  it('and the trail explains the poll: the acknowledged events, those that it could not use, and those that it got', () => {
    const caller = { listener: 'api', issuer: 'https://issuer.example', tpp: 'tpp-one' };
    const asked = { method: 'POST', endpoint: 'events', apiVersion: 'v3.1', status: 200, bytes: 900, rows: 3 };
    const facts = { acknowledged: 2, faultyEvents: 1 };
    const event = { kind: 'request', at: '2026-06-15T12:00:00.000Z', instance: 'one', ...caller, ...asked, facts };
    expect(explain(event)).toMatchObject({
      asked: expect.stringMatching(/events \(v3\.1\), with 2 acknowledged events and 1 event that it could not use$/),
      outcome: 'the gateway answered 200 with 900 bytes, in them 3 events',
    });
  });

  it('and the operators see how many events wait for it, and since when', async () => {
    await withdrawn();
    stack.clock.advance(minuteMs);
    const metrics = await stack.gateway.metrics.metrics();
    expect(metrics).toMatch(/^gateway_events_waiting\{issuer="[^"]+",tpp="tpp-one"\} 1$/m);
    expect(metrics).toMatch(/^gateway_events_oldest_seconds\{issuer="[^"]+",tpp="tpp-one"\} 60$/m);
  });
});
