import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config/config.js';
import { methodNotAllowed, pathUnknown } from '../open-banking/common-errors.js';
import { runChecks, type RequestCheck } from '../request/checks.js';
import type { RequestEvent } from '../trail/event.js';
import { documentPath, versionAt } from '../versions/versions.js';
import { announcesBody, hasSeveral, headerFault, hostFault, repeated } from './headers.js';
import { foreignTargetFault, misdirected } from './published-host.js';

export interface EntryChecks {
  /** Token, certificate and the TPP's standing: 401. They run for unknown paths too. */
  readonly tpp: readonly RequestCheck[];
  /** They run again after a body, which may take half a minute. */
  readonly afterBody: readonly RequestCheck[];
  /** How fast the TPP asks: 429. Runs for unknown paths too; `policy` is stated on every answer. */
  readonly rateLimit: RequestCheck & { readonly policy: string | undefined };
  /** Kind of token and live consent: 401. */
  readonly consent: RequestCheck;
  /** Called once for each request that has ended. */
  readonly observe: readonly ((request: FastifyRequest, event: RequestEvent) => void)[];
}

type EntryConfig = Pick<GatewayConfig, 'baseUrl' | 'authorisationServer'>;

/**
 * The checks of each request before Nest: host, token, rate limit, path, method, live consent, headers. A Nest guard runs
 * after the body was read, and never on an unknown path or method.
 */
export class RequestEntry {
  private readonly ofEveryRequest: readonly RequestCheck[];
  private readonly ofTpps: readonly RequestCheck[];

  constructor(
    config: EntryConfig,
    private readonly checks: EntryChecks,
  ) {
    this.ofEveryRequest = [hostCheck(config)];
    this.ofTpps = [
      oneAuthorization,
      ...checks.tpp,
      checks.rateLimit,
      pathServed,
      methodServed,
      checks.consent,
      headersAcceptable,
    ];
  }

  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { policy } = this.checks.rateLimit;
    if (policy !== undefined) void reply.header('ratelimit-policy', policy);
    await runChecks(this.ofEveryRequest, request, reply);
    if (request.declaration?.kind === 'public') {
      // The folder of a page may lack the file that is asked for.
      request.context.check = 'path';
      return;
    }
    await runChecks(this.ofTpps, request, reply);
    // Fastify reads the body next, and refuses one that is too large or not JSON.
    request.context.check = 'body';
  }

  /** A body may take half a minute, in which the bank may have suspended the TPP. */
  async admitAfterBody(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (announcesBody(request.headers)) await runChecks(this.checks.afterBody, request, reply);
  }

  observe(event: RequestEvent, request: FastifyRequest): void {
    for (const observe of this.checks.observe) observe(request, event);
  }
}

/** Sets `baseUrl`. */
export function hostCheck({ baseUrl, authorisationServer }: EntryConfig): RequestCheck {
  const tppUrl = authorisationServer?.tpp.url;
  const isMisdirected = tppUrl === undefined ? undefined : misdirected(tppUrl);
  return {
    name: 'host',
    check(request) {
      const { context } = request;
      // Links are never built on the Host header: a token that is bound to a certificate is of use only where one is asked for.
      const ownUrl = tppUrl !== undefined && context.asksForCertificate ? tppUrl : baseUrl;
      context.baseUrl = ownUrl;
      const fault =
        hostFault(request) ??
        foreignTargetFault(request, ownUrl) ??
        (context.asksForCertificate ? isMisdirected?.(request) : undefined);
      if (fault !== undefined) throw fault;
    },
  };
}

const oneAuthorization: RequestCheck = {
  name: 'token',
  check({ raw }) {
    if (hasSeveral('authorization', raw)) throw repeated('Authorization', 'token-repeated');
  },
};

const pathServed: RequestCheck = {
  name: 'path',
  check(request) {
    if (!request.is404 && request.declaration !== undefined) return;
    const version = versionAt(request.url, request.server.versions);
    throw pathUnknown(version && documentPath(version));
  },
};

const methodServed: RequestCheck = {
  name: 'method',
  check(request) {
    const { declaration } = request;
    if (declaration?.kind === 'method-not-allowed') throw methodNotAllowed(declaration.allow);
  },
};

const headersAcceptable: RequestCheck = {
  name: 'headers',
  check(request) {
    const fault = headerFault(request);
    if (fault !== undefined) throw fault;
  },
};
