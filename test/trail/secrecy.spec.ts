import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { Stack, base } from '../support/stack.js';
import { portOf, sendRaw } from '../support/raw-http.js';
import { eventsOf, trailFiles } from '../support/read-trail.js';
import { until } from '../support/until.js';

/** Each in every place of a request. */
const hostile = ['Hostile-Name', 'GB29NWBK60161331926819', '4111111111111111', 'token-Of-A-Customer', '203.0.113.77'];

describe('the trail', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start();
    await stack.gateway.listen();
  });
  afterAll(() => stack.close());

  const trail = async (): Promise<string> => {
    const files = await trailFiles(stack.config.trail.directory);
    return (await Promise.all(files.map(({ path }) => readFile(path, 'utf8')))).join('');
  };

  it('holds no name, number, reference, AccountId, address, token, query or body, wherever a request has one', async () => {
    const port = portOf(stack.gateway.server);
    const bankPort = portOf(stack.gateway.bankServer);
    const hidden = [...hostile];
    const displayName = 'Ann Displayed';
    for (const { name, person, accounts } of stack.bank.personas) {
      const customer = await stack.consent({ persona: name, displayName });
      hidden.push(customer.token, displayName, person.name.trim(), customer.customerRef);
      for (const { acct } of accounts)
        hidden.push(acct.key, ...[acct.num, acct.iban, acct.card].filter((text) => text.length > 5));
      for (const { AccountId } of customer.accounts) {
        hidden.push(AccountId);
        await stack.ask(`/accounts/${AccountId}/balances`, { token: customer.token });
      }
    }
    const { token, customerRef, consentId } = await stack.consent({ persona: 'saver' });
    for (const value of hostile)
      for (const [method, target, headers, body] of [
        ['GET', `${base}/${value}`, [`Authorization: Bearer ${token}`], ''],
        ['GET', `${base}/accounts/${value}?${value}=${value}`, [`Authorization: Bearer ${token}`], ''],
        ['GET', `${base}/accounts`, [`Authorization: Bearer ${value}`], ''],
        ['GET', `${base}/accounts`, [`Authorization: ${value}`, `Host: ${value}`], ''],
        [
          'GET',
          `${base}/accounts`,
          ['traceparent', 'x-fapi-interaction-id', 'x-fapi-customer-ip-address', 'cookie', 'user-agent', value].map(
            (name) => `${name}: ${value}`,
          ),
          '',
        ],
        [
          'POST',
          `${base}/account-access-consents`,
          [`Authorization: Bearer ${token}`, 'Content-Type: application/json'],
          JSON.stringify({ [value]: value }),
        ],
        [
          'DELETE',
          `${base}/account-access-consents/${value}`,
          [`Authorization: Bearer ${await stack.clientToken()}`],
          '',
        ],
      ] as const) {
        await sendRaw(
          port,
          [
            `${method} ${target} HTTP/1.1`,
            ...(headers.some((line) => line.startsWith('Host')) ? [] : ['Host: gateway.example']),
            ...headers,
            'Connection: close',
            `Content-Length: ${Buffer.byteLength(body)}`,
            '',
            body,
          ].join('\r\n'),
        );
      }
    for (const value of hostile) {
      await sendRaw(port, `${value} \r\n\r\n`);
      await sendRaw(
        bankPort,
        `GET /bank/v1/customers/${value}/consents HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      await stack.report(`/customers/${value}/consents`);
      await stack.report(`/consents/${consentId}/reauthentications`, { customerRef: value, authenticatedAt: value });
      await stack.report('/sign-ins/unlock', { loginName: value });
    }
    await stack.report(`/customers/${customerRef}/consents`);
    // Events are written in their order.
    const last = '93bac548-d2de-4546-b106-880a5018460d';
    await stack.ask('/accounts', { token, headers: { 'x-fapi-interaction-id': last } });
    await until(async () => (await trail()).includes(last));
    const written = await trail();
    expect(hidden.length).toBeGreaterThan(60);
    expect(hidden.filter((text) => written.includes(text))).toEqual([]);
  });

  it('has the bytes that were no HTTP, with their reason', async () => {
    for (const value of hostile) await sendRaw(portOf(stack.gateway.server), `${value} \r\n\r\n`);
    const brokenEvents = async () =>
      (await eventsOf(stack.config.trail.directory, 'request')).filter(({ reason }) => reason === 'http-broken');
    await until(async () => (await brokenEvents()).length >= hostile.length);
    const broken = await brokenEvents();
    expect(broken[0]).toMatchObject({ listener: 'api', status: 400, id: expect.any(String) });
  });

  it('is written whatever the log omits', async () => {
    const quiet = await Stack.start({ config: { logLevel: 'warn' } });
    await quiet.ask('/accounts', { token: 'none' });
    await until(async () => (await eventsOf(quiet.config.trail.directory, 'request')).length === 1);
    expect(quiet.log).toEqual([]);
    await quiet.close();
  });
});
