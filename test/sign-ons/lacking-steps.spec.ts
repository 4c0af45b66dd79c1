import { expect, it } from '@jest/globals';
import { checkCustomerAuthentication, type SignOnClauseId } from '../../packages/adapter-kit/sign-on/sign-on-kit.js';
import { kit as withApp } from './http-app/http-app.kit.js';
import { kit as withCode } from './http/http.kit.js';
import { kit as withRedirect } from './oidc/oidc.kit.js';

const leaveOut = ': put the clause into `without`, with the reason';

it.each<[SignOnClauseId, string, typeof withCode, string]>([
  ['SIGN-03', 'a redirect', withRedirect, 'the adapter asks for no credentials'],
  ['SIGN-04', 'a redirect', withRedirect, 'the first step is not a code'],
  ['SIGN-05', 'an app', withApp, 'the first step is not a code'],
  ['SIGN-06', 'a code', withCode, 'no customer refuses at a code'],
  ['SIGN-17', 'a code', withCode, 'the first step is not a redirect'],
  ['SIGN-19', 'a redirect', { ...withRedirect, signOn: withTextInApp }, 'the first step is not an approval in an app'],
])('%s says why a sign-on with %s has to omit it', async (id, _, kit, reason) => {
  const results = [];
  for await (const result of checkCustomerAuthentication({ ...kit, without: {} }, [id])) results.push(result);
  expect(results).toEqual([
    expect.objectContaining({ outcome: 'broken', reason: expect.stringContaining(reason + leaveOut) }),
  ]);
});

async function withTextInApp() {
  return { ...(await withRedirect.signOn()), textInApp: () => Promise.resolve('') };
}
