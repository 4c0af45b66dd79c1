import { Inject, Injectable } from '@nestjs/common';
import { BankClock } from '../clock/clock.js';
import { Cores } from '../core-banking/cores.js';
import type { CoreContext } from '../../packages/core-adapter/core.adapter.js';
import type { ConsentKind } from '../open-banking/consent-state.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { isSameTpp, type TppId } from '../open-banking/tpp-id.js';
import { PROFILE, type Profile } from '../profiles/profile.js';
import type { SameTransactionWrite } from './authorisation.store.js';
import type { AccessEnder, Authorisation, Consent } from './consent.js';
import {
  completionMs,
  consentAuthorisationMs,
  enderOf,
  wasNotBegunInTime,
  wasNotCompletedInTime,
} from './access.policy.js';
import { notFound, ofAnotherTpp, TppMayNotAct, wrongStatus } from './consent-errors.js';
import { clockToleranceMs } from './consent-request.js';
import { ConsentTrail } from './consent-trail.js';
import { ConsentStore } from './consent.store.js';
import { LiveConsents } from './live-consents.js';
import { newConsent, type AskedConsent } from './new-consent.js';
import { refuseOthersThan, selectedAccounts, type ReportedAccounts } from './selected-accounts.js';
import { outcomeUnknown, stored } from './stored.js';
import { withdrawalOfConsent, WithdrawalLog } from './withdrawal-log.js';

/** The bank's report of a customer's approval. */
interface ReportedAuthorisation extends ReportedAccounts {
  readonly displayName?: string;
  readonly authenticatedAt: Date;
  /** Only from the gateway's embedded authorization server. */
  readonly authorisationId?: string;
}

/** The life of a consent: the TPP's requests about it, and the bank's reports. */
@Injectable()
export class ConsentService {
  constructor(
    private readonly store: ConsentStore,
    private readonly live: LiveConsents,
    private readonly cores: Cores,
    @Inject(PROFILE) private readonly profile: Pick<Profile, 'rules'>,
    private readonly clock: BankClock,
    private readonly withdrawals: WithdrawalLog,
    private readonly trail: ConsentTrail,
  ) {}

  async create(asked: AskedConsent, tpp: TppId, createdIn: string): Promise<Consent> {
    const consent = newConsent(asked, tpp, createdIn, new Date(this.clock.nowMs()));
    await stored(this.store.create(consent), outcomeUnknown);
    this.trail.created(consent);
    return consent;
  }

  /** For its TPP. One of another kind is unknown here, as is one for confirmation of funds whose account was erased. */
  async get(consentId: string, tpp: TppId, kind: ConsentKind): Promise<Consent> {
    const consent = await this.find(consentId);
    if (!isSameTpp(consent.tpp, tpp)) throw ofAnotherTpp();
    if (consent.kind !== kind || (kind === 'funds-confirmation' && consent.debtor === undefined)) throw notFound();
    return consent;
  }

  async delete({ consentId, tpp }: Pick<Consent, 'consentId' | 'tpp'>): Promise<void> {
    const now = new Date(this.clock.nowMs());
    const withdrawal = { at: now.toISOString(), event: 'consent-deleted', consent: consentId } as const;
    const deleted = await this.withdrawals.withdraw(withdrawal, () =>
      this.changed(consentId, this.store.delete(consentId, tpp, now)),
    );
    if (!deleted) throw notFound();
    this.trail.gone('deleted', 'tpp', consentId, tpp);
  }

  /** For the bank: the consent of any TPP. */
  async find(consentId: string): Promise<Consent> {
    const consent = await this.findOrUndefined(consentId);
    if (consent === undefined) throw notFound();
    return consent;
  }

  /**
   * The consent, or `undefined` when it is unknown, deleted, or was not begun in time. Rejects it where a begun authorisation was
   * not completed in time and no sweep has found it yet.
   */
  async findOrUndefined(consentId: string): Promise<Consent | undefined> {
    const consent = await stored(this.store.find(consentId));
    const nowMs = this.clock.nowMs();
    if (consent === undefined || wasNotBegunInTime(consent, consentAuthorisationMs(this.profile), nowMs))
      return undefined;
    const completeWithinMs = completionMs(this.profile);
    if (!wasNotCompletedInTime(consent, completeWithinMs, nowMs)) return consent;
    const attempt = this.store.rejectNotCompleted(consentId, completeWithinMs, nowMs);
    const rejected = await this.changed(consentId, attempt);
    if (rejected === undefined) return stored(this.store.find(consentId));
    this.trail.notCompleted(rejected);
    return rejected;
  }

  /**
   * A customer begins to authorise the consent, now or once more: the time to complete it begins. Changes nothing in a consent
   * that does not await its authorisation, nor after the time in which it can be begun.
   */
  async begin(consentId: string): Promise<Consent> {
    const consent = await this.find(consentId);
    const now = new Date(this.clock.nowMs());
    const isInTime = now.getTime() < consent.createdAt.getTime() + consentAuthorisationMs(this.profile);
    if (consent.status !== 'awaiting' || !isInTime) return consent;
    return (await this.changed(consentId, this.store.begin(consentId, now))) ?? this.find(consentId);
  }

