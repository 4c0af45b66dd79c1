import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ajvModule from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { declaredBankFacingDocument, documentText } from '../../tools/build/declared-document.js';
import { loadProfile, profileNames } from '../../src/profiles/load-profile.js';
import { Stack, type Answer } from '../support/stack.js';

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly security?: readonly object[];
  readonly responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema: object }>> }>>;
}
interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const documents = await Promise.all(
  profileNames().map(async (name) => declaredBankFacingDocument(await loadProfile(name))),
);
const document = documents[0] as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

describe('the OpenAPI document of the bank-facing API', () => {
  let stack: Stack;
  const ajv = new ajvModule.default({ strict: false });
  formats.default(ajv);
  ajv.addSchema({ $id: 'document', ...document });

  beforeAll(async () => {
    stack = await Stack.start();
  });
  afterAll(() => stack.close());

  it('is equal to the committed one: run `npm run openapi` after a change', () => {
    const file = join(import.meta.dirname, '../../docs/openapi/bank-facing.json');
    expect(readFileSync(file, 'utf8')).toBe(documentText(document));
  });

  it('is the same for every profile, and OpenAPI 3.1', () => {
    expect(document.openapi).toBe('3.1.0');
    for (const other of documents) expect(other).toEqual(document);
  });

  it('has every route, each with an id, a summary and, under /bank, the credentials of its callers', () => {
    expect(operations.map(({ path, method }) => `${method} ${path}`).sort()).toEqual([
      'delete /bank/v1/operators/{name}',
      'delete /bank/v1/outages/{outageId}',
      'get /bank/v1/cases/consents',
      'get /bank/v1/cases/consents/{consentId}/timeline',
      'get /bank/v1/cases/proposals',
      'get /bank/v1/consents/{consentId}',
      'get /bank/v1/customers/{customerRef}/consents',
      'get /bank/v1/operators',
      'get /bank/v1/outages',
      'get /bank/v1/tpps',
      'get /bank/v1/trail/why/{id}',
      'get /health/live',
      'get /health/ready',
      'get /health/serving',
      'get /metrics',
      'post /bank/v1/accounts/remove',
      'post /bank/v1/cases/proposals/{proposalId}/approve',
      'post /bank/v1/cases/withdrawals',
      'post /bank/v1/consents/{consentId}/authorise',
      'post /bank/v1/consents/{consentId}/begin',
      'post /bank/v1/consents/{consentId}/reauthentications',
      'post /bank/v1/consents/{consentId}/reject',
      'post /bank/v1/consents/{consentId}/revoke',
      'post /bank/v1/operators',
      'post /bank/v1/outages',
      'post /bank/v1/sign-ins/unlock',
      'post /bank/v1/signing-keys/rotate',
      'post /bank/v1/tpps/{clientId}/reinstate',
      'post /bank/v1/tpps/{clientId}/revoke-consents',
      'post /bank/v1/tpps/{clientId}/suspend',
      'put /bank/v1/tpps/{clientId}',
    ]);
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
    for (const { path, operation } of operations) {
      expect(operation.summary).toEqual(expect.any(String));
      expect(operation.security?.length ?? 0).toBeGreaterThanOrEqual(path.startsWith('/bank') ? 1 : 0);
      if (!path.startsWith('/bank')) expect(operation.security).toBeUndefined();
    }
  });

  it('refers only to its own schemas', () => {
    const referred = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect(new Set(referred)).toEqual(new Set(Object.keys(document.components.schemas)));
  });

  it('describes every answer', async () => {
    const check = (path: string, method: string, { status, json }: Answer): void => {
      const { schema } = document.paths[path]?.[method]?.responses[status]?.content?.['application/json'] ?? {};
      const { $ref } = schema as { $ref: string };
      const valid = ajv.getSchema(`document${$ref}`);
      expect([valid?.(json), valid?.errors]).toEqual([true, null]);
      const { properties } = document.components.schemas[$ref.split('/').at(-1) ?? ''] as { properties: object };
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(json as object)));
    };
    const { consentId, customerRef } = await stack.consent({
      persona: 'complete',
      data: { ExpirationDateTime: '2027-01-01T00:00:00+00:00', TransactionFromDateTime: '2026-01-01T00:00:00+00:00' },
    });
    const one = '/bank/v1/consents/{consentId}';
    const read = await stack.report(`/consents/${consentId}`);
    check(one, 'get', read);
    expect(read.json).toMatchObject({
      ConsentId: consentId,
      CustomerRef: customerRef,
      ExpirationDateTime: '2027-01-01T00:00:00+00:00',
      Accounts: expect.arrayContaining([
        { ref: expect.any(String), AccountId: expect.any(String), Product: 'Savings' },
      ]),
    });
    const authenticatedAt = new Date(stack.clock.nowMs()).toISOString();
    const again = await stack.report(`/consents/${consentId}/reauthentications`, { customerRef, authenticatedAt });
    check(`${one}/reauthentications`, 'post', again);
    check(`${one}/reject`, 'post', await stack.report(`/consents/${consentId}/reject`, {}));
    check(`${one}/revoke`, 'post', await stack.report(`/consents/${consentId}/revoke`, {}));
    check(`${one}/authorise`, 'post', await stack.report(`/consents/${consentId}/authorise`, { customerRef }));
    check('/bank/v1/customers/{customerRef}/consents', 'get', await stack.report(`/customers/${customerRef}/consents`));
    expect((await stack.report(`/consents/${consentId}`, undefined, 'wrong')).body).toBe('');
  });
});
