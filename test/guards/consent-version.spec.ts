import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { oneError } from '../support/error-shape.js';
import { Stack, type ConsentedCustomer } from '../support/stack.js';
import { WatchedDatabase } from '../support/watched-database.js';

const refused = oneError({ Code: '403 Forbidden', ErrorCode: 'UK.OBIE.Resource.ConsentMismatch', Path: 'ConsentId' });

describe('a consent of a later version of the API', () => {
  const database = new WatchedDatabase();
  let stack: Stack;
  let consented: ConsentedCustomer;
  beforeAll(async () => {
    stack = await Stack.start({ persistence: database.module });
    consented = await stack.consent({ persona: 'complete' });
    const { consentId } = consented;
    await database.prisma.consent.update({ where: { consentId }, data: { createdIn: 'v9.0' } });
  });
  afterAll(() => stack.close());

  const row = () => database.prisma.consent.findUnique({ where: { consentId: consented.consentId } });
  const path = (): string => `/account-access-consents/${consented.consentId}`;

  it('is refused on every path of this version, and stays as it is', async () => {
    const before = await row();
    const token = await stack.clientToken();
    const answers = [
      await stack.ask(path(), { token }),
      await stack.ask(path(), { method: 'DELETE', token }),
      await stack.ask('/accounts', { token: consented.token }),
      await stack.ask('/accounts/any/balances', { token: consented.token }),
      await stack.ask('/accounts/any/transactions', { token: consented.token }),
    ];
    expect(answers.map(({ status, json }) => [status, json])).toEqual(answers.map(() => [403, refused]));
    expect(await row()).toEqual(before);
  });

  it('is that of another TPP to another TPP', async () => {
    const token = await stack.clientToken('tpp-two');
    expect((await stack.ask(path(), { token })).json.Errors[0].Message).toContain('created by another TPP');
  });

  it('is authorised, confirmed and withdrawn at the bank as every other', async () => {
    const authenticatedAt = new Date(stack.clock.nowMs()).toISOString();
    const report = { customerRef: consented.customerRef, authenticatedAt };
    const { status, json } = await stack.report(`/consents/${consented.consentId}/reauthentications`, report);
    expect([status, json.Status]).toEqual([200, 'authorised']);
  });
});
