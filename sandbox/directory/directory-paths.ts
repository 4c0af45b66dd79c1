import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import Value from 'typebox/value';
import { pspRoleIds } from '../../src/open-banking/psd2-statement.js';
import { bearerOnly } from '../bank/bearer.js';
import type { PspRole } from '../pki/qc-statements.js';
import type { Directory } from './directory.js';

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
        const { body } = request;
        if (!Value.Check(softwareSchema, body)) return reply.code(400).send({ error: expected });
        return reply.code(201).send({ software_statement: await directory.statement(body) });
      },
    );
    done();
  };
}

const name = Type.String({ minLength: 1 });
const names = Type.Array(name, { minItems: 1 });
const publicKey = Type.Object({ kty: name, d: Type.Optional(Type.Never()) });
const roles = Object.keys(pspRoleIds) as PspRole[];

const softwareSchema = Type.Object({
  softwareId: name,
  clientName: name,
  agentName: Type.Optional(name),
  description: name,
  clientUri: name,
  redirectUris: names,
  organisation: Type.Object({
    organisationName: name,
    organisationId: name,
    registrationId: name,
    roles: Type.Array(Type.Enum(roles), { minItems: 1 }),
  }),
  jwks: Type.Object({ keys: Type.Array(publicKey, { minItems: 1 }) }),
});

const expected =
  'a software statement needs softwareId, clientName, description, clientUri, redirectUris, jwks with public keys, and ' +
  'organisation with organisationName, organisationId, registrationId and roles (PSP_AI, PSP_PI, PSP_IC, PSP_AS); it may have agentName';
