import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { kitServices } from '../../packages/adapter-kit/kit-services.js';
import { makePersonas } from '../../sandbox/bank/personas/personas.js';
import { createAdapter } from '../../src/core-banking/adapters/fineract/fineract.adapter.js';
import { FakeClock } from '../support/fake-clock.js';
import { base, type ConsentedCustomer, type Json, noon, Stack } from '../support/stack.js';
import { differences } from './declared-differences.js';
import { FineractStub } from '../cores/fineract/fineract-stub.js';
import { forFineract, loadPersonas, productsSetting } from '../cores/fineract/load-personas.js';
import { smallBankVariables } from '../cores/fineract/small-bank.js';

const people = forFineract(makePersonas(noon));
const endpoints = ['', '/balances', '/transactions', '/party', '/beneficiaries', '/standing-orders', '/product'];
const profile = 'profile-fineract';

describe('the same customers in the sandbox bank and in Fineract give the same answers', () => {
  let stub: FineractStub;
  let ledger: Stack;
  let fineract: Stack;

  beforeAll(async () => {
    stub = await FineractStub.start({ model: loadPersonas(people), clock: new FakeClock(noon) });
    const variables = { ...smallBankVariables, CORE_PRODUCTS: productsSetting(people) };
    const adapter = createAdapter({ url: stub.url, connections: 4, variables }, kitServices);
    ledger = await Stack.start({ profile, makePersonas: () => [...people] });
    fineract = await Stack.start({ profile, makePersonas: () => [...people], adapter: () => adapter });
  });
  afterAll(async () => {
    await Promise.all([ledger.close(), fineract.close()]);
    await stub.close();
  });

  type Leaves = ReadonlyMap<string, unknown>;

  /** The leaves of an answer by their paths, the places in lists as numbers. */
  function leavesOf(value: unknown, path = ''): [string, unknown][] {
    if (typeof value !== 'object' || value === null) return [[path, value]];
    return Object.entries(value).flatMap(([name, member]) =>
      leavesOf(member, Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`),
    );
  }

  /** Every page of an endpoint, as one list of records. Links are compared only by their presence. */
  async function whole(
    stack: Stack,
    customer: ConsentedCustomer,
    path: string,
  ): Promise<{ status: number; data: Json; pages: unknown }> {
    const pages: unknown[] = [];
    let data: Json;
    for (let next: string | undefined = path; next !== undefined;) {
      const { status, json } = await stack.ask(next, { token: customer.token });
      if (status !== 200) return { status, data: json, pages };
      pages.push([Object.keys(json.Links), json.Meta]);
      const [name = ''] = Object.keys(json.Data);
      if (data === undefined) data = json.Data;
      else data[name].push(...json.Data[name]);
      next =
        json.Links.Next === undefined
          ? undefined
          : new URL(json.Links.Next).pathname.replace(base, '') + new URL(json.Links.Next).search;
    }
    return { status: 200, data, pages };
  }

  /** Standing orders and beneficiaries are paired by their content, all other records by their place. */
  const sayings: Readonly<Record<string, (record: Json) => string>> = {
    StandingOrder: (record) => `${record.Reference} ${record.CreditorAccount?.Identification}`,
    Beneficiary: (record) => `${record.CreditorAccount?.Identification}`,
  };

  function paired(ledgerData: Json, fineractData: Json): [string, Json, Json][] {
    const [name = ''] = Object.keys(ledgerData);
    const [ours, theirs] = [ledgerData[name], fineractData[name]] as [Json[], Json[]];
    if (!Array.isArray(ours)) return [[name, ours, theirs]];
    const say = sayings[name];
    if (say === undefined) {
      const length = Math.max(ours.length, theirs.length);
      return Array.from({ length }, (_, index) => [`${name}[]`, ours[index], theirs[index]]);
    }
    const left = [...theirs];
    const found = ours.map((record): [string, Json, Json] => {
      const index = left.findIndex((other) => say(other) === say(record));
      return [`${name}[]`, record, index < 0 ? undefined : left.splice(index, 1)[0]];
    });
    return [...found, ...left.map((record): [string, Json, Json] => [`${name}[]`, undefined, record])];
  }

  interface Found {
    readonly field: string;
    readonly ledger: unknown;
    readonly fineract: unknown;
  }

  function differencesOf(endpoint: string, ours: Json, theirs: Json): Found[] {
    return paired(ours, theirs).flatMap(([name, a, b]): Found[] => {
      if (a === undefined || b === undefined) return [{ field: `${endpoint} ${name}`, ledger: a, fineract: b }];
      const [left, right]: [Leaves, Leaves] = [new Map(leavesOf(a)), new Map(leavesOf(b))];
      return [...new Set([...left.keys(), ...right.keys()])]
        .filter((path) => left.get(path) !== right.get(path))
        .map((path) => ({
          field: `${endpoint} ${name}.${path.replaceAll(/\[\d+\]/g, '[]')}`,
          ledger: left.get(path),
          fineract: right.get(path),
        }));
    });
  }

  const seen = new Set<string>();

  it.each(people.map(({ name }) => name))(
    'to %s, field by field, except for the declared differences',
    async (persona) => {
      const [a, b] = [await ledger.consent({ persona }), await fineract.consent({ persona })];
      expect(b.accounts).toEqual(a.accounts);
      const paths = [
        ['accounts', '/accounts'],
        ...a.accounts.flatMap(({ AccountId }) =>
          endpoints.map((endpoint) => [endpoint.slice(1) || 'account', `/accounts/${AccountId}${endpoint}`]),
        ),
      ] as [string, string][];
      const undeclared: Found[] = [];
      for (const [endpoint, path] of paths) {
        const [ours, theirs] = [await whole(ledger, a, path), await whole(fineract, b, path)];
        expect([path, theirs.status, theirs.pages]).toEqual([path, ours.status, ours.pages]);
        if (ours.status !== 200) {
          // An account in a state without access: the answer is the same except for the account's id.
          expect({ ...theirs.data, Id: '' }).toEqual({ ...ours.data, Id: '' });
          continue;
        }
        for (const found of differencesOf(endpoint, ours.data, theirs.data)) {
          const declared = differences.find(({ field }) => field === found.field);
          if (declared !== undefined && (declared.allows?.(found.ledger, found.fineract) ?? true))
            seen.add(declared.field);
          else undeclared.push(found);
        }
      }
      expect(undeclared.slice(0, 5)).toEqual([]);
    },
  );

  // Every declared difference exists. This is known when all people were compared, and the tests run in any order.
  afterAll(() => {
    expect(differences.map(({ field }) => field).filter((field) => !seen.has(field))).toEqual([]);
  });
});
