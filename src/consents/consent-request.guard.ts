import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Clock } from '../clock/clock.js';
import { declarationOf } from '../endpoint/request-context.js';
import { PROFILE, type Profile } from '../profiles/profile.js';
import { readConsentRequest, type ConsentRequest } from './consent-request.js';

/**
 * The end of the check "body": the terms of a new consent, once the body's shape is right. Puts the terms that it reads
 * from the body in the body's place. No pipe, because a pipe runs after every guard, and a wrong body is refused before a
 * wrong scope.
 */
@Injectable()
export class ConsentRequestGuard implements CanActivate {
  constructor(
    @Inject(PROFILE) private readonly profile: Pick<Profile, 'refusedPermissions'>,
    private readonly clock: Clock,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (request.method === 'POST' && declarationOf(request)?.kind === 'consents')
      request.body = readConsentRequest(
        request.body as ConsentRequest,
        this.profile.refusedPermissions,
        this.clock.nowMs(),
      );
    return true;
  }
}
