import { beforeAll, describe, expect, it } from '@jest/globals';
import { declaredDocument } from '../../tools/build/declared-document.js';
import { profile } from '../../src/profiles/profile-1.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { v4_0 } from '../../src/versions/v4.0/v4.0.js';
import { checkAgainstDocument, type CheckedAnswer } from '../support/own-openapi.js';
import { base } from '../support/stack.js';

const id = '93bac548-d2de-4546-b106-880a5018460d';
const headers = {
  'x-fapi-interaction-id': id,
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
};
const balance = {
  AccountId: '1',
  CreditDebitIndicator: 'Credit',
  Type: 'InterimBooked',
  DateTime: '2026-05-02T09:30:00+00:00',
  Amount: { Amount: '12.34', Currency: 'GBP' },
};
const links = { Self: `https://bank.example${base}/accounts/1/balances` };
const error = {
  Code: '404 NotFound',
  Id: id,
  Message: 'm',
  Errors: [{ ErrorCode: 'UK.AIG.Path.Unknown', Message: 'm', Url: 'https://bank.example/docs/errors#path-unknown' }],
};

function answer(status: number, json: unknown, changed: CheckedAnswer['headers'] = {}): CheckedAnswer {
  return { status, headers: { ...headers, ...changed }, body: json === undefined ? '' : JSON.stringify(json), json };
}
const balances = (item: object, envelope: object = {}): CheckedAnswer =>
  answer(200, { Data: { Balance: [item] }, Links: links, Meta: {}, ...envelope });

/** Every end-to-end test compares every answer with the document: that comparison must be able to fail. */
describe('the comparison of an answer with the gateway’s OpenAPI document', () => {
  let document: object;
  beforeAll(async () => {
    document = await declaredDocument(profile, v3_1);
  });
  const check = (method: string, path: string, given: CheckedAnswer) => () =>
    checkAgainstDocument(document, method, `${base}${path}`, given);

  it.each<[string, string, string, CheckedAnswer]>([
    ['a declared body', 'GET', '/accounts/1/balances', balances(balance)],
    ['a query and a trailing slash', 'GET', '/accounts/1/balances/?a=b/c', balances(balance)],
    [
      '401 without a body',
      'GET',
      '/accounts/1/party',
      answer(401, undefined, { 'www-authenticate': 'Bearer realm="a"' }),
    ],
    ['404 of an unknown path', 'GET', '/foobar', answer(404, error)],
    ['404 of an endpoint that the profile lacks', 'GET', '/accounts/1/product', answer(404, error)],
    ['405 of a known path', 'PUT', '/accounts', answer(405, error, { allow: 'GET' })],
    ['204 without a body', 'DELETE', '/account-access-consents/1', answer(204, undefined)],
  ])('accepts %s', (_, method, path, given) => {
    expect(check(method, path, given)).not.toThrow();
  });

  it.each([
    ['a body for another reason', 'the token is not valid', { ErrorCode: 'TKXP' }, 'only an expired token has a body'],
    ['no body for an expired token', 'the token has expired', undefined, 'content type'],
  ])('refuses 401 of v4.0 with %s', async (_, description, json, told) => {
    const challenge = { 'www-authenticate': `Bearer error_description="${description}"`, 'content-type': undefined };
    const given = answer(401, json, json === undefined ? challenge : { ...challenge, ...headers });
    const v4 = await declaredDocument(profile, v4_0);
    expect(() => checkAgainstDocument(v4, 'GET', `${v4_0.basePath}/accounts`, given)).toThrow(told);
  });

  it.each<[string, string, string, CheckedAnswer, RegExp]>([
    ['an undeclared member', 'GET', '/accounts/1/balances', balances({ ...balance, Secret: 1 }), /Balance\/0.*Secret/],
    [
      'an undeclared member deep inside',
      'GET',
      '/accounts/1/balances',
      balances({ ...balance, Amount: { ...balance.Amount, Pence: 1 } }),
      /Amount.*Pence/,
    ],
    ['an undeclared member next to Data', 'GET', '/accounts/1/balances', balances(balance, { Risk: {} }), /Risk/],
    ['a member in Meta', 'GET', '/accounts/1/balances', balances(balance, { Meta: { TotalPages: 1 } }), /TotalPages/],
    ['a missing member', 'GET', '/accounts/1/balances', balances({ ...balance, Type: undefined }), /Type/],
    [
      'a relative link',
      'GET',
      '/accounts/1/balances',
      balances(balance, { Links: { Self: '/accounts' } }),
      /Links\/Self/,
    ],
    ['an undeclared status', 'GET', '/accounts', answer(418, error), /not declared/],
    ['data of a path that is not declared', 'GET', '/accounts/1/product', balances(balance), /not declared/],
    ['404 of a path that is declared', 'PUT', '/accounts', answer(404, error), /not declared/],
    ['405 of a path that is not declared', 'PUT', '/foobar', answer(405, error, { allow: 'GET' }), /not declared/],
    ['405 without Allow', 'PUT', '/accounts', answer(405, error), /Allow is missing/],
    ['401 without WWW-Authenticate', 'GET', '/accounts', answer(401, undefined), /WWW-Authenticate is missing/],
    ['401 with a body', 'GET', '/accounts', answer(401, error, { 'www-authenticate': 'Bearer realm="a"' }), /no body/],
    ['503 without Retry-After', 'GET', '/accounts', answer(503, error), /Retry-After is missing/],
    [
      'no interaction id',
      'GET',
      '/accounts',
      answer(404, error, { 'x-fapi-interaction-id': undefined }),
      /interaction-id is missing/,
    ],
    ['another content type', 'GET', '/accounts', answer(404, error, { 'content-type': 'text/html' }), /text\/html/],
    ['an error without an Id', 'GET', '/foobar', answer(404, { ...error, Id: undefined }), /Id/],
  ])('refuses %s', (_, method, path, given, told) => {
    expect(check(method, path, given)).toThrow(told);
  });
});
