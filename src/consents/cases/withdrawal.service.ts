import { Injectable } from '@nestjs/common';
import { BankClock } from '../../clock/clock.js';
import type { AccountAtCore } from '../../core-banking/account-at-core.js';
import type { TppId } from '../../open-banking/tpp-id.js';
import { Pseudonyms } from '../../trail/pseudonyms.js';
import { endedAt } from '../access.policy.js';
import { readPage, type ConsentPage, type Page } from '../consent-page.js';
import { ConsentTrail } from '../consent-trail.js';
import type { Consent, CustomerConsent } from '../consent.js';
import { LiveConsents } from '../live-consents.js';
import { outcomeUnknown, stored } from '../stored.js';
import { departureOfAccount, WithdrawalLog, withdrawalOfConsent, withdrawalOfTpp } from '../withdrawal-log.js';
import { CaseStore, type ConsentFacts, type MadeWithdrawal } from './case.store.js';
import type { Approval, OperatorActor, Scope, Withdrawal, Withdrawer, Withdrawn } from './withdrawal.js';

/** Finds the consents of a customer, an account or a TPP, and withdraws all of them at once, for operators and the bank. */
@Injectable()
export class WithdrawalService {
  constructor(
    private readonly store: CaseStore,
    private readonly live: LiveConsents,
    private readonly log: WithdrawalLog,
    private readonly clock: BankClock,
    private readonly trail: ConsentTrail,
    private readonly pseudonyms: Pseudonyms,
  ) {}

  list(scope: Scope, page: ConsentPage): Promise<Page<CustomerConsent>> {
    return readPage(
      page,
      this.clock.nowMs(),
      (wanted) => stored(this.store.list(scope, wanted)),
      ({ consent }) => consent,
    );
  }

  facts(consentId: string): Promise<ConsentFacts | undefined> {
    return stored(this.store.facts(consentId));
  }

  /**
   * Ends the access of every consent of the scope, or of none: at once in this process, and within a second in every other.
   * The trail has its lines before the change.
   * @param approval of a proposed withdrawal. The consents are those of this time, not of the time of the proposal.
   * @throws OpenBankingError where the proposal is gone; nothing was changed then
   */
  async withdraw({ scope, reason, text }: Withdrawal, by: Withdrawer, approval?: Approval): Promise<Withdrawn> {
    const made = { at: this.now(), by, reason, text };
    if (scope.kind === 'tpp') return this.withdrawTpp(scope.tpp, made, approval);
    const ids = await stored(this.store.living(scope, made.at));
    return scope.kind === 'account'
      ? this.removeAccount(scope.account, ids, made, approval)
      : this.withdrawAll(ids, made, approval);
  }

  /** Ends the access where at most one consent of the scope gives it. @returns `undefined` where several do */
  async withdrawSingle(
    { scope, reason, text }: Withdrawal & { readonly scope: Exclude<Scope, { kind: 'tpp' }> },
    by: OperatorActor,
  ): Promise<Withdrawn | undefined> {
    const made = { at: this.now(), by, reason, text };
    const ids = await stored(this.store.living(scope, made.at));
    if (ids.length > 1) return undefined;
    return scope.kind === 'account' ? this.removeAccount(scope.account, ids, made) : this.withdrawAll(ids, made);
  }

  private async withdrawAll(ids: readonly string[], made: MadeWithdrawal, approval?: Approval): Promise<Withdrawn> {
    const { at, by, reason } = made;
    const withdrawals = ids.map((id) => withdrawalOfConsent(id, at, 'bank'));
    return this.changed(ids, withdrawals, at, async () => {
      const consents = await this.store.withdraw(ids, made, approval);
      for (const consent of consents) this.trail.changed('revoked', by, consent, { reason });
      return consents;
    });
  }

  private removeAccount(
    account: AccountAtCore,
    ids: readonly string[],
    made: MadeWithdrawal,
    approval?: Approval,
  ): Promise<Withdrawn> {
    const { at, by, reason } = made;
    const pseudonym = this.pseudonyms.ofAccount(account);
    const departures = ids.map((id) => departureOfAccount(pseudonym, id, at));
    return this.changed(ids, departures, at, async () => {
      const consents = await this.store.removeAccount(ids, account, made, approval);
      for (const consent of consents) {
        this.trail.changed('account-left', by, consent, { reason, account: pseudonym });
        if (endedAt(consent, at)) this.trail.changed('revoked', by, consent, { reason });
      }
      return consents;
    });
  }

  private async changed(
    ids: readonly string[],
    withdrawals: Parameters<WithdrawalLog['withdraw']>[0],
    at: Date,
    change: () => Promise<readonly Consent[]>,
  ): Promise<Withdrawn> {
    try {
      const consents = await this.log.withdraw(withdrawals, () => stored(change(), outcomeUnknown));
      return { at, count: consents.length, consents };
    } finally {
      // Also after a failure, whose outcome is unknown.
      for (const id of ids) this.live.forget(id);
    }
  }

  private async withdrawTpp(tpp: TppId, made: MadeWithdrawal, approval: Approval | undefined): Promise<Withdrawn> {
    const { at, by, reason } = made;
    const count = await stored(this.store.countLivingOfTpp(tpp, at));
    try {
      return await this.log.withdraw(withdrawalOfTpp('tpp-consents-revoked', tpp, at), async () => {
        await stored(this.store.withdrawTpp(tpp, made, approval), outcomeUnknown);
        this.trail.ofTpp('consents-revoked', tpp, by, reason);
        return { at, count };
      });
    } finally {
      this.live.forgetAllOf(tpp.key);
    }
  }

  private now(): Date {
    return new Date(this.clock.nowMs());
  }
}
