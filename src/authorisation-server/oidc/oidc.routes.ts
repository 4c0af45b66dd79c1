import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { authorisationPaths as paths, discoveryPath, mountPath } from '../../open-banking/authorisation-paths.js';
import { declareRoutes } from '../../server/routes.js';
import { pageHeaders, sendPage } from '../listeners/page-answer.js';
import { recordRefusal, tooMany } from '../listeners/refusal-reasons.js';
import { RequestLimits, type Caller, type TooMany } from '../listeners/request-limits.js';
import { PagesByLanguage } from '../pages/pages.js';
import { CurrentProvider } from './current-provider.js';

/** The library answers the preflight of a browser's script itself. */
const reads: HTTPMethods[] = ['GET', 'HEAD', 'OPTIONS'];
const posts: HTTPMethods[] = ['POST', 'OPTIONS'];

type Endpoints = readonly (readonly [path: string, methods: HTTPMethods[]])[];

const documents: Endpoints = [
  [discoveryPath, reads],
  ['/.well-known/oauth-authorization-server', reads],
  [paths.jwks, reads],
];
const ofTpps: Endpoints = [
  [paths.token, posts],
  [paths.pushed_authorization_request, posts],
  [paths.revocation, posts],
];

/**
 * The library's endpoints, each on the listener of those who call it. Those that authenticate a caller are limited here, before
 * the library reads anything. The published documents have no limit.
 */
@Injectable()
export class OidcRoutes {
  constructor(
    private readonly provider: CurrentProvider,
    private readonly limits: RequestLimits,
    private readonly pages: PagesByLanguage,
  ) {}

  /** @param url the origin of the listener */
  declareForTpps(server: FastifyInstance, url: string): void {
    declareRoutes(server, mountPath, (routes) => {
      leaveBodiesUnread(routes);
      for (const [path, method] of [...documents, ...ofTpps])
        routes.route({
          method,
          url: path,
          handler: (request, reply) => {
            const caller = request.method === 'POST' ? 'tpp' : undefined;
            return this.handOver(request, reply, url, `${path}${queryOf(request)}`, caller);
          },
        });
    });
  }

  /** @param url the origin of the listener */
  declareForBrowsers(server: FastifyInstance, url: string): void {
    const handler = (path: string, caller?: Caller) => (request: FastifyRequest, reply: FastifyReply) => {
      delete request.raw.headers.cookie;
      return this.handOver(request, reply, url, `${path}${queryOf(request)}`, caller);
    };
    declareRoutes(server, mountPath, (routes) => {
      leaveBodiesUnread(routes);
      routes.head(paths.authorization, beginNothing);
      for (const [path, method] of documents) routes.route({ method, url: path, handler: handler(path) });
      const authorize = handler(paths.authorization, 'browser');
      routes.route({
        method: ['GET', 'POST'],
        url: paths.authorization,
        handler: (request, reply) => (isPreview(request) ? refusePreview(reply) : authorize(request, reply)),
      });
    });
    // RFC 8414, section 3.1: the issuer's path comes after the well-known one.
    const metadata = '/.well-known/oauth-authorization-server';
    declareRoutes(server, metadata, (routes) => {
      routes.route({ method: reads, url: mountPath, handler: handler(metadata) });
    });
  }

  /**
   * Lets the library redirect the browser to the TPP with the answer to its request.
   * @param url the origin of the listener
   * @param uid the library's name of the request
   */
  async resume(request: FastifyRequest, reply: FastifyReply, url: string, uid: string): Promise<void> {
    request.raw.headers.cookie = this.provider.resumeCookie(uid);
    await this.handOver(request, reply, url, `${paths.authorization}/${uid}`);
  }

  /**
   * The library's answers bypass Fastify. It derives its URLs and the audience of client assertions from `x-forwarded-*`. So
   * the values that a proxy or a client sent are replaced by the listener's origin.
   * @param caller whom the limits are for; none at a published document
   */
  private async handOver(
    request: FastifyRequest,
    reply: FastifyReply,
    url: string,
    path: string,
    caller?: Caller,
  ): Promise<FastifyReply | undefined> {
    const { raw, context } = request;
    const refusal = caller && this.limits.enter(raw, caller);
    if (refusal !== undefined)
      return caller === 'tpp' ? tooMany(reply, refusal) : this.tooManyOfBrowser(reply, refusal);
    const { host, protocol } = new URL(url);
    raw.headers['x-forwarded-host'] = host;
    raw.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    raw.context = context;
    reply.hijack();
    // The library learns from them where it is mounted.
    Object.assign(raw, { url: path, originalUrl: `${mountPath}${path}` });
    try {
      await this.provider.answer(raw, reply.raw);
    } finally {
      if (caller !== undefined) this.limits.leave(raw, caller, reply.raw.statusCode);
    }
    return undefined;
  }

  private tooManyOfBrowser(reply: FastifyReply, { retryAfterSeconds, reason }: TooMany): FastifyReply {
    recordRefusal(reply.request.context, reason);
    void reply.header('retry-after', String(retryAfterSeconds));
    sendPage(reply, 429, this.pages.for(reply.request).notice({ kind: 'too-many-requests' }));
    return reply;
  }
}

/** A browser that fetches a page in advance states this in a header (Fetch Standard, `Sec-Purpose`; older browsers use others). */
function isPreview({ headers }: FastifyRequest): boolean {
  return ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /\b(prefetch|prerender|preview)\b/i.test(String(headers[name] ?? '')),
  );
}

/** Answers a program that only looks at a link, as a messenger does: the request stays unopened. */
function beginNothing(_request: FastifyRequest, reply: FastifyReply): void {
  void reply.headers(pageHeaders()).send();
}

/** The browser asks again when its owner opens the page. */
function refusePreview(reply: FastifyReply): void {
  recordRefusal(reply.request.context, 'page-preview');
  void reply.code(503).header('cache-control', 'no-store').send();
}

/** The library reads them. */
function leaveBodiesUnread(routes: FastifyInstance): void {
  routes.removeAllContentTypeParsers();
  routes.addContentTypeParser('*', (_request, _body, done) => done(null));
}

function queryOf({ raw: { url = '' } }: FastifyRequest): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at);
}
