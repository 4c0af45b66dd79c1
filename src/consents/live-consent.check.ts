import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BankClock } from '../clock/clock.js';
import { unavailable } from '../open-banking/common-errors.js';
import { declarationOf, type AccessToken } from '../endpoint/request-context.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { isSameTpp } from '../open-banking/tpp-id.js';
import { schemeOf, unauthorised } from '../security/tpp.check.js';
import { givesAccess } from './access.policy.js';
import type { Consent } from './consent.js';
import { LiveConsents, type LiveConsent } from './live-consents.js';

/**
 * The check "live consent", before headers and body are judged: consents are managed with a token that is bound to
 * none; account information is only for a token that is bound to a consent, and only while that consent lives and belongs
 * to the token's TPP. Sets `request.grant`.
 */
@Injectable()
export class LiveConsentCheck {
  constructor(
    private readonly consents: LiveConsents,
    private readonly clock: BankClock,
  ) {}

  readonly check = async (request: FastifyRequest): Promise<void> => {
    const kind = declarationOf(request)?.kind;
    const consentId = request.token?.consentId;
    if (kind === 'consents' && consentId !== undefined)
      throw new OpenBankingError('token-scope', {
        message: 'Consents are managed with a client-credentials token, and this one is bound to a consent.',
      });
    if (kind !== 'resource') return;
    if (consentId === undefined) throw unauthorised('the token is not bound to a consent', schemeOf(request.token));
    const live = await this.consents.find(consentId).catch((error: unknown) => {
      throw unavailable(error);
    });
    this.accept(request, live);
  };

  private accept(request: FastifyRequest, live: LiveConsent | undefined): void {
    const consent = live?.consent;
    if (
      live?.grant === undefined ||
      consent === undefined ||
      !givesAccess(consent, this.clock.nowMs()) ||
      request.token === undefined ||
      !isSameTpp(consent.tpp, request.token.tpp)
    )
      throw unauthorised('the consent is not authorised, or no longer', schemeOf(request.token));
    if (outdated(request.token, consent))
      throw unauthorised(
        'a later authorisation of the consent took the place of the one of this token',
        schemeOf(request.token),
      );
    if (request.token.customerRef !== undefined && request.token.customerRef !== live.grant.customerRef)
      throw unauthorised('the consent is not of the customer in the token', schemeOf(request.token));
    request.grant = live.grant;
  }
}

/** A JWT cannot be taken back: it dies when its authorisation is no longer the consent's. */
function outdated(token: AccessToken, { authorisation }: Consent): boolean {
  return token.authorisationId !== undefined && token.authorisationId !== authorisation?.authorisationId;
}
