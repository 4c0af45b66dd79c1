import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BankClock } from '../clock/clock.js';
import { declarationOf } from '../endpoint/route-declaration.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { PROFILE, type Profile } from '../profiles/profile.js';
import type { RequestCheck } from '../request/checks.js';
import { readConsentRequest } from './consent-request.js';

/**
 * The end of the check "body": the form and the terms of a new consent, so that one answer has the faults of both. Replaces
 * the body by its parsed terms. A pipe cannot do this: pipes run after all guards, and a wrong body must be refused before
 * a wrong scope.
 */
@Injectable()
export class ConsentRequestCheck implements RequestCheck {
  readonly name = 'body';

  constructor(
    @Inject(PROFILE) private readonly profile: Pick<Profile, 'refusedPermissions'>,
    private readonly clock: BankClock,
  ) {}

  check(request: FastifyRequest): void {
    const { validationError: fault } = request;
    if (fault !== undefined && !(fault instanceof OpenBankingError && isOfNewConsent(request))) throw fault;
    if (isOfNewConsent(request))
      request.body = readConsentRequest(
        request.body,
        fault?.details ?? [],
        this.profile.refusedPermissions,
        this.clock.nowMs(),
      );
  }
}

function isOfNewConsent(request: FastifyRequest): boolean {
  return request.method === 'POST' && declarationOf(request)?.kind === 'consents';
}
