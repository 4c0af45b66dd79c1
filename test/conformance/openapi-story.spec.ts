import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuthorisationSetting } from '../authorisation/setting.js';
import type { TestTpp } from '../authorisation/tpp.js';
import { Stack, type ConsentedCustomer, type Json } from '../support/stack.js';

const plainUrl = 'http://localhost:3000';

describe('the OpenAPI document of a gateway with the embedded authorization server', () => {
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  let document: Json;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start({ config: { baseUrl: plainUrl } });
    tpp = await setting.tpp('tpp-reader');
    document = JSON.parse((await setting.stack.gateway.server.inject('/openapi.json')).body);
  });
  afterAll(() => setting.close());

  it('names both servers and the users of each', () => {
    expect(document.servers).toEqual([
      { url: plainUrl, description: expect.stringContaining('Without a certificate') },
      { url: setting.places.tppUrl, description: expect.stringContaining('mutual TLS') },
    ]);
  });

  it('has the addresses and scopes of the discovery document, and its URL', async () => {
    const { clientCredentials, consentToken, discovery } = document.components.securitySchemes;
    const answer = await tpp.fetch(discovery.openIdConnectUrl, { method: 'GET' } as never);
    const metadata = (await answer.json()) as Json;
    const { authorizationUrl, tokenUrl, refreshUrl, scopes } = consentToken.flows.authorizationCode;
    expect([authorizationUrl, tokenUrl, refreshUrl]).toEqual([
      metadata.authorization_endpoint,
      metadata.token_endpoint,
      metadata.token_endpoint,
    ]);
    expect(clientCredentials.flows.clientCredentials.tokenUrl).toBe(metadata.token_endpoint);
    expect(Object.keys(scopes)).toEqual(metadata.scopes_supported);
    expect(document.externalDocs.url).toBe(discovery.openIdConnectUrl);
  });

  it('lets each route of the API be called with a TPP’s own token or with a pasted one', () => {
    for (const [path, item] of Object.entries<Json>(document.paths)) {
      const own = /consents|events/.test(path) ? 'clientCredentials' : 'consentToken';
      for (const { security } of Object.values<Json>(item)) {
        const scope = path.includes('/cbpii/') ? 'fundsconfirmations' : 'accounts';
        expect(security[0]).toEqual({ [own]: [scope], mutualTLS: [] });
        expect(security.at(-1)).toEqual({ pastedToken: [] });
      }
    }
  });
});

describe('an example of the OpenAPI document', () => {
  let stack: Stack;
  let customer: ConsentedCustomer;
  let document: Json;
  beforeAll(async () => {
    stack = await Stack.start({ exampleAccount: 'A100101' });
    customer = await stack.consent({ persona: 'complete' });
    document = stack.gateway.server.swagger() as Json;
  });
  afterAll(() => stack.close());

  const resolved = (parameter: Json): Json =>
    parameter.$ref === undefined ? parameter : document.components.parameters[parameter.$ref.split('/').at(-1)];

  it('is a body that creates a consent without changes', async () => {
    const { post } = Object.entries<Json>(document.paths).find(([path]) => path.endsWith('consents'))?.[1] ?? {};
    const { example } = post.requestBody.content['application/json'];
    const { status } = await stack.ask('/account-access-consents', {
      method: 'POST',
      token: await stack.clientToken(),
      payload: example,
    });
    expect(status).toBe(201);
  });

  it('is, for each endpoint, a request that succeeds with every header and parameter that has an example', async () => {
    const reads = Object.entries<Json>(document.paths)
      .filter(([, { get }]) => get !== undefined)
      .filter(([path]) => !path.includes('consents'));
    expect(reads.length).toBeGreaterThan(9);
    for (const [path, { get }] of reads) {
      const given = (get.parameters as Json[]).map(resolved).filter(({ example }) => example !== undefined);
      const of = (place: string): [string, string][] =>
        given.filter((parameter) => parameter.in === place).map(({ name, example }) => [name, example]);
      const query = new URLSearchParams(of('query')).toString();
      const short = path
        .replace(/^.*\/aisp/, '')
        .replace('{AccountId}', () => new Map(of('path')).get('AccountId') ?? '');
      const headers = Object.fromEntries(of('header'));
      const { status } = await stack.ask(`${short}?${query}`, { token: customer.token, headers });
      expect([path, status]).toEqual([path, 200]);
    }
  });
});
