import { Injectable } from '@nestjs/common';
import { Prisma } from '../../../prisma/client/client.js';
import type { AccountAtCore } from '../../core-banking/account-at-core.js';
import type { StatusReason } from '../../open-banking/consent-state.js';
import type { TppId } from '../../open-banking/tpp-id.js';
import { PrismaService } from '../../persistence/prisma.service.js';
import { revokeConsentsOfTpp } from '../../security/tpp-standing.store.js';
import type { WithdrawalReason } from '../../trail/withdrawal-reasons.js';
import { endedAt } from '../access.policy.js';
import {
  allRevokedAt,
  cancelled,
  canGiveAccess,
  columns,
  gaveOrRefused,
  givesAccess,
  newestFirst,
  notExpired,
  notRevokedWithAll,
  ofAccount,
} from '../consent-conditions.store.js';
import type { ConsentPage } from '../consent-page.js';
import { toConsent, toCustomerConsent, type ConsentRow } from '../consent-row.js';
import { removeAccount } from '../account-removal.store.js';
import type { Consent, CustomerConsent } from '../consent.js';
import { keepRight } from './operator-right.store.js';
import { useProposal } from './proposal.store.js';
import type { Approval, Scope, Withdrawal, Withdrawer } from './withdrawal.js';

/** A consent with all that the database knows of its life, also of one that is deleted. */
export interface ConsentFacts extends CustomerConsent {
  readonly lastUsedAt?: Date;
  readonly erasedAt?: Date;
  /** By time. */
  readonly withdrawals: readonly NotedWithdrawal[];
}

interface NotedWithdrawal {
  readonly withdrawnAt: Date;
  readonly withdrawnBy: string;
  readonly reason: string;
  readonly text: string | null;
  /** An account left, and the consent stayed. */
  readonly ofAccount?: boolean;
}

export type MadeWithdrawal = Pick<Withdrawal, 'reason' | 'text'> & { readonly at: Date; readonly by: Withdrawer };

/** Prisma gives up a transaction after five seconds, which the consents of one customer may need on a busy database. */
const patience = { timeout: 60_000, maxWait: 10_000 } as const;

/** The consents of a customer, an account or a TPP, and their end by an operator. */
@Injectable()
export class CaseStore {
  constructor(private readonly prisma: PrismaService) {}

  /** Newest first, with those that have ended or were deleted. */
  async list(scope: Scope, page: ConsentPage): Promise<readonly CustomerConsent[]> {
    const rows = await this.prisma.$queryRaw<ConsentRow[]>`
      SELECT ${columns}, ${allRevokedAt} FROM consents WHERE ${ofScope(scope)} AND ${newestFirst(page)}`;
    return rows.map(toCustomerConsent);
  }

  async facts(consentId: string): Promise<ConsentFacts | undefined> {
    const [row] = await this.prisma.$queryRaw<(ConsentRow & { lastUsedAt: Date | null; erasedAt: Date | null })[]>`
      SELECT ${columns}, ${allRevokedAt},
        (SELECT last_used_at FROM consent_uses WHERE consent_uses.consent_id = consents.consent_id) AS "lastUsedAt"
      FROM consents WHERE consent_id = ${consentId}`;
    if (row === undefined) return undefined;
    const { createdAt, issuer, clientId, lastUsedAt, erasedAt } = row;
    const revokedWithAllAt = row.allRevokedAt?.find((time) => time >= createdAt);
    const select = { withdrawnAt: true, withdrawnBy: true, reason: true, text: true } as const;
    const [ofConsent, ofTpp] = await Promise.all([
      this.prisma.consentWithdrawal.findMany({
        where: { consentId },
        orderBy: { withdrawnAt: 'asc' },
        select: { ...select, ofAccount: true },
      }),
      revokedWithAllAt === undefined
        ? []
        : this.prisma.tppWithdrawal.findMany({ where: { issuer, clientId, withdrawnAt: revokedWithAllAt }, select }),
    ]);
    return {
      ...toCustomerConsent(row),
      ...(lastUsedAt !== null && { lastUsedAt }),
      ...(erasedAt !== null && { erasedAt }),
      withdrawals: [...ofConsent, ...ofTpp],
    };
  }

  /** The ids of the consents by which the scope gives access now; of an account also those that can give it again. */
  async living(scope: Exclude<Scope, { kind: 'tpp' }>, now: Date): Promise<readonly string[]> {
    const living = scope.kind === 'account' ? Prisma.sql`${canGiveAccess} AND ${notExpired(now)}` : givesAccess(now);
    const rows = await this.prisma.$queryRaw<{ id: string }[]>`
      SELECT consent_id AS id FROM consents WHERE ${ofScope(scope)} AND ${living}`;
    return rows.map(({ id }) => id);
  }

