import type { Server as HttpsServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { fastify, type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { Type, type Static } from 'typebox';
import type { AuthorisationServer } from '../authorisation-server/authorisation-server.js';
import { networkOfPeer } from '../security/source-address.js';
import type { Clock } from '../clock/clock.js';
import type { ConsentService } from '../consents/consent.service.js';
import type { Consent } from '../consents/consent.js';
import { accountId } from '../consents/live-consents.js';
import type { TppWithdrawalService } from '../consents/tpp-withdrawal.service.js';
import { consentIdAsMade } from '../server/access-log.js';
import { applyApiDefaults, begin, listenerOptions, serverOptions } from '../server/api-defaults.js';
import { answeredStatus, awaitAnswer } from '../server/broken-http.js';
import { coreSignal } from '../endpoint/core-signal.js';
import type { ErrorResponder } from '../server/error-responder.js';
import { mediaType, pathUnknown } from '../open-banking/common-errors.js';
import { announcesBody, hostFault } from '../server/headers.js';
import type { Metrics } from '../observability/metrics.js';
import { formatDateTime } from '../open-banking/date-times.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { parseBodyDateTime } from '../open-banking/iso8601.js';
import type { PublicIds } from '../open-banking/public-ids.js';
import type { ListenerTls } from '../security/listener-tls.js';
import { unauthorised } from '../security/tpp.check.js';
import type { BankCredentials } from './bank-credentials.js';
import { describeBankFacing } from './bank-facing-document.js';
import {
  answer,
  Authorisation,
  BankConsent,
  BankConsents,
  ConsentsQuery,
  Live,
  NotReady,
  Ready,
  readErrors,
  Reauthentication,
  reportErrors,
  Serving,
} from './bank-facing.dto.js';
import { readConsentsQuery } from './consents-query.js';
import { operatorRoutes } from './operator.routes.js';
import type { Readiness } from './readiness.js';
import { tppStandingRoutes } from './tpp-standing.routes.js';
import { WrongCredentials } from './wrong-credentials.js';

const secured = { tags: ['Consents'], security: [{ bankCredential: [] }] };
const theConsent = answer('The consent as it is now.', BankConsent);
const ofConsent = {
  ...secured,
  params: Type.Object({ consentId: Type.String() }),
  response: { 200: theConsent, ...reportErrors },
};

interface ConsentPath {
  consentId: string;
}

export interface BankFacingParts {
  readonly consents: ConsentService;
  readonly ids: PublicIds;
  readonly errors: ErrorResponder;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly credentials: BankCredentials;
  readonly clock: Clock;
  readonly tls: ListenerTls | undefined;
  readonly coreDeadlineMs: number;
  readonly authorisationServer: AuthorisationServer | undefined;
  readonly withdrawals: TppWithdrawalService;
}

/**
 * The bank's own port: its authorisation service reports here what the customer decided, and operators look here at
 * health and metrics and after the TPPs of the embedded authorization server. Everything under `/bank` needs the bank's credential.
 */
export function createBankFacingServer(parts: BankFacingParts, logger: FastifyBaseLogger): FastifyInstance {
  const { consents, errors, ids } = parts;
  const wrong = new WrongCredentials();
  const callerFault = (request: FastifyRequest): OpenBankingError | undefined =>
    certificateFault(request, parts.tls) ??
    credentialFault(request, parts.credentials, wrong, parts.clock.nowMs()) ??
    contentFault(request);
  const server = fastify({
    ...serverOptions(logger, errors, 'bankAccess'),
    ...listenerOptions(parts.tls),
    // A URL that cannot be decoded reaches no hook.
    frameworkErrors: (_error, request, reply) => {
      begin(request, reply);
      record(request, reply);
      errors.respond(hostFault(request) ?? callerFault(request) ?? pathUnknown(), request, reply);
    },
  });
  parts.tls?.servedBy(server.server as HttpsServer);
  for (const name of ['interactionId', 'coreSignal', 'response'] as const)
    server.decorateRequest(name, undefined as never);
  server.addHook('onRequest', (request, reply, done) => {
    begin(request, reply);
    awaitAnswer(reply);
    const fault = hostFault(request);
    if (fault !== undefined) record(request, reply);
    done(fault);
  });
  applyApiDefaults(server, errors);

  describeBankFacing(server);

  void server.register((open, _options, done) => {
    const tags = ['Operation'];
    const live = { operationId: 'live', summary: 'Whether the process runs', tags, response: { 200: Live } };
    open.get('/health/live', { schema: live }, () => ({ status: 'live' }));
    const ready = {
      operationId: 'ready',
      summary: 'Whether requests can be answered',
      tags,
      response: { 200: Ready, 503: NotReady },
    };
    open.get('/health/ready', { schema: ready }, async (_request, reply) => {
      const faults = await parts.readiness.faults();
      return reply
        .code(faults.length === 0 ? 200 : 503)
        .send(faults.length === 0 ? { status: 'ready' } : { status: 'not ready', faults });
    });
    const serving = {
      operationId: 'serving',
      summary: 'Whether reads of account information can be answered, be it from memory',
      description:
        'Ready but for what reads do without: a database that takes no changes is enough, and the core is not asked. For a ' +
        'balancer that rather passes on a 503 with Retry-After than answers by itself.',
      tags,
      response: { 200: Serving, 503: NotReady },
    };
    open.get('/health/serving', { schema: serving }, async (_request, reply) => {
      const faults = await parts.readiness.servingFaults();
      return reply
        .code(faults.length === 0 ? 200 : 503)
        .send(faults.length === 0 ? { status: 'serving' } : { status: 'not ready', faults });
    });
    const text = {
      description: 'Metrics as Prometheus reads them.',
      content: { 'text/plain': { schema: Type.String() } },
    };
    open.get(
      '/metrics',
      { schema: { operationId: 'metrics', summary: 'Metrics for Prometheus', tags, response: { 200: text } } },
      async (_request, reply) =>
        reply.header('content-type', parts.metrics.registry.contentType).send(await parts.metrics.registry.metrics()),
    );
    done();
  });

  void server.register(
    (bank, _options, done) => {
      bank.addHook('onRequest', (request, reply, next) => {
        record(request, reply);
        next(callerFault(request));
      });
      // Of its own, so that the credential comes first.
      bank.setNotFoundHandler((request, reply) => errors.respond(pathUnknown(), request, reply));
      bank.get<{ Params: ConsentPath }>(
        '/consents/:consentId',
        {
          schema: {
            ...ofConsent,
            response: { 200: theConsent, ...readErrors },
            operationId: 'readConsent',
            summary: 'Read a consent',
            description: "Any TPP's, whatever its status.",
          },
        },
        async ({ params }) => present(await consents.find(params.consentId), ids),
      );
      bank.post<{ Params: ConsentPath; Body: Static<typeof Authorisation> }>(
        '/consents/:consentId/authorise',
        {
          schema: {
            ...ofConsent,
            operationId: 'authoriseConsent',
            summary: 'The customer approved',
            description:
              'AwaitingAuthorisation -> Authorised. Of two reports at once one wins and the other one is told the status.',
            body: Authorisation,
          },
        },
        async (request) => {
          const { customerRef, displayName, accounts, authenticatedAt } = request.body;
          const consent = await consents.authorise(
            request.params.consentId,
            { customerRef, ...(displayName && { displayName }), accounts, authenticatedAt: readTime(authenticatedAt) },
            { interactionId: request.interactionId, signal: coreSignal(request, parts.coreDeadlineMs) },
          );
          return present(consent, ids);
        },
      );
      bank.post<{ Params: ConsentPath }>(
        '/consents/:consentId/reject',
        {
          schema: {
            ...ofConsent,
            operationId: 'rejectConsent',
            summary: 'The customer refused',
            description: 'AwaitingAuthorisation -> Rejected. Only for an explicit refusal, not for a closed page.',
          },
        },
        async ({ params }) => present(await consents.reject(params.consentId), ids),
      );
      bank.post<{ Params: ConsentPath }>(
        '/consents/:consentId/revoke',
        {
          schema: {
            ...ofConsent,
            operationId: 'revokeConsent',
            summary: 'The customer withdrew the consent',
            description:
              'Authorised -> Revoked, or with STATUS_AFTER_WITHDRAWAL=Authorised the status stays and the access alone is ended. ' +
              'Every token of the consent is worth nothing from then on.',
          },
        },
        async ({ params }) => present(await consents.revoke(params.consentId, 'bank'), ids),
      );
      bank.post<{ Params: ConsentPath; Body: Static<typeof Reauthentication> }>(
        '/consents/:consentId/reauthentications',
        {
          schema: {
            ...ofConsent,
            operationId: 'reauthenticate',
            summary: 'The customer authenticated again',
            description:
              'Reopens the authentication window from the time of the authentication. Same consent, same customer; ' +
              'status and expiry stay, and an earlier time than the known one changes nothing.',
            body: Reauthentication,
          },
        },
        async ({ params, body }) =>
          present(
            await consents.reauthenticate(params.consentId, body.customerRef, readTime(body.authenticatedAt)),
            ids,
          ),
      );
      bank.get<{ Params: { customerRef: string }; Querystring: Readonly<Record<string, unknown>> }>(
        '/customers/:customerRef/consents',
        {
          schema: {
            ...secured,
            operationId: 'listConsents',
            summary: "A customer's consents",
            description:
              'Every one that the customer ever authorised and no TPP deleted, newest first, in pages. Consents that are ' +
              'added meanwhile move no page.',
            params: Type.Object({ customerRef: Type.String() }),
            querystring: ConsentsQuery,
            response: { 200: answer('The consents.', BankConsents), ...readErrors },
          },
        },
        async ({ params, query }) => {
          const { items, next } = await consents.listForCustomer(params.customerRef, readConsentsQuery(query));
          return { Consents: items.map((consent) => present(consent, ids)), NextCursor: next };
        },
      );
      tppStandingRoutes(bank, parts);
      operatorRoutes(bank, parts);
      done();
    },
    { prefix: '/bank/v1' },
  );
  return server;
}

/** Leaves the request's access record, also when the caller has gone before the answer: not onResponse. */
function record(request: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once('close', () => {
    const { consentId, clientId } = (request.params ?? {}) as Partial<ConsentPath & { clientId: string }>;
    const status = answeredStatus(reply);
    request.log.info({
      bankAccess: {
        interactionId: request.interactionId,
        method: request.method,
        endpoint: request.is404 ? undefined : request.routeOptions.url,
        consentId: consentIdAsMade(consentId),
        // Known to be a TPP's id once it was found: a path can hold anything.
        tpp: status < 400 ? clientId : undefined,
        status,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
      },
    });
  });
}

/** Beside the credential, where the bank's callers are asked for one: health and metrics are looked at without. */
function certificateFault({ raw }: FastifyRequest, tls: ListenerTls | undefined): OpenBankingError | undefined {
  if (tls?.asksForCertificates !== true) return undefined;
  const socket = raw.socket as TLSSocket;
  // A connection that takes up an earlier one counts as authorized though none was shown.
  if (socket.authorized && socket.getPeerX509Certificate() !== undefined) return undefined;
  return unauthorised('no certificate of BANK_TLS_CLIENT_CA_FILE');
}

function credentialFault(
  { headers, socket }: FastifyRequest,
  credentials: BankCredentials,
  wrong: WrongCredentials,
  nowMs: number,
): OpenBankingError | undefined {
  const credential = /^bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (credential === undefined) return unauthorised(undefined);
  // Of IPv6 its /64, in which one caller can have every address.
  const address = networkOfPeer(socket.remoteAddress) ?? '';
  const seconds = wrong.waitSeconds(address, nowMs);
  // Judged before the credential, or the answer to the right one would end a search for it.
  if (seconds > 0)
    return new OpenBankingError(
      'too-many-requests',
      { message: `Too many wrong credentials came from this address: wait ${seconds} seconds.` },
      { headers: { 'retry-after': String(seconds) } },
    );
  if (credentials.accepts(credential)) return undefined;
  wrong.count(address, nowMs);
  return unauthorised('not the credential of the bank');
}

function contentFault({ method, headers }: FastifyRequest): OpenBankingError | undefined {
  return method !== 'GET' && headers['content-type'] === undefined && announcesBody(headers) ? mediaType() : undefined;
}

function readTime(text: string): Date {
  const time = parseBodyDateTime(text);
  if (time === undefined)
    throw new OpenBankingError('field-date', {
      message: 'authenticatedAt is not an ISO 8601 date-time, e.g. 2026-05-02T09:30:00+00:00.',
      path: 'authenticatedAt',
    });
  return new Date(time.atMs);
}

/** A consent as the bank sees it: its own references beside the ids that TPPs see. */
function present(consent: Consent, ids: PublicIds): Record<string, unknown> {
  const { authorisation } = consent;
  return {
    ConsentId: consent.consentId,
    Status: consent.status,
    TppId: consent.tppId,
    Permissions: consent.permissions,
    CreationDateTime: formatDateTime(consent.createdAt),
    StatusUpdateDateTime: formatDateTime(consent.statusUpdatedAt),
    ExpirationDateTime: consent.expires?.text,
    TransactionFromDateTime: consent.transactionsFrom?.text,
    TransactionToDateTime: consent.transactionsTo?.text,
    AccessEndedDateTime: consent.ended && formatDateTime(consent.ended.at),
    ...(authorisation && {
      CustomerRef: authorisation.customerRef,
      LastAuthenticatedDateTime: formatDateTime(authorisation.lastAuthenticatedAt),
      Accounts: authorisation.accounts.map(({ ref: accountRef, product }) => ({
        ref: accountRef,
        AccountId: accountId(ids, accountRef),
        Product: product,
      })),
    }),
  };
}
