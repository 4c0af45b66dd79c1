import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BankClock } from '../clock/clock.js';
import { unavailable } from '../open-banking/common-errors.js';
import { declarationOf } from '../endpoint/route-declaration.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { isSameTpp } from '../open-banking/tpp-id.js';
import type { RequestCheck } from '../request/checks.js';
import type { AccessToken, Grant, RequestContext } from '../request/request-context.js';
import { schemeOf, unauthorised } from '../security/tpp.check.js';
import { accessEnded, accessRefusal, type AccessRefusal } from './access.policy.js';
import { LiveConsents, type LiveConsent } from './live-consents.js';

/**
 * Runs before the checks of headers and body. Consents are managed, and events polled, with a token that is bound to
 * none; account information is only for a token that is bound to a consent, and only while that consent lives and belongs
 * to the token's TPP. Sets `grant`.
 */
@Injectable()
export class LiveConsentCheck implements RequestCheck {
  readonly name = 'live consent';

  constructor(
    private readonly consents: LiveConsents,
    private readonly clock: BankClock,
  ) {}

  async check(request: FastifyRequest): Promise<void> {
    const kind = declarationOf(request)?.kind;
    const { context } = request;
    const token = context.verifiedToken();
    if ((kind === 'consents' || kind === 'events') && token.consentId !== undefined)
      throw new OpenBankingError(
        'token-scope',
        {
          message: `${kind === 'consents' ? 'Consents are managed' : 'Events are polled'} with a client-credentials token, and this one is bound to a consent.`,
        },
        { reason: 'client-token-needed' },
      );
    if (kind !== 'resource') return;
    context.grant = await this.grantOf(context, token, (live) => this.refusalOf(token, live) === undefined);
  }

  /**
   * Asks the rule of another check whether it refuses the grant. The grant may be a second old, so this check reads the consent
   * again before anything is refused: an approval at another process counts here at once.
   */
  async findRefusal<Refusal>(
    context: RequestContext,
    refusalOf: (grant: Grant) => Refusal | undefined,
  ): Promise<Refusal | undefined> {
    if (refusalOf(context.granted()) === undefined) return undefined;
    const { check } = context;
    context.check = this.name;
    const grant = await this.grantOf(context, context.verifiedToken(), () => false);
    context.check = check;
    context.grant = grant;
    return refusalOf(grant);
  }

  /** The grant of a cached row that `permits` accepts, or else of the row as it is now. */
  private async grantOf(
    context: RequestContext,
    token: AccessToken,
    permits: (live: LiveConsent) => boolean,
  ): Promise<Grant> {
    const { consentId } = token;
    if (consentId === undefined)
      throw unauthorised('the token is not bound to a consent', 'consent-token-needed', schemeOf(token));
    const live = await this.consents.find(consentId, permits).catch((error: unknown) => {
      throw unavailable(error);
    });
    const refusal = this.refusalOf(token, live);
    if (refusal === undefined && live?.grant !== undefined) return live.grant;
    context.facts = { consentStatus: live === undefined ? 'unknown' : live.consent.status };
    const { description, reason } = refusal ?? accessEnded;
    throw unauthorised(description, reason, schemeOf(token));
  }

  private refusalOf(token: AccessToken, live: LiveConsent | undefined): AccessRefusal | undefined {
    if (live?.grant === undefined || !isSameTpp(live.consent.tpp, token.tpp)) return accessEnded;
    const refusal = accessRefusal(live.consent, token.authorisationId, this.clock.nowMs());
    if (refusal !== undefined) return refusal;
    if (token.customerRef !== undefined && token.customerRef !== live.grant.customerRef) return ofAnotherCustomer;
    return undefined;
  }
}

const ofAnotherCustomer: AccessRefusal = {
  description: 'the consent is not of the customer in the token',
  reason: 'customer-of-another-consent',
};
