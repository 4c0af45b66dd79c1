import { Inject, Injectable, Optional } from '@nestjs/common';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { ClientCertificates, type ClientCertificate } from '../../security/tls/client-certificate.js';
import { InvalidToken } from '../../security/tokens/token-claims.js';
import { retryAfterSeconds } from '../../open-banking/common-errors.js';
import type { RefusalReason } from '../../open-banking/reasons.js';
import { embeddedIssuer } from '../../open-banking/tpp-id.js';
import { IssuerUnreachable } from '../../security/tokens/token-issuer.js';
import { TokenVerifier } from '../../security/tokens/token-verifier.js';
import { declareRoutes } from '../../server/routes.js';
import { AuthorisationLog } from '../listeners/authorisation-log.js';
import { recordRefusal, sendRefusal, tooMany } from '../listeners/refusal-reasons.js';
import { answerFault } from '../listeners/fault-answers.js';
import { RequestLimits } from '../listeners/request-limits.js';
import { recordProvenTpp } from '../listeners/request-records.js';
import { GoodStanding } from './good-standing.js';
import { RegistrationRefusal } from './registration-request.js';
import { Registration } from './registration.js';
import { certifiedOrganisation, mayUse, scopesOf } from './tpp.policy.js';
import { TppStore, type Tpp } from './tpp.store.js';

const mostBytes = 64 * 1024;
/** The media type of the standard today, and that of its versions before 3.2. */
const mediaTypes = ['application/jose', 'application/jwt'];

/** Dynamic registration, Open Banking Dynamic Client Registration 3.3, "Endpoints". */
@Injectable()
export class RegistrationRoutes {
  constructor(
    @Optional() @Inject(Registration) private readonly registration: Registration | undefined,
    private readonly certificates: ClientCertificates,
    private readonly tokens: TokenVerifier,
    private readonly tpps: TppStore,
    private readonly limits: RequestLimits,
    private readonly standing: GoodStanding,
    private readonly log: AuthorisationLog,
  ) {}

  /** Without a directory the routes do not exist. */
  declare(server: FastifyInstance, prefix: string): void {
    const { registration } = this;
    if (registration === undefined) return;
    declareRoutes(server, prefix, (routes) => {
      acceptSignedRequests(routes);
      const answer = answerFault(this.log.fault);
      routes.setErrorHandler((error: FastifyError, request, reply) => {
        if (!answerRefusal(error, reply)) answer(error, request, reply);
      });
      routes.addHook('onRequest', async ({ raw }, reply) => {
        const refusal = this.limits.enter(raw, 'tpp');
        return refusal && tooMany(reply, refusal);
      });
      // A registration that succeeds counts as well, because the caller is not a client yet.
      routes.addHook('onSend', async ({ raw }, { statusCode }) => {
        if (statusCode !== 429) this.limits.leave(raw, 'tpp', statusCode);
      });
      const presenting = { onRequest: this.needsCertificate };
      const owning = { onRequest: [this.needsCertificate, this.needsOwner] };
      routes.post('/', presenting, this.register(registration));
      routes.get('/:clientId', owning, ({ tpp }) => clientInformation(required(tpp)));
      routes.put('/:clientId', { ...owning, preValidation: this.stillOwns }, this.change(registration));
      routes.delete('/:clientId', owning, async ({ tpp }, reply) => {
        await registration.remove(required(tpp));
        return reply.code(204).send();
      });
    });
  }

  private register(registration: Registration): RouteHandlerMethod {
    return async (request, reply) => {
      const jwt = signedRequest(request, reply);
      if (jwt === undefined) return reply;
      const tpp = await registration.register(jwt, required(request.presented));
      recordProvenTpp(request, tpp.clientId);
      return reply.code(201).send(clientInformation(tpp));
    };
  }

  private change(registration: Registration): RouteHandlerMethod {
    return async (request, reply) => {
      const jwt = signedRequest(request, reply);
      if (jwt === undefined) return reply;
      return clientInformation(await registration.change(jwt, required(request.presented), required(request.tpp)));
    };
  }

  private readonly needsCertificate = async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply | undefined> => {
    request.presented = this.certificates.trusted(request.raw);
    return request.presented === undefined ? unauthorised(reply, 'certificate-missing') : undefined;
  };

  private readonly needsOwner = async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply | undefined> => {
    const tpp = await this.owner(request, required(request.presented));
    if (typeof tpp === 'string') return unauthorised(reply, tpp);
    recordProvenTpp(request, tpp.clientId);
    const refusal = this.limits.authenticated(request.raw, tpp.clientId);
    if (refusal !== undefined) return tooMany(reply, refusal);
    // Only the bank changes the entries that it made.
    const { clientId } = request.params as { clientId: string };
    if (tpp.clientId !== clientId || tpp.software === undefined) {
      recordRefusal(request.context, 'registration-of-another');
      const error_description = 'the token is not of this client, or the bank registered the client itself';
      return reply.code(403).send({ error: 'unauthorized_client', error_description });
    }
    request.tpp = tpp;
    return undefined;
  };