  /**
   * Only accounts that the core lists for the customer can be selected, whatever their state or product; for confirmation of
   * funds only the one that the TPP named.
   */
  async authorise(
    consentId: string,
    reported: ReportedAuthorisation,
    context: Pick<CoreContext, 'interactionId' | 'signal'>,
  ): Promise<Consent> {
    const now = new Date(this.clock.nowMs());
    const lastAuthenticatedAt = this.authenticationTime(reported.authenticatedAt, now);
    const awaiting = await this.find(consentId);
    if (awaiting.status !== 'awaiting') throw wrongStatus(awaiting, now);
    if (awaiting.kind === 'funds-confirmation') refuseOthersThan(awaiting.debtorAccount, reported.accounts);
    const authorisation: Authorisation = {
      customerRef: reported.customerRef,
      ...(reported.displayName === undefined ? {} : { displayName: reported.displayName }),
      accounts: await selectedAccounts(this.cores, reported, context),
      lastAuthenticatedAt,
      ...(reported.authorisationId === undefined ? {} : { authorisationId: reported.authorisationId }),
    };
    const embedded = reported.authorisationId !== undefined;
    const consent = await this.transition(consentId, now, this.store.authorise(consentId, authorisation, now), {
      embedded,
    });
    const accounts = authorisation.accounts.length;
    this.trail.changed('authorised', embedded ? 'customer' : 'bank', consent, { accounts });
    return consent;
  }

  /** @param customerRef the customer who refused, where it is known. */
  async reject(consentId: string, customerRef?: string): Promise<Consent> {
    const now = new Date(this.clock.nowMs());
    await this.find(consentId);
    const consent = await this.transition(consentId, now, this.store.reject(consentId, now, customerRef));
    this.trail.changed('rejected', customerRef === undefined ? 'bank' : 'customer', consent, { customerRef });
    return consent;
  }

  /** Withdraws the access: no token of the consent is valid any more. Its customer can give it again. */
  async revoke(consentId: string, by: AccessEnder): Promise<Consent> {
    const now = new Date(this.clock.nowMs());
    const consent = await this.find(consentId);
    if (consent.status !== 'authorised') {
      // The caller may ask again because the event of the first withdrawal could not be written.
      if (consent.status === 'cancelled')
        await this.withdrawals.note(withdrawalOfConsent(consentId, consent.statusUpdatedAt, enderOf(consent)));
      throw wrongStatus(consent, now);
    }
    // Any other final change of an authorised consent withdraws it too. So the event is true even where a concurrent change
    // comes first.
    return this.withdrawals.withdraw(withdrawalOfConsent(consentId, now, by), async () => {
      const reason = by === 'customer' ? 'customer-withdrew' : 'bank-withdrew';
      const withdrawn = await this.transition(consentId, now, this.store.cancel(consentId, now, reason));
      this.trail.changed('revoked', by, withdrawn);
      return withdrawn;
    });
  }

  /** Makes the tokens of the authorisation invalid; the consent itself stays. */
  async endAuthorisation(authorisationId: string): Promise<void> {
    const at = new Date(this.clock.nowMs()).toISOString();
    const withdrawal = { at, event: 'authorisation-ended', authorisation: authorisationId } as const;
    await this.withdrawals
      .withdraw(withdrawal, async () => {
        const consent = await this.store.endAuthorisation(authorisationId);
        if (consent !== undefined) this.trail.authorisationEnded(consent.consentId, consent.tpp);
      })
      .finally(() => this.live.forgetAuthorisation(authorisationId));
  }

  /** With `nextAuthorisationId`, the present tokens stay valid until the call of {@link beginAuthorisation}. */
  async reauthenticate(
    consentId: string,
    customerRef: string,
    authenticatedAt: Date,
    nextAuthorisationId?: string,
  ): Promise<Consent> {
    const now = new Date(this.clock.nowMs());
    const at = this.authenticationTime(authenticatedAt, now);
    const attempt = this.store.reauthenticate(consentId, customerRef, at, now, nextAuthorisationId);
    const embedded = nextAuthorisationId !== undefined;
    const consent = await this.transition(consentId, now, attempt, { customerRef, embedded });
    this.trail.changed('reauthenticated', embedded ? 'customer' : 'bank', consent);
    return consent;
  }

  /** Call this before tokens are issued: the tokens of every other authorisation become invalid. `undefined`: issue none. */
  beginAuthorisation(
    consentId: string,
    authorisationId: string,
    along: SameTransactionWrite,
  ): Promise<Consent | undefined> {
    const begun = this.store.beginAuthorisation(consentId, authorisationId, new Date(this.clock.nowMs()), along);
    // The errors of `along` leave as they are.
    return begun.finally(() => this.live.forget(consentId));
  }

  /** A time slightly ahead of our clock becomes now. A time further ahead would hold the window open for too long. */
  private authenticationTime(at: Date, now: Date): Date {
    if (at.getTime() > now.getTime() + clockToleranceMs)
      throw new OpenBankingError('field-date', {
        message: 'authenticatedAt is in the future.',
        path: 'authenticatedAt',
      });
    return at > now ? now : at;
  }

  private async transition(
    consentId: string,
    now: Date,
    attempt: Promise<Consent | undefined>,
    { customerRef, embedded = false }: { readonly customerRef?: string; readonly embedded?: boolean } = {},
  ): Promise<Consent> {
    const consent = await this.changed(consentId, attempt);
    if (consent !== undefined) return consent;
    if (embedded && !(await stored(this.store.tppMayAct(consentId)))) throw new TppMayNotAct();
    // The store refused: find the reason from the consent as it is now.
    const current = await this.find(consentId);
    if (customerRef !== undefined && current.authorisation && current.authorisation.customerRef !== customerRef)
      throw new OpenBankingError('field-invalid', {
        message: 'The consent was authorised by another customer.',
        path: 'customerRef',
      });
    throw wrongStatus(current, now);
  }

  private async changed<T>(consentId: string, change: Promise<T>): Promise<T> {
    try {
      return await stored(change, outcomeUnknown);
    } finally {
      // Also after a failure, whose outcome is unknown.
      this.live.forget(consentId);
    }
  }
}
