import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Stack } from '../support/stack.js';
describe('smoke', () => {
  let stack: Stack;
  beforeAll(async () => { stack = await Stack.start(); });
  afterAll(() => stack.close());
  it('answers', async () => {
    const c = await stack.consent({ persona: stack.bank.personas[0]!.name });
    for (const p of ['/accounts', ...c.accounts.flatMap(a => ['', '/balances','/transactions','/party','/offers','/scheduled-payments','/beneficiaries','/statements','/direct-debits','/standing-orders','/product'].map(x => `/accounts/${a.AccountId}${x}`))]) {
      const r = await stack.ask(p, { token: c.token });
      console.log(p, r.status, r.body.slice(0, 600));
    }
    console.log(stack.log.slice(-3).join(''));
    console.log((await stack.ask('/!openapi.json')).body.slice(0, 300));
    expect(1).toBe(1);
  });
});
