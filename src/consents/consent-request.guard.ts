import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BankClock } from '../clock/clock.js';
import { declarationOf } from '../endpoint/request-context.js';
import { PROFILE, type Profile } from '../profiles/profile.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { readConsentRequest } from './consent-request.js';

/**
 * The end of the check "body": the form and the terms of a new consent, so that one answer has the faults of both. Puts the
 * terms that it reads from the body in the body's place. No pipe, because a pipe runs after every guard, and a wrong body
 * is refused before a wrong scope.
 */
@Injectable()
export class ConsentRequestGuard implements CanActivate {
  constructor(
    @Inject(PROFILE) private readonly profile: Pick<Profile, 'refusedPermissions'>,
    private readonly clock: BankClock,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { validationError: fault } = request;
    if (fault !== undefined && !(fault instanceof OpenBankingError && isOfNewConsent(request))) throw fault;
    if (isOfNewConsent(request))
      request.body = readConsentRequest(
        request.body,
        fault?.details ?? [],
        this.profile.refusedPermissions,
        this.clock.nowMs(),
      );
    return true;
  }
}

function isOfNewConsent(request: FastifyRequest): boolean {
  return request.method === 'POST' && declarationOf(request)?.kind === 'consents';
}
