import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BankClock } from '../clock/clock.js';
import type { ApiVersion } from '../endpoint/api-version.js';
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
    const version = versionOfNewConsent(request);
    if (fault !== undefined && !(fault instanceof OpenBankingError && version)) throw fault;
    if (version)
      request.body = readConsentRequest(
        request.body,
        version.consent.terms,
        fault?.details ?? [],
        this.profile.refusedPermissions,
        this.clock.nowMs(),
      );
  }
}

/** The version in which the request asks for a consent; `undefined` for another request. */
function versionOfNewConsent(request: FastifyRequest): ApiVersion | undefined {
  const declaration = declarationOf(request);
  return request.method === 'POST' && declaration?.kind === 'consents' ? declaration.version : undefined;
}
