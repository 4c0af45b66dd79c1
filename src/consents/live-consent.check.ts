import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BankClock } from '../clock/clock.js';
import { unavailable } from '../open-banking/common-errors.js';
import { declarationOf, type AccessToken, type Grant } from '../endpoint/request-context.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { isSameTpp } from '../open-banking/tpp-id.js';
import { schemeOf, unauthorised } from '../security/tpp.check.js';
import { givesAccess } from './access.policy.js';
import type { Consent } from './consent.js';
import { LiveConsents, type LiveConsent } from './live-consents.js';

/**
 * The check "live consent", before headers and body are judged: consents are managed with a token that is bound to
 * none; account information is only for a token that is bound to a consent, and only while that consent lives and belongs
 * to the token's TPP. Sets `request.grant` and `request.readGrantAgain`.
 */
@Injectable()
export class LiveConsentCheck {
  constructor(
    private readonly consents: LiveConsents,
    private readonly clock: BankClock,
  ) {}

  readonly check = async (request: FastifyRequest): Promise<void> => {
    const kind = declarationOf(request)?.kind;
    const { token } = request;
    const consentId = token?.consentId;
    if (kind === 'consents' && consentId !== undefined)
      throw new OpenBankingError('token-scope', {
        message: 'Consents are managed with a client-credentials token, and this one is bound to a consent.',
      });
    if (kind !== 'resource') return;
    if (token === undefined || consentId === undefined)
      throw unauthorised('the token is not bound to a consent', schemeOf(token));
    request.grant = await this.grantOf(token, consentId, (live) => this.refusalOf(token, live) === undefined);
    request.readGrantAgain = () => this.grantOf(token, consentId, () => false);
  };

  /** The grant by a kept row that `permits`, or else by the present row. */
  private async grantOf(
    token: AccessToken,
    consentId: string,
    permits: (live: LiveConsent) => boolean,
  ): Promise<Grant> {
    const live = await this.consents.find(consentId, permits).catch((error: unknown) => {
      throw unavailable(error);
    });
    const refusal = this.refusalOf(token, live);
    if (refusal !== undefined || live?.grant === undefined) throw unauthorised(refusal ?? ended, schemeOf(token));
    return live.grant;
  }

  private refusalOf(token: AccessToken, live: LiveConsent | undefined): string | undefined {
    if (live?.grant === undefined) return ended;
    const { consent, grant } = live;
    if (!givesAccess(consent, this.clock.nowMs()) || !isSameTpp(consent.tpp, token.tpp)) return ended;
    if (outdated(token, consent)) return 'a later authorisation of the consent took the place of the one of this token';
    if (token.customerRef !== undefined && token.customerRef !== grant.customerRef)
      return 'the consent is not of the customer in the token';
    return undefined;
  }
}

const ended = 'the consent is not authorised, or no longer';

/** A JWT cannot be taken back: it dies when its authorisation is no longer the consent's. */
function outdated(token: AccessToken, { authorisation }: Consent): boolean {
  return token.authorisationId !== undefined && token.authorisationId !== authorisation?.authorisationId;
}
