import { Injectable } from '@nestjs/common';
import { isCoreError } from '../../../packages/core-adapter/core-error.js';
import { canBeAnswered } from '../../consents/access.policy.js';
import type { Consent } from '../../consents/consent.js';
import { accountKey } from '../../core-banking/account-at-core.js';
import type { FoundAccounts } from '../../core-banking/cores.js';
import { AuthorisationLog } from '../listeners/authorisation-log.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { PagesByLanguage } from '../pages/pages.js';
import type { OfferedAccount } from '../pages/customer-pages.js';
import { BankSignOn } from '../sign-in/bank-sign-on.js';
import { asksForDetails, formOf, pageOf } from '../sign-in/journey-addresses.js';
import type { Deciding, ListedAccount, SignedInCustomer } from '../sign-in/journey.js';
import { JourneyStore } from '../sign-in/journey.store.js';
import { signInPage } from '../sign-in/page.js';
import { CustomerAccounts, type CustomerAccount } from './customer-accounts.js';
import { JourneyAnswers } from './journey-answers.js';
import { requestView, type JourneyContext } from './journey-context.js';
import { JourneySignIn } from './journey-sign-in.js';
import { withAccounts } from './journey.policy.js';

/** Shows the page of the journey's present step. */
@Injectable()
export class JourneyPages {
  constructor(
    private readonly pages: PagesByLanguage,
    private readonly answers: JourneyAnswers,
    private readonly signIn: JourneySignIn,
    private readonly bank: BankSignOn,
    private readonly journeys: JourneyStore,
    private readonly accounts: CustomerAccounts,
    private readonly settings: AuthorisationSettings,
    private readonly log: AuthorisationLog,
  ) {}

  async show(context: JourneyContext): Promise<void> {
    const { stored, consent, request } = context;
    const { journey } = stored;
    if (!canBeAnswered(consent)) return this.answers.closed(context);
    // The access was withdrawn in another window after this sign-in: only a new sign-in can give it again.
    if (
      journey.step === 'decide' &&
      consent.status === 'cancelled' &&
      consent.statusUpdatedAt.getTime() >= journey.customer.authenticatedAtMs
    )
      return this.answers.noticeOf(context, 'already-decided');
    if (journey.step === 'ended') return this.answers.leave(context);
    if (journey.step === 'decide') return this.decision(context, journey);
    const waiting = journey.step === 'wait' && !asksForDetails(request) ? await this.signIn.poll(context) : context;
    if (waiting !== undefined) this.step(waiting);
  }

  private step(context: JourneyContext): void {
    const { request, id, stored } = context;
    const more = requestView(context, this.settings.profile);
    const pages = this.pages.for(request);
    const { asksCredentials } = this.bank;
    const page = signInPage({ request, address: pageOf(id), pages, more, asksCredentials }, stored);
    return page === undefined ? this.answers.goOn(context) : this.answers.signInPage(context, page);
  }

  /** The page on which the customer decides. */
  private async decision(context: JourneyContext, journey: Deciding): Promise<void> {
    if (journey.accounts === undefined) return this.list(context, journey);
    const { customer, accounts, allChosen = false, incomplete = false } = journey;
    const { authorisation, authorisedAt, statusUpdatedAt } = context.consent;
    const pages = this.pages.for(context.request);
    const view = {
      ...requestView(context, this.settings.profile),
      form: formOf(pageOf(context.id), 'decision', context.stored),
      ...(journey.message && { message: journey.message }),
      customerName: customer.displayName,
      incomplete,
    };
    if (authorisation === undefined) {
      if (accounts.every(isWithheld)) return this.answers.noticeOf(context, 'no-accounts');
      const [account] = accounts;
      if (context.consent.kind === 'funds-confirmation' && account !== undefined)
        return this.answers.page(context, pages.funds({ ...view, account: shown(account) }));
      return this.answers.page(context, pages.authorise({ ...view, accounts: accounts.map(shown), allChosen }));
    }
    const selected = new Set(authorisation.accounts.map(accountKey));
    const given = accounts.filter((account) => selected.has(accountKey(account))).map(shown);
    this.answers.page(
      context,
      pages.reauthenticate({ ...view, accounts: given, givenAt: authorisedAt ?? statusUpdatedAt }),
    );
  }

  /** Asks the cores once for the accounts. If a core that must answer is unreachable, the customer stays signed in and can try again. */
  private async list(context: JourneyContext, journey: Deciding): Promise<void> {
    const { consent, stored } = context;
    try {
      const { customer } = journey;
      const { authorisation } = consent;
      const found = await this.find(consent, customer);
      const asked = consent.kind === 'account-access' ? consent.permissions : undefined;
      const listed = withAccounts(journey, found, asked, this.settings.profile);
      // The account that the customer wants may be among the missing ones: the gateway stores nothing, so the customer can try again.
      if (listed.incomplete && !authorisation && listed.accounts.every(isWithheld))
        return this.answers.noticeOf(context, 'accounts-unavailable', 503);
      const next = await this.journeys.note(stored, listed);
      // Another window was first: the customer sees the page that it made.
      return next === undefined
        ? this.answers.goOn(context)
        : await this.decision({ ...context, stored: next }, listed);
    } catch (error) {
      if (!isCoreError(error)) throw error;
      this.log.fault(error);
      this.answers.noticeOf(context, 'accounts-unavailable', 503);
    }
  }

  /** For confirmation of funds, the account that the TPP named: none where it is not the customer's. */
  private async find(
    { authorisation, debtorAccount }: Consent,
    customer: SignedInCustomer,
  ): Promise<FoundAccounts<CustomerAccount>> {
    if (authorisation) return this.accounts.ofCoresOf(authorisation.accounts, customer);
    if (debtorAccount === undefined) return this.accounts.find(customer);
    const found = await this.accounts.ofCoresOf([debtorAccount], customer);
    const named = accountKey(debtorAccount);
    return { ...found, items: found.items.filter((account) => accountKey(account) === named) };
  }
}

function isWithheld({ withheld }: ListedAccount): boolean {
  return withheld !== undefined;
}

function shown({ ref: _ref, core: _core, ...account }: ListedAccount): OfferedAccount {
  return account;
}
