import type { FastifyInstance } from 'fastify';
import { Type, type Static } from 'typebox';
import type { AuthorisationServer } from '../authorisation-server/authorisation-server.js';
import { TppEntry } from '../authorisation-server/tpp-entry.js';
import type { Tpp } from '../authorisation-server/tpp.store.js';
import { formatDateTime } from '../open-banking/date-times.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { answer, reportErrors } from './bank-facing.dto.js';
import { operatorErrors, RegisteredTpp, RegisteredTpps, SigningKeyList } from './operator.dto.js';

const secured = { tags: ['TPPs'], security: [{ bankCredential: [] }] };
const params = Type.Object({ clientId: Type.String() });
const theTpp = answer('The TPP as it is now.', RegisteredTpp);
const { clientId: _inThePath, ...registered } = TppEntry.properties;
const TppRegistration = Type.Object(registered, { title: 'TppRegistration', additionalProperties: false });

interface TppPath {
  clientId: string;
}

/** What operators do with the embedded authorization server: its TPPs and its signing keys. Without one, 404. */
export function operatorRoutes(bank: FastifyInstance, embedded: AuthorisationServer | undefined): void {
  const server = (): AuthorisationServer => embedded ?? refuse('The embedded authorization server is off here.');

  bank.get(
    '/tpps',
    {
      schema: {
        ...secured,
        operationId: 'listTpps',
        summary: 'The registered TPPs',
        response: { 200: answer('In the order of their client ids.', RegisteredTpps), ...operatorErrors },
      },
    },
    async () => ({ Tpps: (await server().tpps.list()).map(present) }),
  );
  bank.put<{ Params: TppPath; Body: Static<typeof TppRegistration> }>(
    '/tpps/:clientId',
    {
      schema: {
        ...secured,
        operationId: 'registerTpp',
        summary: 'Register a TPP, or change its registration',
        description: 'One that is suspended stays suspended.',
        params,
        body: TppRegistration,
        response: { 200: theTpp, ...reportErrors, ...operatorErrors },
      },
    },
    async (request) => {
      const { registry } = server();
      const entry = { clientId: request.params.clientId, ...request.body };
      const fault = await registry.faultOfEntry(entry);
      if (fault !== undefined)
        throw new OpenBankingError('field-invalid', { message: fault, path: /^[\w.[\]]*/.exec(fault)?.[0] ?? '' });
      return present(await registry.put(entry));
    },
  );
  for (const [verb, status, description] of [
    ['suspend', 'suspended', 'Its tokens and requests fail at once, in every process; its consents stay as they are.'],
    ['reinstate', 'active', 'Its tokens that have not expired are good again, and so is its access to its consents.'],
  ] as const)
    bank.post<{ Params: TppPath }>(
      `/tpps/:clientId/${verb}`,
      {
        schema: {
          ...secured,
          operationId: `${verb}Tpp`,
          summary: `${verb === 'suspend' ? 'Suspend' : 'Reinstate'} a TPP`,
          description,
          params,
          response: { 200: theTpp, ...operatorErrors },
        },
      },
      async (request) => {
        const { clientId } = request.params;
        const { tpps } = server();
        const known = (await tpps.setStatus(clientId, status)) ? await tpps.find(clientId) : undefined;
        return present(known ?? refuse('No TPP is registered under this client id.'));
      },
    );
  bank.post(
    '/signing-keys/rotate',
    {
      schema: {
        ...secured,
        operationId: 'rotateSigningKeys',
        summary: 'Give every algorithm a new signing key',
        description:
          'The new keys are published at once and sign some minutes later; the old ones stay published until nothing ' +
          'that they signed is good any more. While a new key still waits, nothing more is made.',
        response: { 200: answer('All that are published now.', SigningKeyList), ...operatorErrors },
      },
    },
    async () => {
      const { keys } = server();
      await keys.rotate();
      return {
        Keys: keys.published.map(({ kid, alg, signsFrom, publishedUntil }) => ({
          KeyId: kid,
          Algorithm: alg,
          SignsFromDateTime: formatDateTime(signsFrom),
          PublishedUntilDateTime: publishedUntil && formatDateTime(publishedUntil),
        })),
      };
    },
  );
}

function refuse(message: string): never {
  throw new OpenBankingError('path-unknown', { message });
}

function present({ clientId, name, logo, status, metadata, software }: Tpp): Record<string, unknown> {
  return {
    ClientId: clientId,
    Name: name,
    Logo: logo,
    Status: status,
    SoftwareStatement: software && {
      SoftwareId: software.softwareId,
      OrganisationId: software.organisationId,
      ExpirationDateTime: software.expiresAt && formatDateTime(software.expiresAt),
      WithdrawnDateTime: software.withdrawnAt && formatDateTime(software.withdrawnAt),
    },
    Metadata: metadata,
  };
}