  /** The body may have taken half a minute, in which the bank may have suspended the TPP. */
  private readonly stillOwns = async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply | undefined> => {
    const tpp = await this.owner(request, required(request.presented));
    if (typeof tpp === 'string') return unauthorised(reply, tpp);
    request.tpp = tpp;
    return undefined;
  };

  /** The TPP of a client-credentials token that came with the certificate that it is bound to, or the reason why the caller is not it. */
  private async owner({ headers }: FastifyRequest, presented: ClientCertificate): Promise<Tpp | RefusalReason> {
    const [, jwt] = /^bearer ([A-Za-z0-9\-._~+/]+=*)$/i.exec(headers.authorization ?? '') ?? [];
    if (jwt === undefined) return 'token-missing';
    try {
      const token = await this.tokens.verify(jwt);
      if (token.tpp.issuer !== embeddedIssuer || token.consentId !== undefined) return 'client-token-needed';
      if (token.certificateThumbprint !== presented.thumbprint) return 'certificate-of-another';
      const tpp = await this.tpps.find(token.tpp.clientId);
      if (tpp === undefined || !(await this.standing.isOf(tpp))) return 'tpp-not-registered';
      return mayUse(presented.certificate, certifiedOrganisation(tpp)) ? tpp : 'certificate-of-another';
    } catch (error) {
      if (error instanceof InvalidToken) return error.reason;
      throw error;
    }
  }
}

function acceptSignedRequests(routes: FastifyInstance): void {
  routes.decorateRequest('presented', undefined);
  routes.decorateRequest('tpp', undefined);
  routes.removeAllContentTypeParsers();
  routes.addContentTypeParser(mediaTypes, { parseAs: 'string', bodyLimit: mostBytes }, (_request, body, done) =>
    done(null, body),
  );
  routes.addContentTypeParser('*', (_request, _body, done) => done(null));
}

/** The signed request; `undefined` after this function has answered. */
function signedRequest({ body }: FastifyRequest, reply: FastifyReply): string | undefined {
  if (typeof body === 'string') return body.trim();
  recordRefusal(reply.request.context, 'media-type');
  const error_description = 'send the signed request as it is, with Content-Type: application/jose';
  void reply.code(415).send({ error: 'invalid_request', error_description });
  return undefined;
}

/** Answers a refusal (RFC 7591, section 3.2.2) or an unreachable directory; false for any other error. */
function answerRefusal(error: Error, reply: FastifyReply): boolean {
  if (error instanceof RegistrationRefusal) {
    const { error: code, description, reason } = error.fault;
    void sendRefusal(reply.code(400), { error: code, error_description: description }, reason);
    return true;
  }
  if (!(error instanceof IssuerUnreachable)) return false;
  // The directory is unreachable, so the gateway cannot check the statement now.
  recordRefusal(reply.request.context, 'directory-unreachable');
  void reply
    .code(503)
    .header('retry-after', String(retryAfterSeconds))
    .send({
      error: 'temporarily_unavailable',
      error_description: 'the directory is unreachable now: send the request again later',
    });
  return true;
}

/** RFC 7591, section 3.2.1: everything that is registered, as it is registered. */
function clientInformation(tpp: Tpp): Record<string, unknown> {
  const { metadata, software } = tpp;
  return {
    ...metadata,
    client_id_issued_at: software && Math.floor(software.registeredAt.getTime() / 1_000),
    scope: ['openid', ...scopesOf(tpp)].join(' '),
    application_type: 'web',
    tls_client_certificate_bound_access_tokens: true,
    software_id: software?.softwareId,
    software_statement: software?.statement,
  };
}

function unauthorised(reply: FastifyReply, reason: RefusalReason): FastifyReply {
  recordRefusal(reply.request.context, reason);
  const next = nextSteps[reason] ?? 'get another client-credentials token';
  const challenge = `Bearer error="invalid_token", error_description="${next}"`;
  return reply.code(401).header('www-authenticate', challenge).send();
}

const nextSteps: Partial<Record<RefusalReason, string>> = {
  'certificate-missing': 'connect with the certificate of the TPP',
  'certificate-of-another': 'connect with a certificate of the organisation, the one with which the token was issued',
  'token-missing': 'send a client-credentials token of this client',
  'client-token-needed': 'send a client-credentials token of this client, not that of a consent',
  'tpp-not-registered': 'the client is suspended or not registered: ask the bank',
};

/** For values that the checks of a route have set. A missing value is a fault of the gateway and fails the request. */
function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the request has passed no check');
  return value;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The certificate of a TPP that registers itself. */
    presented: ClientCertificate | undefined;
    tpp: Tpp | undefined;
  }
}
