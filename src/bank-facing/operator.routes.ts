import type { FastifyInstance } from 'fastify';
import { Type, type Static } from 'typebox';
import type { AuthorisationServer } from '../authorisation-server/authorisation-server.js';
import { TppEntry } from '../authorisation-server/tpps/tpp-entry.js';
import { formatDateTime } from '../open-banking/date-times.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { answer, reportErrors } from './bank-facing.dto.js';
import { operatorErrors, RegisteredTpp, RegisteredTpps, SigningKeyList } from './operator.dto.js';
import { presentTpp, type TppStandingParts } from './tpp-standing.routes.js';

const secured = { tags: ['TPPs'], security: [{ bankCredential: [] }] };
const params = Type.Object({ clientId: Type.String() });
const theTpp = answer('The TPP as it is now.', RegisteredTpp);
const { clientId: _inThePath, ...registered } = TppEntry.properties;
const TppRegistration = Type.Object(registered, { title: 'TppRegistration', additionalProperties: false });

interface TppPath {
  clientId: string;
}

/** What operators do with the embedded authorization server: its TPPs and its signing keys. Without one, 404. */
export function operatorRoutes(
  bank: FastifyInstance,
  { authorisationServer: embedded, withdrawals }: TppStandingParts,
): void {
  const server = (): AuthorisationServer => embedded ?? refuse('The embedded authorization server is off here.');

  bank.get(
    '/tpps',
    {
      schema: {
        ...secured,
        operationId: 'listTpps',
        summary: 'The TPPs that are registered here, and those of which the bank decided something',
        response: {
          200: answer('In the order of their client ids, those that are registered here first.', RegisteredTpps),
          ...operatorErrors,
        },
      },
    },
    async () => {
      const [registered, standings] = await Promise.all([embedded?.tpps.list() ?? [], withdrawals.standingOfAll()]);
      const ids = new Set(registered.map(({ clientId }) => clientId));
      return {
        Tpps: [
          ...registered.map((tpp) => presentTpp(tpp.clientId, tpp, standings.get(tpp.clientId) ?? {})),
          ...[...standings]
            .filter(([clientId]) => !ids.has(clientId))
            .map(([clientId, standing]) => presentTpp(clientId, undefined, standing)),
        ],
      };
    },
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
      const tpp = await registry.put(entry);
      if (entry.status === 'suspended') await withdrawals.suspend(entry.clientId);
      return presentTpp(entry.clientId, tpp, await withdrawals.standing(entry.clientId));
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
