import type { PrismaService } from '../persistence/prisma.service.js';
import { tppId } from '../open-banking/tpp-id.js';
import { revokeConsentsOfTpp, suspendTpp } from '../security/tpp-standing.store.js';
import type { StoredWithdrawal } from '../trail/segment-pass.js';
import { pseudonymOfAccount } from '../trail/pseudonyms.js';
import { removeAccount } from './account-removal.store.js';
import { toConsent } from './consent-row.js';
import { endAuthorisation } from './authorisation.store.js';

/**
 * `already`: the withdrawal is in place, or the customer or the bank has undone it since. `unknown`: the database has
 * nothing of this id to withdraw.
 */
type RecoveryOutcome = 'applied' | 'already' | 'unknown';

/** Deletes the registration of a TPP with the embedded authorization server. */
export type DeleteTpp = (prisma: PrismaService, clientId: string, at: Date) => Promise<RecoveryOutcome>;

/** Makes the trail's withdrawals again in a restored database. To apply one twice changes nothing the second time. */
export class RecoveryStore {
  constructor(
    private readonly prisma: PrismaService,
    private readonly deleteTpp: DeleteTpp,
    /** Every key of the pseudonyms by which the withdrawals name accounts. */
    private readonly pseudonymKeys: readonly string[],
  ) {}

  apply(withdrawal: StoredWithdrawal): Promise<RecoveryOutcome> {
    const { event, subject, at } = withdrawal;
    switch (event) {
      case 'consent-revoked':
        return this.revoke(withdrawal);
      case 'account-left':
        return this.removeAccount(withdrawal);
      case 'consent-deleted':
        return this.deleteConsent(withdrawal);
      case 'authorisation-ended':
        return this.endAuthorisation(subject);
      case 'tpp-suspended':
        return this.suspend(withdrawal);
      case 'tpp-deleted':
        return this.deleteTpp(this.prisma, subject, at);
      case 'tpp-consents-revoked':
        return this.revokeConsents(withdrawal);
    }
  }

  private async revoke({ subject: consentId, at, by }: StoredWithdrawal): Promise<RecoveryOutcome> {
    const ended = { statusUpdatedAt: at, statusReason: by === 'customer' ? 'customer-withdrew' : 'bank-withdrew' };
    const { count } = await this.prisma.consent.updateMany({
      // A customer who authenticated later has given the access again.
      where: { consentId, status: 'authorised', lastAuthenticatedAt: { lte: at } },
      data: { status: 'cancelled', ...ended, authorisationId: null, nextAuthorisationId: null },
    });
    // In the backup the customer had not approved the consent yet. It must not be approved a second time.
    const refused = await this.prisma.consent.updateMany({
      where: { consentId, status: 'awaiting' },
      data: { status: 'rejected', ...ended },
    });
    return count + refused.count > 0 ? 'applied' : this.withoutChange(consentId);
  }

  private async removeAccount({ subject: consentId, account: name, at }: StoredWithdrawal): Promise<RecoveryOutcome> {
    const consent = await this.prisma.consent.findUnique({ where: { consentId } });
    const account = (consent === null ? [] : (toConsent(consent).authorisation?.accounts ?? [])).find(({ ref, core }) =>
      this.pseudonymKeys.some((key) => pseudonymOfAccount(key, core, ref) === name),
    );
    if (account === undefined) return consent === null ? 'unknown' : 'already';
    const left = await this.prisma.$transaction((transaction) =>
      removeAccount(transaction, [consentId], account, at, 'bank-withdrew'),
    );
    return left.length > 0 ? 'applied' : 'already';
  }

  private async deleteConsent({ subject: consentId, at: deletedAt }: StoredWithdrawal): Promise<RecoveryOutcome> {
    const { count } = await this.prisma.consent.updateMany({
      where: { consentId, deletedAt: null },
      data: { deletedAt },
    });
    return count > 0 ? 'applied' : this.withoutChange(consentId);
  }

  private async endAuthorisation(id: string): Promise<RecoveryOutcome> {
    return (await endAuthorisation(this.prisma, id)) === undefined ? 'unknown' : 'applied';
  }

  /** Also a TPP that the backup does not know: another issuer may have issued its tokens. */
  private async suspend({ subject: clientId, issuer, at }: StoredWithdrawal): Promise<RecoveryOutcome> {
    return (await suspendTpp(this.prisma, tppId(issuer, clientId), at)) > 0 ? 'applied' : 'already';
  }

  private async revokeConsents({ subject: clientId, issuer, at }: StoredWithdrawal): Promise<RecoveryOutcome> {
    return (await revokeConsentsOfTpp(this.prisma, tppId(issuer, clientId), at)) > 0 ? 'applied' : 'already';
  }

  /** The outcome of a withdrawal that changed no row. */
  private async withoutChange(consentId: string): Promise<RecoveryOutcome> {
    return (await this.prisma.consent.count({ where: { consentId } })) > 0 ? 'already' : 'unknown';
  }
}
