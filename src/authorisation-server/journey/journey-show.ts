import { Injectable } from '@nestjs/common';
import { CoreError } from '../../../packages/core-adapter/core-error.js';
import { canBeAnswered } from '../../consents/access.policy.js';
import { placeKey } from '../../core-banking/account-place.js';
import type { Profile } from '../../profiles/profile.js';
import { AuthorisationLog } from '../listeners/authorisation-log.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { BankPages } from '../pages/bank-pages.js';
import type { OfferedAccount } from '../pages/customer-pages.js';
import { accessRequest } from './access-request.js';
import { CustomerAccounts } from './customer-accounts.js';
import { JourneyAnswers } from './journey-answers.js';
import { asksForDetails, awaitedMark, detailsOf, formOf, pageOf, type JourneyStep } from './journey-places.js';
import { atDetails, withAccounts, type Deciding, type ListedAccount } from './journey.policy.js';
import { JourneyStore } from './journey.store.js';
import { PendingPosts } from './pending-posts.js';
import type { Visit } from './visit.js';

/** Shows the page of the journey's present step. */
@Injectable()
export class JourneyShow {
  constructor(
    private readonly pages: BankPages,
    private readonly answers: JourneyAnswers,
    private readonly journeys: JourneyStore,
    private readonly pending: PendingPosts,
    private readonly accounts: CustomerAccounts,
    private readonly settings: AuthorisationSettings,
    private readonly log: AuthorisationLog,
  ) {}

  async show(arrived: Visit): Promise<void> {
    const visit = asksForDetails(arrived.request) ? beforeDetails(arrived) : arrived;
    const { kept, consent } = visit;
    const { journey } = kept;
    const mark = awaitedMark(visit.request);
    if (mark !== undefined && this.pending.isTaken(kept, mark)) return this.answers.waiting(visit, mark);
    const pages = this.pages.for(visit.request).journey;
    if (!canBeAnswered(consent)) return this.answers.noticeOf(visit, 'already-decided');
    // The access was withdrawn in another window after this sign-in: only a new sign-in can give it again.
    if (journey.step === 'decide' && consent.ended && consent.ended.at.getTime() >= journey.customer.authenticatedAtMs)
      return this.answers.noticeOf(visit, 'already-decided');
    switch (journey.step) {
      case 'ended':
        return this.answers.leave(visit);
      case 'sign-in': {
        const typed = journey.loginName !== undefined && { loginName: journey.loginName };
        return this.answers.page(visit, pages.signIn({ ...viewOf(visit, 'sign-in', this.settings.profile), ...typed }));
      }
      case 'code': {
        const sent = { sentTo: journey.challenge.sentTo, checkDetails: detailsOf(pageOf(visit.id)) };
        return this.answers.page(
          visit,
          pages.oneTimeCode({ ...viewOf(visit, 'code', this.settings.profile), ...sent }),
        );
      }
      case 'decide':
        return this.decision(visit, journey);
    }
  }

  private async decision(visit: Visit, journey: Deciding): Promise<void> {
    if (journey.accounts === undefined) return this.list(visit, journey);
    const { customer, accounts, allChosen = false, incomplete = false } = journey;
    const { authorisation, statusUpdatedAt } = visit.consent;
    const pages = this.pages.for(visit.request).journey;
    const view = {
      ...viewOf(visit, 'decision', this.settings.profile),
      customerName: customer.displayName,
      incomplete,
    };
    if (authorisation === undefined) {
      if (accounts.every(isWithheld)) return this.answers.noticeOf(visit, 'no-accounts');
      return this.answers.page(visit, pages.authorise({ ...view, accounts: accounts.map(shown), allChosen }));
    }
    const selected = new Set(authorisation.accounts.map(placeKey));
    const given = accounts.filter((account) => selected.has(placeKey(account))).map(shown);
    this.answers.page(visit, pages.reauthenticate({ ...view, accounts: given, givenAt: statusUpdatedAt }));
  }

  /** Asks the cores once for the accounts. If a core is away that must answer, the customer stays signed in and can try again. */
  private async list(visit: Visit, journey: Deciding): Promise<void> {
    const { consent, kept } = visit;
    try {
      const { customer } = journey;
      const { authorisation } = consent;
      const found = authorisation
        ? await this.accounts.ofCoresOf(authorisation.accounts, customer)
        : await this.accounts.of(customer);
      const listed = withAccounts(journey, found, consent.permissions, this.settings.profile);
      // The account that the customer wants may be among the missing ones: nothing is kept, so the customer can try again.
      if (listed.incomplete && !authorisation && listed.accounts.every(isWithheld))
        return this.answers.noticeOf(visit, 'accounts-unavailable', 503);
      const next = await this.journeys.step(kept, listed);
      // Another window took a step first: the customer sees the page of that step.
      return next === undefined ? this.answers.goOn(visit) : await this.decision({ ...visit, kept: next }, listed);
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      this.log.fault(error);
      this.answers.noticeOf(visit, 'accounts-unavailable', 503);
    }
  }
}

function beforeDetails(visit: Visit): Visit {
  return { ...visit, kept: { ...visit.kept, journey: atDetails(visit.kept.journey) } };
}

/** The content that every page of a journey shows. */
function viewOf({ id, kept, consent, tpp }: Visit, step: JourneyStep, profile: Profile) {
  const { message } = kept.journey;
  return {
    form: formOf(id, step, kept.bearer),
    again: consent.status !== 'awaiting',
    request: accessRequest(consent, tpp, profile),
    ...(consent.ended && { withdrawnAt: consent.ended.at }),
    ...(message && { message }),
  };
}

function isWithheld({ withheld }: ListedAccount): boolean {
  return withheld !== undefined;
}

function shown({ ref: _ref, core: _core, ...account }: ListedAccount): OfferedAccount {
  return account;
}