  /** How many consents of the TPP give access now, or await the customer. */
  async countLivingOfTpp({ issuer, clientId }: TppId, now: Date): Promise<number> {
    const [row] = await this.prisma.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM consents WHERE client_id = ${clientId} AND issuer = ${issuer}
        AND status IN ('awaiting', 'authorised') AND deleted_at IS NULL
        AND ${notExpired(now)} AND ${notRevokedWithAll}`;
    return row?.count ?? 0;
  }

  /**
   * Withdraws those of the consents that still give access, and keeps the reason with each: all in one transaction, with the
   * approval that the act needs.
   * @returns the consents that it withdrew
   * @throws OpenBankingError where the proposal of the approval is gone, or the right of the operator is
   */
  withdraw(
    consentIds: readonly string[],
    { at, by, reason, text }: MadeWithdrawal,
    approval?: Approval,
  ): Promise<readonly Consent[]> {
    return this.permitted(by, approval, async (transaction) => {
      const rows = await transaction.$queryRaw<ConsentRow[]>`
        WITH ended AS (
          UPDATE consents SET ${cancelled(at, statusReasonOf(reason))}
          WHERE consent_id = ANY (${[...consentIds]}::text[]) AND status = 'authorised' AND deleted_at IS NULL
            AND ${notRevokedWithAll}
          RETURNING ${columns}
        ),
        noted AS (
          INSERT INTO consent_withdrawals (consent_id, withdrawn_at, withdrawn_by, reason, text)
          SELECT "consentId", ${at}, ${by}, ${reason}, ${text ?? null} FROM ended
        )
        SELECT * FROM ended`;
      return rows.map(toConsent);
    });
  }

  /**
   * Removes the account from those of the consents that still have it, and ends those that have no other account: all in one
   * transaction.
   * @returns the consents that it left
   * @throws as `withdraw` does
   */
  removeAccount(
    consentIds: readonly string[],
    account: AccountAtCore,
    { at, by, reason, text }: MadeWithdrawal,
    approval?: Approval,
  ): Promise<readonly Consent[]> {
    return this.permitted(by, approval, async (transaction) => {
      const consents = await removeAccount(transaction, consentIds, account, at, statusReasonOf(reason));
      await transaction.consentWithdrawal.createMany({
        data: consents.map((consent) => {
          const ofAccount = !endedAt(consent, at);
          return {
            consentId: consent.consentId,
            withdrawnAt: at,
            withdrawnBy: by,
            reason,
            text: text ?? null,
            ofAccount,
          };
        }),
        // Another account may have left in the same millisecond.
        skipDuplicates: true,
      });
      return consents;
    });
  }

  /** Withdraws every consent of the TPP that was created up to then. @throws as `withdraw` does */
  withdrawTpp(tpp: TppId, { at, by, reason, text }: MadeWithdrawal, approval?: Approval): Promise<void> {
    const { issuer, clientId } = tpp;
    return this.permitted(by, approval, async (transaction) => {
      // A second withdrawal in the same millisecond ends no further consent, and its reason is that of the first.
      if ((await revokeConsentsOfTpp(transaction, tpp, at)) === 0) return;
      const withdrawal = {
        issuer,
        clientId,
        withdrawnAt: at,
        withdrawnBy: by,
        reason,
        ...(text !== undefined && { text }),
      };
      await transaction.tppWithdrawal.create({ data: withdrawal });
    });
  }

  private permitted<T>(
    by: Withdrawer,
    approval: Approval | undefined,
    act: (transaction: Prisma.TransactionClient) => Promise<T>,
  ): Promise<T> {
    return this.prisma.$transaction(async (transaction) => {
      await (approval === undefined ? keepRight(transaction, by, 'withdraw') : useProposal(transaction, approval));
      return act(transaction);
    }, patience);
  }
}

function ofScope(scope: Scope): Prisma.Sql {
  switch (scope.kind) {
    case 'consent':
      return Prisma.sql`consent_id = ${scope.consentId}`;
    case 'customer':
      return gaveOrRefused(scope.customerRef);
    case 'account':
      return scope.customerRef === undefined
        ? ofAccount(scope.account)
        : Prisma.sql`${ofAccount(scope.account)} AND customer_ref = ${scope.customerRef}`;
    case 'tpp':
      return Prisma.sql`client_id = ${scope.tpp.clientId} AND issuer = ${scope.tpp.issuer}`;
  }
}

function statusReasonOf(reason: WithdrawalReason): StatusReason {
  return reason === 'fraud' ? 'fraud' : 'bank-withdrew';
}
