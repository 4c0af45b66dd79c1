import { authorisationPaths as paths, discoveryPath, mountPath } from '../../open-banking/authorisation-paths.js';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { declareRoutes } from '../../server/routes.js';
import { pageHeaders } from '../listeners/page-answer.js';
import { refuse } from '../listeners/refusal-reasons.js';
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
  ...documents,
  [paths.token, posts],
  [paths.pushed_authorization_request, posts],
  [paths.revocation, posts],
];

/** The library's endpoints, each on the listener of those who call it. */
@Injectable()
export class OidcRoutes {
  constructor(private readonly provider: CurrentProvider) {}

  /** @param url the origin of the listener */
  declareForTpps(server: FastifyInstance, url: string): void {
    declareRoutes(server, mountPath, (routes) => {
      leaveBodiesUnread(routes);
      for (const [path, method] of ofTpps)
        routes.route({
          method,
          url: path,
          handler: (request, reply) => this.handOver(request, reply, url, `${path}${queryOf(request)}`),
        });
    });
  }

  /** @param url the origin of the listener */
  declareForBrowsers(server: FastifyInstance, url: string): void {
    const handler = (path: string) => (request: FastifyRequest, reply: FastifyReply) => {
      delete request.raw.headers.cookie;
      return this.handOver(request, reply, url, `${path}${queryOf(request)}`);
    };
    declareRoutes(server, mountPath, (routes) => {
      leaveBodiesUnread(routes);
      routes.head(paths.authorization, beginNothing);
      for (const [path, method] of documents) routes.route({ method, url: path, handler: handler(path) });
      const authorize = handler(paths.authorization);
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
  resume(request: FastifyRequest, reply: FastifyReply, url: string, uid: string): Promise<void> {
    request.raw.headers.cookie = this.provider.resumeCookie(uid);
    return this.handOver(request, reply, url, `${paths.authorization}/${uid}`);
  }

  /**
   * The library's answers bypass Fastify. It derives its URLs and the audience of client assertions from `x-forwarded-*`. So
   * the values that a proxy or a client sent are replaced by the listener's origin.
   */
  private handOver({ raw, context }: FastifyRequest, reply: FastifyReply, url: string, path: string): Promise<void> {
    const { host, protocol } = new URL(url);
    raw.headers['x-forwarded-host'] = host;
    raw.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    raw.context = context;
    reply.hijack();
    // The library learns from them where it is mounted.
    return this.provider.answer(Object.assign(raw, { url: path, originalUrl: `${mountPath}${path}` }), reply.raw);
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
  refuse(reply.request.context, 'page-preview');
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
