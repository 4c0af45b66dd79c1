import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config/config.js';
import { declarationOf } from '../endpoint/request-context.js';
import type { CheckName } from '../open-banking/checks.js';
import type { OpenBankingError } from '../open-banking/errors.js';
import type { AccessRecord } from '../observability/access-record.js';
import { baseUrls, isAskedForCertificate } from './base-url.js';
import { methodNotAllowed, pathUnknown } from '../open-banking/common-errors.js';
import { hasSeveral, headerFault, hostFault, repeated } from './headers.js';
import { foreignTargetFault, misdirected } from './own-host.js';
import { noteRefusalOnEntry } from './refusing-check.js';

/** A step of the way in: throws an `OpenBankingError` to refuse. */
export type EntryCheck = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;

export interface EntryChecks {
  /** Token, certificate and the TPP's standing: set `request.token`, 401. They run for unknown paths too. */
  readonly tpp: readonly EntryCheck[];
  /** How fast the TPP asks: 429. Runs for unknown paths too; `policy` is stated on every answer. */
  readonly rateLimit: { readonly policy: string | undefined; readonly check: EntryCheck };
  /** Kind of token and live consent: sets `request.grant`, 401. */
  readonly consent: EntryCheck;
  /** Called once for each request that is over. */
  readonly observe: readonly ((request: FastifyRequest, reply: FastifyReply, access: AccessRecord) => void)[];
}

/**
 * The checks of each request before Nest: host, token, rate limit, path, method, live consent, headers. Nest's guards run
 * after the body was read, and never on an unknown path or method.
 */
export class RequestEntry {
  private readonly baseUrl: (request: FastifyRequest) => string;
  /** Judges a request to the listener that asks for certificates, where there is one. */
  private readonly isMisdirected: ReturnType<typeof misdirected> | undefined;
  private readonly all: readonly NamedCheck[];

  constructor(
    config: Pick<GatewayConfig, 'baseUrl' | 'authorisationServer'>,
    private readonly checks: EntryChecks,
  ) {
    this.baseUrl = baseUrls(config);
    const { authorisationServer } = config;
    this.isMisdirected = authorisationServer && misdirected(authorisationServer.tpp.url);
    this.all = [
      { name: 'token', check: oneAuthorization },
      ...checks.tpp.map((check) => ({ name: 'token', check }) as const),
      { name: 'rate limit', check: checks.rateLimit.check },
      { name: 'path', check: routeExists },
      { name: 'live consent', check: checks.consent },
      { name: 'headers', check: headersAcceptable },
    ];
  }

  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    request.baseUrl = this.baseUrl(request);
    const { policy } = this.checks.rateLimit;
    if (policy !== undefined) void reply.header('ratelimit-policy', policy);
    const fault = this.addressFault(request);
    if (fault !== undefined) {
      noteRefusalOnEntry(request, 'host');
      throw fault;
    }
    if (declarationOf(request)?.kind === 'public') return;
    for (const { name, check } of this.all) {
      try {
        await check(request, reply);
      } catch (error) {
        noteRefusalOnEntry(request, name);
        throw error;
      }
    }
  }

  observe(access: AccessRecord, request: FastifyRequest, reply: FastifyReply): void {
    for (const observe of this.checks.observe) observe(request, reply, access);
  }

  private addressFault(request: FastifyRequest): OpenBankingError | undefined {
    return (
      hostFault(request) ??
      foreignTargetFault(request, request.baseUrl) ??
      (isAskedForCertificate(request) ? this.isMisdirected?.(request) : undefined)
    );
  }
}

/** A check by its name in docs/specification.md. The check "path" also judges the method: its error tells which. */
interface NamedCheck {
  readonly name: CheckName;
  readonly check: EntryCheck;
}

function oneAuthorization({ raw }: FastifyRequest): void {
  if (hasSeveral('authorization', raw)) throw repeated('Authorization');
}

function routeExists(request: FastifyRequest): void {
  const declaration = declarationOf(request);
  if (request.is404 || declaration === undefined) throw pathUnknown();
  if (declaration.kind === 'method-not-allowed') throw methodNotAllowed(declaration.allow);
}

function headersAcceptable(request: FastifyRequest): void {
  const fault = headerFault(request);
  if (fault !== undefined) throw fault;
}
