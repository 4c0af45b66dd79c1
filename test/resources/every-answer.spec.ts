import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { profileOf } from '../../src/profiles/profile.js';
import { profile as profile2 } from '../../src/profiles/profile-2.js';
import { accountPaths } from '../support/account-paths.js';
import { withEndpoint } from '../support/with-endpoint.js';
import { allPermissions, Stack, type Answer, type ConsentedCustomer, type Json } from '../support/stack.js';

/** All eleven endpoints in one gateway. */
const profile = profileOf({
  ...profile2,
  ...withEndpoint(profile2, 'statements', ['CreditCard']),
  refusedPermissions: ['ReadPAN'],
});

describe('every answer', () => {
  let stack: Stack;
  let first: ConsentedCustomer | undefined;
  /** The answers to every path of every account of the personas with the most records. */
  const answers: [path: string, answer: Answer][] = [];
  beforeAll(async () => {
    stack = await Stack.start({ rules: { pageSize: 25 }, profileSettings: profile });
    const permissions = allPermissions('profile-1');
    for (const persona of ['complete', 'cards', 'scripts', 'newcomer', 'payer', 'calendar', 'traveller']) {
      const customer = await stack.consent({ persona, permissions });
      first ??= customer;
      for (const path of pathsOf(customer)) answers.push([path, await stack.ask(path, { token: customer.token })]);
    }
  });
  afterAll(() => stack.close());

  const pathsOf = (customer: ConsentedCustomer): string[] => [
    '/accounts',
    ...customer.accounts.flatMap(({ AccountId }) => accountPaths(profile, AccountId)),
  ];
  it('links to itself by the absolute URL of its path, without query or trailing slash, for every Host header', async () => {
    const customer = first as ConsentedCustomer;
    for (const path of pathsOf(customer)) {
      for (const asked of [path, `${path}/`, `${path}?a=b&fromBookingDateTime=2026-05-01`, `${path}/?x=/y/`]) {
        const { status, json } = await stack.ask(asked, {
          token: customer.token,
          headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
        });
        const found = [asked, status, json.Links.Self, json.Meta];
        expect(found).toEqual([asked, 200, `https://gateway.example/open-banking/v3.1/aisp${path}`, {}]);
      }
    }
  });

  it('links only to itself where it has no further pages', async () => {
    for (const [path, { json }] of answers) {
      const links = Object.keys(json.Links);
      if (json.Data.Transaction?.length === 25) continue;
      expect([path, links]).toEqual([path, ['Self']]);
    }
  });

  it('contains one named collection, Links and an empty Meta, and an id that belongs to the path', async () => {
    for (const [path, { status, json }] of answers) {
      expect([path, status, Object.keys(json), Object.keys(json.Data).length]).toEqual([
        path,
        200,
        ['Data', 'Links', 'Meta'],
        1,
      ]);
      const [collection] = Object.values<Json>(json.Data);
      const accountId = path.split('/')[2];
      if (!Array.isArray(collection)) expect(Object.keys(collection as object)).toContain('PartyId');
      else if (accountId !== undefined)
        for (const item of collection) expect([path, item.AccountId]).toEqual([path, accountId]);
    }
  });

  it('omits empty members: no null, no empty text but a pending transaction’s, no empty object', async () => {
    const walk = (value: unknown, at: string): string[] => {
      if (value === null) return [`${at} is null`];
      if (value === '') return [`${at} is empty`];
      if (typeof value !== 'object') return [];
      const members = Object.entries(value);
      if (members.length === 0 && !Array.isArray(value)) return [`${at} is {}`];
      if (members.length === 0 && !/^Data\.[A-Za-z]+$/.test(at)) return [`${at} is []`];
      return members.flatMap(([name, member]) => walk(member, `${at}.${name}`));
    };
    const allowed =
      /^Data\.Transaction\.\d+\.(BookingDateTime|CurrencyExchange\.(SourceCurrency|ExchangeRate)) is empty$/;
    let pending = 0;
    for (const [path, { json }] of answers) {
      const found = walk(json.Data, 'Data');
      expect([path, found.filter((fault) => !allowed.test(fault))]).toEqual([path, []]);
      pending += found.length;
    }
    expect(pending).toBeGreaterThan(0);
  });

  it('writes every date-time in UTC with +00:00', async () => {
    const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?\+00:00$/;
    let seen = 0;
    for (const [path, { body }] of answers)
      for (const [, name, value] of body.matchAll(/"([A-Za-z]*DateTime)":"([^"]*)"/g)) {
        if (value === '' && name === 'BookingDateTime') continue;
        expect([path, name, form.test(String(value)) || value]).toEqual([path, name, true]);
        seen++;
      }
    expect(seen).toBeGreaterThan(300);
  });

  it('reveals none of the core’s references, in body or header', async () => {
    const references = stack.bank.personas.flatMap(({ person, accounts }) => [
      person.key,
      ...accounts.map(({ acct }) => acct.key),
    ]);
    expect(references).toContain('A100101');
    const known = new RegExp(references.join('|'));
    for (const [path, { body, headers }] of answers) {
      expect([path, known.exec(body), known.exec(JSON.stringify(headers))]).toEqual([path, null, null]);
    }
  });

  it('that reports a consent links to it, the answer to POST as well', async () => {
    const token = await stack.clientToken();
    const payload = { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} };
    const created = await stack.ask('/account-access-consents', { method: 'POST', token, payload });
    const { ConsentId } = created.json.Data;
    const self = `https://gateway.example/open-banking/v3.1/aisp/account-access-consents/${ConsentId}`;
    const read = await stack.ask(`/account-access-consents/${ConsentId}/?a=b`, { token });
    for (const { json } of [created, read]) expect([json.Links, json.Meta]).toEqual([{ Self: self }, {}]);
  });
});
