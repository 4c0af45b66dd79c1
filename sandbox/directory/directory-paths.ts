import type { FastifyInstance } from 'fastify';
import type { JWK } from 'jose';
import { bearerOnly, member } from '../bank/bearer.js';
import { isPspRole } from '../pki/qc-statements.js';
import type { Directory } from './directory.js';
import type { Software } from './software.js';

/**
 * The directory over HTTP, registered below `/directory`. Every caller reads its keys, and the keys and the current
 * statement of registered software. A caller with the sandbox credential registers and withdraws software.
 */
export function directoryPaths(directory: Directory, credential: string) {
  return (paths: FastifyInstance, _: object, done: () => void): void => {
    paths.get('/jwks.json', () => directory.publicKeys);
    paths.get<{ Params: { id: string } }>('/software/:id/jwks.json', ({ params }) => directory.keysOf(params.id));
    paths.get<{ Params: { id: string } }>('/organisations/:id/jwks.json', ({ params }) =>
      directory.keysOfOrganisation(params.id),
    );
    paths.get<{ Params: { id: string } }>('/software/:id/statement', async ({ params }, reply) => {
      const statement = await directory.currentStatement(params.id);
      return statement === undefined ? reply.code(404).send() : reply.type('application/jwt').send(statement);
    });
    paths.delete<{ Params: { id: string } }>(
      '/software/:id',
      { onRequest: bearerOnly(credential, 'sandbox') },
      async ({ params }, reply) => {
        await directory.withdraw(params.id);
        return reply.code(204).send();
      },
    );
    // Keys are never revoked here: registering another key removes the old one.
    for (const kind of ['software', 'organisations']) paths.get(`/${kind}/:id/revoked.json`, () => ({ keys: [] }));

    paths.post<{ Body: unknown }>(
      '/software-statements',
      { onRequest: bearerOnly(credential, 'sandbox') },
      async (request, reply) => {
        const software = softwareIn(request.body);
        if (software === undefined) return reply.code(400).send({ error: expected });
        return reply.code(201).send({ software_statement: await directory.statement(software) });
      },
    );
    done();
  };
}

const expected =
  'a software statement needs softwareId, clientName, description, clientUri, redirectUris, jwks with public keys, and ' +
  'organisation with organisationName, organisationId, registrationId and roles (PSP_AI, PSP_PI, PSP_IC, PSP_AS); it may have agentName';

function softwareIn(body: unknown): Software | undefined {
  const texts = ['softwareId', 'clientName', 'description', 'clientUri'].map((name) => member(body, name));
  const agentName = member(body, 'agentName');
  const organisation = member(body, 'organisation');
  const names = ['organisationName', 'organisationId', 'registrationId'].map((name) => member(organisation, name));
  const redirectUris = member(body, 'redirectUris');
  const roles = member(organisation, 'roles');
  const keys = member(member(body, 'jwks'), 'keys');
  if (![...texts, ...names].every(isName) || !isList(redirectUris, isName) || !isList(roles, isPspRole))
    return undefined;
  if (!isList(keys, isPublicKey) || !(agentName === undefined || isName(agentName))) return undefined;
  const [softwareId = '', clientName = '', description = '', clientUri = ''] = texts as string[];
  const [organisationName = '', organisationId = '', registrationId = ''] = names as string[];
  return {
    softwareId,
    clientName,
    ...(agentName !== undefined && { agentName }),
    description,
    clientUri,
    redirectUris,
    organisation: { organisationName, organisationId, registrationId, roles: roles },
    jwks: { keys },
  };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isPublicKey(value: unknown): value is JWK {
  return isName(member(value, 'kty')) && member(value, 'd') === undefined;
}

function isList<T>(value: unknown, isItem: (item: unknown) => item is T): value is readonly T[] {
  return Array.isArray(value) && value.length > 0 && value.every(isItem);
}
