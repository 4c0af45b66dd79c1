import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BankClock } from '../clock/clock.js';
import { unavailable } from '../open-banking/common-errors.js';
import { grantKindOf } from '../endpoint/route-declaration.js';
import type { ConsentKind } from '../open-banking/consent-state.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { isSameTpp } from '../open-banking/tpp-id.js';
import type { RequestCheck } from '../request/checks.js';
import type { AccessToken, Grant, RequestContext } from '../request/request-context.js';
import { schemeOf, unauthorised } from '../security/tpp.check.js';
import { accessEnded, accessRefusal, type AccessRefusal } from './access.policy.js';
import { LiveConsents, type LiveConsent } from './live-consents.js';

/**
 * Runs before the checks of headers and body. Consents are managed, and events polled, with a token that is bound to
 * none; account information and checks of funds are only for a token that is bound to a consent of their kind, and only
 * while that consent lives and belongs to the token's TPP. Sets `grant`.
 */
@Injectable()
export class LiveConsentCheck implements RequestCheck {
  readonly name = 'live consent';

  constructor(
    private readonly consents: LiveConsents,
    private readonly clock: BankClock,
  ) {}

  check(request: FastifyRequest): Promise<void> | undefined {
    const { declaration } = request;
    const kind = declaration?.kind;
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
    const grantKind = grantKindOf(declaration);
    if (grantKind === undefined) return undefined;
    const permits = (live: LiveConsent): boolean =>
      live.consent.kind === grantKind && this.refusalOf(token, live) === undefined;
    context.grant = this.consents.cached(token.consentId ?? '', permits)?.grant;
    return context.grant === undefined ? this.readGrant(context, grantKind, permits) : undefined;
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
    await this.readGrant(context, context.granted().kind, () => false);
    context.check = check;
    return refusalOf(context.granted());
  }

  /** Sets the grant of a cached row that `permits` accepts, or else of the row as it is now. */
  private async readGrant(
    context: RequestContext,
    kind: ConsentKind,
    permits: (live: LiveConsent) => boolean,
  ): Promise<void> {
    const token = context.verifiedToken();
    const { consentId } = token;
    if (consentId === undefined)
      throw unauthorised('the token is not bound to a consent', 'consent-token-needed', schemeOf(token));
    const live = await this.consents.find(consentId, permits).catch((error: unknown) => {
      throw unavailable(error);
    });
    const isOfToken = live !== undefined && isSameTpp(live.consent.tpp, token.tpp);
    if (isOfToken && live.consent.kind !== kind) throw ofAnotherKind(live.consent.kind);
    const refusal = this.refusalOf(token, live);
    if (refusal === undefined && live?.grant !== undefined) return void (context.grant = live.grant);
    context.facts = { consentStatus: live === undefined ? 'unknown' : live.consent.status };
    const { description, reason } = refusal ?? accessEnded;
    // The standard wants this error where a consent for confirmation of funds gives no access any more.
    if (kind === 'funds-confirmation' && isOfToken && reason === 'consent-ended')
      throw new OpenBankingError('consent-status', { message: `No funds are confirmed: ${description}.` });
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

function ofAnotherKind(kind: ConsentKind): OpenBankingError {
  const opened = kind === 'account-access' ? 'account information' : 'the confirmation of funds';
  return new OpenBankingError(
    'token-scope',
    { message: `The token is bound to a consent that opens ${opened} and nothing else.` },
    { reason: 'consent-of-another-kind' },
  );
}

const ofAnotherCustomer: AccessRefusal = {
  description: 'the consent is not of the customer in the token',
  reason: 'customer-of-another-consent',
};
