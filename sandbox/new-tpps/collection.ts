import { accessToken, clientToken, pushedRequest } from './collection-authorisation.js';
import { type Field, itemOf } from './collection-request.js';
import type { Operation, Parameter, Schema, ServedDocument } from './served-document.js';

/** A request that the document describes. */
interface Described {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

/**
 * The gateway's API in Postman's collection format 2.1: the requests of one access in their order, each with tests of
 * its answer. Later requests take tokens and ids from earlier answers.
 */
export function collectionOf(document: ServedDocument, permissions: readonly string[]): object {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    ['post', 'get', 'delete'].flatMap((method) => {
      const operation = methods[method];
      return operation === undefined ? [] : [{ path, method, operation }];
    }),
  );
  const [onConsents, onAccounts] = ['clientCredentials', 'consentToken'].map((security) =>
    described.filter(({ operation }) => operation.security?.some((one) => security in one)),
  ) as [Described[], Described[]];
  const withConsents = (isEnd: boolean): object[] =>
    onConsents
      .filter(({ method }) => (method === 'delete') === isEnd)
      .map((one) => itemOfApi(one, 'clientToken', document, permissions));
  return {
    info: {
      name: 'Account information',
      description: howTo,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    item: [
      { name: 'Ask for access', item: [itemOf(clientToken), ...withConsents(false), itemOf(pushedRequest)] },
      {
        name: 'Read',
        item: [itemOf(accessToken), ...onAccounts.map((one) => itemOfApi(one, 'accessToken', document, permissions))],
      },
      { name: 'End the access', item: withConsents(true) },
    ],
  };
}

const howTo = `In the settings for certificates give transport.pem as certificate and as key for the bank's host, and
authority.pem as the authority. Import environment.json and choose it.

Run the folder "Ask for access". Then open the address in the variable openThis in a browser, sign in and approve. Put
the address to which the bank sends you back, as it is, into the variable cameBack, and run the folder "Read" within
five minutes. "End the access" deletes the consent.`;

/** The variables of the collection, for a TPP that has no consent yet. */
export function environmentOf(
  name: string,
  known: Readonly<Record<'bank' | 'issuer' | 'clientId' | 'redirectUri', string>>,
): object {
  const values = Object.entries({ ...known, cameBack: '' });
  return {
    name,
    values: values.map(([key, value]) => ({ key, value, enabled: true })),
    _postman_variable_scope: 'environment',
  };
}

function itemOfApi(
  { path, method, operation }: Described,
  token: string,
  document: ServedDocument,
  permissions: readonly string[],
): object {
  const parameters = (operation.parameters ?? []).map((one) =>
    '$ref' in one ? named<Parameter>(one.$ref, document) : one,
  );
  const fields = (place: 'query' | 'header'): Field[] => parameters.filter((one) => one.in === place).map(fieldOf);
  return itemOf({
    name: operation.summary,
    description: operation.description,
    method: method.toUpperCase(),
    path: path.replace(/\{(\w+)\}/g, '{{$1}}'),
    token,
    query: fields('query'),
    headers: fields('header'),
    ...(method === 'post' && { json: { Data: { Permissions: permissions }, Risk: {} } }),
    tests: [...testsOf(operation, document), ...idTests(path, document)],
  });
}

const interactionId = 'x-fapi-interaction-id';

/** Sends only the interaction id. The developer can switch on the other headers and parameters. */
function fieldOf({ name, example = '', description }: Parameter): Field {
  if (name === interactionId) return { key: name, value: '{{$guid}}', description };
  return { key: name, value: example, description, disabled: true };
}

/** Tests for everything that the document promises about the answer. */
function testsOf({ responses }: Operation, document: ServedDocument): string[] {
  const [status = '', answer] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
  const schema = answer?.content?.['application/json']?.schema;
  return [
    `pm.test('answers ${status}', () => pm.response.to.have.status(${status}));`,
    "pm.test('has the interaction id of the request', () =>",
    `  pm.expect(pm.response.headers.get('${interactionId}')).to.equal(pm.request.headers.get('${interactionId}')));`,
    ...(schema === undefined
      ? ["pm.test('has no body', () => pm.expect(pm.response.text()).to.equal(''));"]
      : [
          `const essentials = ${JSON.stringify(essentialsOf(schema, document))};`,
          "pm.test('has the members that the document requires', () => pm.response.to.have.jsonSchema(essentials));",
        ]),
  ];
}

/** Only the required members, with their types and values. */
function essentialsOf(schema: Schema, document: ServedDocument): Schema {
  if (schema.$ref !== undefined) return essentialsOf(named(schema.$ref, document), document);
  const { type, enum: values, required, properties = {}, items } = schema;
  const needed = (required ?? []).flatMap((name) => {
    const property = properties[name];
    return property === undefined ? [] : [[name, essentialsOf(property, document)] as const];
  });
  return {
    type,
    enum: values,
    required,
    ...(needed.length > 0 && { properties: Object.fromEntries(needed) }),
    ...(items !== undefined && { items: essentialsOf(items, document) }),
  };
}

/** `/accounts` gives the `AccountId` that `/accounts/{AccountId}` needs. */
function idTests(path: string, { paths }: ServedDocument): string[] {
  const below = Object.keys(paths).find((other) => other.startsWith(`${path}/{`));
  const id = below === undefined ? undefined : /\{(\w+)\}/.exec(below.slice(path.length))?.[1];
  if (id === undefined) return [];
  return [
    `pm.test('gives the ${id}', () => {`,
    '  const { Data } = pm.response.json();',
    `  const record = [Data, ...Object.values(Data).flat()].find(({ ${id} }) => ${id} !== undefined);`,
    `  pm.environment.set('${id}', record.${id});`,
    '});',
  ];
}

/** The part of the document that the reference names. */
function named<Named>(reference: string, document: ServedDocument): Named {
  const names = reference.split('/').slice(1);
  return names.reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>>)[name], document) as Named;
}
