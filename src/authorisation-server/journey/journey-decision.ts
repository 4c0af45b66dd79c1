import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { newAuthorisationId } from '../../consents/authorisation-id.js';
import type { Consent } from '../../consents/consent.js';
import { ConsentService } from '../../consents/consent.service.js';
import type { AccountAtCore } from '../../core-banking/account-at-core.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { strongAuthentication } from '../../open-banking/authentication-classes.js';
import type { Decision } from '../pages/customer-pages.js';
import { JourneyAnswers } from './journey-answers.js';
import type { SignedInCustomer } from '../sign-in/journey.js';
import { choosing, readChoice } from './journey.policy.js';
import { JourneyTrail } from '../sign-in/journey-trail.js';
import { JourneyStore } from '../sign-in/journey.store.js';
import { withMessage } from '../sign-in/states.js';
import type { JourneyContext } from './journey-context.js';

/** The customer's decision: approve, refuse, or neither yet. */
@Injectable()
export class JourneyDecision {
  constructor(
    private readonly consents: ConsentService,
    private readonly journeys: JourneyStore,
    private readonly answers: JourneyAnswers,
    private readonly settings: AuthorisationSettings,
    private readonly trail: JourneyTrail,
  ) {}

  /** @param keys of the chosen accounts */
  async decide(context: JourneyContext, decision: Decision, keys: readonly string[]): Promise<void> {
    const { journey } = context.stored;
    if (journey.step !== 'decide') return this.answers.goOn(context);
    const { customer, accounts = [] } = journey;
    const again = context.consent.authorisation !== undefined;
    if (decision === 'deny') return this.answers.claim(context, (claimed) => this.deny(claimed, customer, again));
    if (decision === 'select-all' || decision === 'select-none') {
      await this.journeys.note(context.stored, choosing(journey, decision === 'select-all'));
      return this.answers.goOn(context);
    }
    // The customer pressed Enter on a check box. With 204 the browser keeps the page and the choice (RFC 9110, 15.3.5).
    if (decision !== 'approve') return void context.reply.code(204).send();
    // Another window has given the access. The accounts that were chosen here must not be ignored in silence.
    if (again && keys.length > 0) return this.answers.noticeOf(context, 'already-decided', 409);
    // For confirmation of funds there is no choice: the one account is that of the TPP.
    const isOfFunds = context.consent.kind === 'funds-confirmation';
    const chosen = again ? [] : readChoice(accounts, isOfFunds ? accounts.map(({ key }) => key) : keys);
    if (chosen === undefined) return this.answers.noticeOf(context, 'form-expired', 400);
    if (!again && chosen.length === 0) {
      await this.journeys.note(context.stored, withMessage(choosing(journey, false), 'choose-an-account'));
      return this.answers.goOn(context);
    }
    return this.answers.claim(context, (claimed) => this.approve(claimed, customer, chosen));
  }

  private async deny(context: JourneyContext, { customerRef }: SignedInCustomer, again: boolean): Promise<void> {
    // A customer who refuses to authenticate again does not withdraw the access.
    if (!again) await this.consents.reject(context.consent.consentId, customerRef);
    this.trail.step('refused', context.consent, { reason: 'customer-refused', customerRef });
    await this.answers.withError(context, 'the customer refused');
  }

  /** @param chosen the accounts; empty where the access was given before */
  private async approve(
    context: JourneyContext,
    customer: SignedInCustomer,
    chosen: readonly AccountAtCore[],
  ): Promise<void> {
    const { consent } = context;
    const grantId = newAuthorisationId(consent.consentId);
    await this.authorise(consent, customer, chosen, grantId);
    this.trail.step('approved', consent, { customerRef: customer.customerRef });
    await this.answers.withResult(context, {
      login: {
        accountId: consent.consentId,
        acr: strongAuthentication,
        ts: Math.floor(customer.authenticatedAtMs / 1_000),
        remember: false,
      },
      consent: { grantId },
    });
  }

  private async authorise(
    { consentId, authorisation }: Consent,
    { customerRef, customerRefs, displayName, authenticatedAtMs }: SignedInCustomer,
    accounts: readonly AccountAtCore[],
    authorisationId: string,
  ): Promise<void> {
    const authenticatedAt = new Date(authenticatedAtMs);
    if (authorisation === undefined)
      await this.consents.authorise(
        consentId,
        { customerRef, customerRefs, displayName, accounts, authenticatedAt, authorisationId },
        { interactionId: randomUUID(), signal: AbortSignal.timeout(this.settings.deadlineMs) },
      );
    else await this.consents.reauthenticate(consentId, customerRef, authenticatedAt, authorisationId);
  }
}
