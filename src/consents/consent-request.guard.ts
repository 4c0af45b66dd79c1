import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../clock/clock.js';
import { declarationOf } from '../endpoint/request-context.js';
import type { Permission } from '../open-banking/permissions.js';
import { readConsentRequest, type ConsentRequest, type ConsentTerms } from './consent-request.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** What a new consent is to permit. */
    consentTerms: ConsentTerms | undefined;
  }
}

/** The end of check 5 of the guards' order: what the body asks for, once its shape is right. Sets `request.consentTerms`. */
export class ConsentRequestGuard implements CanActivate {
  constructor(
    private readonly refusedPermissions: readonly Permission[],
    private readonly clock: Clock,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (request.method === 'POST' && declarationOf(request)?.kind === 'consents')
      request.consentTerms = readConsentRequest(
        request.body as ConsentRequest,
        this.refusedPermissions,
        this.clock.nowMs(),
      );
    return true;
  }
}
