import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { oneError } from '../support/error-shape.js';
import { portOf, requestText, sendRaw } from '../support/raw-http.js';
import { Stack, type Answer, type ConsentedCustomer } from '../support/stack.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';

const consents = '/account-access-consents';
const body = JSON.stringify({ Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} });
const notAcceptable = oneError({ Code: '406 NotAcceptable', ErrorCode: 'UK.OBIE.Header.Invalid', Path: 'Accept' });
const asJson = { 'content-type': 'application/json' };
const contentCoding = oneError({
  Code: '415 UnsupportedMediaType',
  ErrorCode: 'UK.OBIE.Header.Invalid',
  Path: 'Content-Encoding',
});
const mediaType = oneError({
  Code: '415 UnsupportedMediaType',
  ErrorCode: 'UK.OBIE.Header.Invalid',
  Path: 'Content-Type',
});

describe('the headers of a request', () => {
  let stack: Stack;
  let customer: ConsentedCustomer;
  let client: string;
  beforeAll(async () => {
    stack = await Stack.start();
    customer = await stack.consent({ persona: 'saver' });
    client = await stack.clientToken();
  });
  afterAll(() => stack.close());

  const accounts = (headers: Record<string, string>): Promise<Answer> =>
    stack.ask('/accounts', { token: customer.token, headers });
  const post = (headers: Record<string, string>, payload?: string): Promise<Answer> =>
    stack.ask(consents, { method: 'POST', token: client, headers, payload });

  it.each([
    'application/json',
    '*/*',
    'application/*',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json;charset=utf8',
    'application/json;q=0.1',
    'text/html, application/json;q=0.9',
    'text/html, */*;q=0.1',
    'application/jwt, application/json',
  ])('Accept: %s is answered in JSON', async (accept) => {
    const { status, headers } = await accounts({ accept });
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  });

  it.each([
    'text/html',
    'application/xml, text/*',
    'application/jwt',
    'application/json;q=0',
    'application/json;q=0, */*',
    '*/*;q=0',
    'application/json; charset=iso-8859-1',
    'garbage',
  ])('Accept: %s is 406', async (accept) => {
    const { status, json } = await accounts({ accept });
    expect([status, json]).toEqual([406, notAcceptable]);
    expect((await post({ accept, 'content-type': 'application/json' }, body)).json).toEqual(notAcceptable);
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'Application/JSON',
    'application/json; q=1',
  ])('a POST as Content-Type: %s is read', async (type) => {
    expect((await post({ 'content-type': type }, body)).status).toBe(201);
  });

  it.each([
    'text/plain',
    'text/json',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/problem+json',
    'application/jsonx',
    'json',
    '',
  ])('a POST as Content-Type: "%s" is 415', async (type) => {
    const { status, json } = await post({ 'content-type': type }, body);
    expect([status, json]).toEqual([415, mediaType]);
  });

  it.each(['gzip', 'br', 'GZIP', 'identity, gzip'])(
    'a POST with Content-Encoding: "%s" is 415, and names the coding that is read',
    async (coding) => {
      const { status, json, headers } = await post({ ...asJson, 'content-encoding': coding }, body);
      expect([status, json, headers['accept-encoding']]).toEqual([415, contentCoding, 'identity']);
    },
  );

  it.each(['identity', 'Identity', ''])('a POST may say that its body has no coding: "%s"', async (coding) => {
    expect((await post({ ...asJson, 'content-encoding': coding }, body)).status).toBe(201);
  });

  it('a GET may have any Content-Encoding, which says nothing', async () => {
    expect((await accounts({ 'content-encoding': 'gzip' })).status).toBe(200);
  });

  it('without a content type are 415 on a POST, with or without a body', async () => {
    const { port } = await listening();
    for (const content of ['', body]) {
      const text = requestText('POST', `${v3_1.basePath}${consents}`, [`Authorization: Bearer ${client}`], content);
      const { status, json } = await sendRaw(port, text);
      expect([status, json]).toEqual([415, mediaType]);
    }
  });

  it.each(['text/plain', 'application/json', 'application/xml; charset=utf-16', 'garbage'])(
    'may contain Content-Type: %s on GET, and on DELETE without a body, where it is ignored',
    async (type) => {
      expect((await accounts({ 'content-type': type })).status).toBe(200);
      const { consentId } = await stack.consent({ persona: 'saver' });
      const one = `${consents}/${consentId}`;
      expect((await stack.ask(one, { token: client, headers: { 'content-type': type } })).status).toBe(200);
      const deleted = await stack.ask(one, { method: 'DELETE', token: client, headers: { 'content-type': type } });
      expect([deleted.status, deleted.body]).toEqual([204, '']);
    },
  );

  it('must announce JSON on a DELETE with a body', async () => {
    const { consentId } = await stack.consent({ persona: 'saver' });
    const remove = (type: string): Promise<Answer> =>
      stack.ask(`${consents}/${consentId}`, {
        method: 'DELETE',
        token: client,
        headers: { 'content-type': type },
        payload: '{}',
      });
    expect((await remove('text/plain')).json).toEqual(mediaType);
    expect((await remove('application/json')).status).toBe(204);
  });

  it('may contain those of the standard with any value, and those of other APIs, which are ignored', async () => {
    for (const value of ['', 'garbage', 'Sun, 14 Jun 2026 19:43:31 GMT'])
      expect(
        (
          await accounts({
            'x-fapi-auth-date': value,
            'x-fapi-customer-ip-address': value,
            'x-customer-user-agent': value,
            'x-fapi-customer-last-logged-time': value,
            'x-fapi-financial-id': value,
            'x-idempotency-key': value.repeat(50),
            'x-jws-signature': value,
          })
        ).status,
      ).toBe(200);
  });

  async function listening(): Promise<{ port: number }> {
    if (stack.gateway.server.addresses().length === 0) await stack.gateway.listen();
    return { port: portOf(stack.gateway.server) };
  }
});
