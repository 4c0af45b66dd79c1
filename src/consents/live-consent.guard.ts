import type { FastifyRequest } from 'fastify';
import type { Clock } from '../clock/clock.js';
import { unavailable } from '../http/error-responder.js';
import { declarationOf } from '../http/request-context.js';
import { unauthorised } from '../security/tpp.guard.js';
import type { LiveConsent, LiveConsents } from './live-consents.js';

/**
 * Check 4 of the guards' order, before the body is read: account information is only for a token that is bound to a
 * consent, and only while that consent lives and belongs to the token's TPP. Sets `request.grant`.
 */
export class LiveConsentGuard {
  constructor(
    private readonly consents: LiveConsents,
    private readonly clock: Clock,
  ) {}

  readonly check = (request: FastifyRequest): void | Promise<void> => {
    if (declarationOf(request)?.kind !== 'resource') return;
    const consentId = request.token?.consentId;
    if (consentId === undefined) throw unauthorised('the token is not bound to a consent');
    const found = this.consents.find(consentId);
    if (!(found instanceof Promise)) return this.accept(request, found);
    return found.then(
      (live) => this.accept(request, live),
      (error: unknown) => {
        throw unavailable(error);
      },
    );
  };

  private accept(request: FastifyRequest, live: LiveConsent | undefined): void {
    const consent = live?.consent;
    if (
      live?.grant === undefined ||
      consent?.status !== 'Authorised' ||
      consent.tppId !== request.token?.clientId ||
      (consent.expires !== undefined && consent.expires.atMs <= this.clock.nowMs())
    )
      throw unauthorised('the consent is not authorised, or no longer');
    request.grant = live.grant;
  }
}
