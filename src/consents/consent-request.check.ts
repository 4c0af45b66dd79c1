import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BankClock } from '../clock/clock.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { PROFILE, type Profile } from '../profiles/profile.js';
import type { RequestCheck } from '../request/checks.js';
import { readConsentRequest, readFundsConsentRequest } from './consent-request.js';

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
    const { validationError: fault, body } = request;
    const { declaration } = request;
    const asked = request.method === 'POST' && declaration?.kind === 'consents' ? declaration : undefined;
    if (fault !== undefined && !(fault instanceof OpenBankingError && asked)) throw fault;
    if (asked === undefined) return;
    const faults = fault?.details ?? [];
    const nowMs = this.clock.nowMs();
    request.body =
      asked.consentKind === 'account-access'
        ? readConsentRequest(body, asked.version.consent.terms, faults, this.profile.refusedPermissions, nowMs)
        : readFundsConsentRequest(body, faults, nowMs);
  }
}
