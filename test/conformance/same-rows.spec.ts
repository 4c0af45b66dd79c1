import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { profile } from '../../src/profiles/profile-2.js';
import { versions } from '../../src/versions/versions.js';
import { makePersonas } from '../../sandbox/bank/personas/personas.js';
import { accountPaths } from '../support/account-paths.js';
import { noon, Stack, type Json } from '../support/stack.js';

/** The members whose values no version renames. */
const neutral = /(Id|DateTime|^(?:Amount|Currency|CreditDebitIndicator|MandateIdentification))$/;

/** Each of these members of a row with its value, however deep it lies. */
function facts(row: Json): string[] {
  return Object.entries(row as object)
    .flatMap(([member, value]) => {
      if (typeof value === 'object') return facts(value);
      return neutral.test(member) ? [`${member}=${String(value)}`] : [];
    })
    .sort();
}

describe('the same person, read in both versions with one token of v3.1', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start();
  });
  afterAll(() => stack.close());

  /** All rows of all pages. */
  async function rows(basePath: string, path: string, token: string): Promise<string[][]> {
    const read: string[][] = [];
    for (let next: string | undefined = `${basePath}${path}`; next !== undefined;) {
      const { status, json } = await stack.ask(next, { token });
      if (status !== 200) return [[`${status}`]];
      read.push(
        ...Object.values(json.Data as object)
          .flat()
          // No word of v3.1 says that a transaction was rejected.
          .filter(({ Status }) => Status !== 'RJCT')
          .map(facts),
      );
      next = (json.Links.Next as string | undefined)?.replace(stack.config.baseUrl, '');
    }
    return read;
  }

  it.each(makePersonas(noon).map(({ name }) => name))(
    '%s has the same rows: ids, dates and amounts',
    async (persona) => {
      const { token, accounts } = await stack.consent({ persona });
      for (const path of ['/accounts', ...accounts.flatMap(({ AccountId }) => accountPaths(profile, AccountId))]) {
        const [v3, v4] = await Promise.all(versions.map(({ basePath }) => rows(basePath, path, token)));
        // A row of v4.0 may have more: the dates of a direct debit's mandate.
        const same = v4?.map((row, index) => row.filter((fact) => v3?.[index]?.includes(fact)));
        expect({ path, rows: same }).toEqual({ path, rows: v3 });
        expect(v3?.every((row) => row.length > 0)).toBe(true);
      }
    },
  );
});
