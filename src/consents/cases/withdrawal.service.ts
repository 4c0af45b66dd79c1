import { Injectable } from '@nestjs/common';
import { BankClock } from '../../clock/clock.js';
import type { TppId } from '../../open-banking/tpp-id.js';
import { readPage, type ConsentPage, type Page } from '../consent-page.js';
import { ConsentTrail } from '../consent-trail.js';
import type { CustomerConsent } from '../consent.js';
import { LiveConsents } from '../live-consents.js';
import { outcomeUnknown, stored } from '../stored.js';
import { WithdrawalLog, withdrawalOfConsent, withdrawalOfTpp } from '../withdrawal-log.js';
import { CaseStore, type ConsentFacts, type MadeWithdrawal } from './case.store.js';
import type { Approval, OperatorActor, Scope, Withdrawal, Withdrawn } from './withdrawal.js';

/** The operators' cases: they find the consents of a customer, an account or a TPP, and withdraw all of them at once. */
@Injectable()
export class WithdrawalService {
  constructor(
    private readonly store: CaseStore,
    private readonly live: LiveConsents,
    private readonly log: WithdrawalLog,
    private readonly clock: BankClock,
    private readonly trail: ConsentTrail,
  ) {}

  list(scope: Scope, page: ConsentPage): Promise<Page<CustomerConsent>> {
    return readPage(
      page,
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
  async withdraw({ scope, reason, text }: Withdrawal, by: OperatorActor, approval?: Approval): Promise<Withdrawn> {
    const made = { at: this.now(), by, reason, text };
    if (scope.kind === 'tpp') return this.withdrawTpp(scope.tpp, made, approval);
    return this.withdrawAll(await stored(this.store.living(scope, made.at)), made, approval);
  }

  /** Ends the access where at most one consent of the scope gives it. @returns `undefined` where several do */
  async withdrawSingle(
    { scope, reason, text }: Withdrawal & { readonly scope: Exclude<Scope, { kind: 'tpp' }> },
    by: OperatorActor,
  ): Promise<Withdrawn | undefined> {
    const made = { at: this.now(), by, reason, text };
    const ids = await stored(this.store.living(scope, made.at));
    return ids.length > 1 ? undefined : this.withdrawAll(ids, made, undefined);
  }

  private async withdrawAll(
    ids: readonly string[],
    made: MadeWithdrawal,
    approval: Approval | undefined,
  ): Promise<Withdrawn> {
    const { at, by, reason } = made;
    const withdrawals = ids.map((id) => withdrawalOfConsent(id, at, 'bank'));
    try {
      return await this.log.withdraw(withdrawals, async () => {
        const consents = await stored(this.store.withdraw(ids, made, approval), outcomeUnknown);
        for (const consent of consents) this.trail.changed('revoked', by, consent, { reason });
        return { at, count: consents.length, consents };
      });
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
