import type { PrismaService } from '../../persistence/prisma.service.js';
import { embeddedIssuer } from '../../open-banking/tpp-id.js';
import { reinstateTpp, revokeConsentsOfTpp, suspendTpp } from '../../security/tpp-standing.store.js';
import { endAuthorisation } from '../end-authorisation.store.js';
import { tppOf, type JournalEntry } from './journal-entry.dto.js';

/**
 * `already`: the withdrawal is in place, or the customer or the bank has undone it since. `unknown`: the database has
 * nothing of this id to withdraw.
 */
type Recovered = 'applied' | 'already' | 'unknown';

/** The registrations of TPPs with the embedded authorization server. */
export interface RegisteredTpps {
  /** @returns how many registrations it changed */
  setStatus(clientId: string, change: { readonly from: string; readonly to: string }, at: Date): Promise<number>;
  delete(clientId: string, at: Date): Promise<Recovered>;
}

/** Makes the journal's changes again in a restored database. To apply one twice changes nothing the second time. */
export class RecoveryStore {
  constructor(
    private readonly prisma: PrismaService,
    private readonly tpps: RegisteredTpps,
  ) {}

  apply(entry: JournalEntry): Promise<Recovered> {
    switch (entry.event) {
      case 'consent-revoked':
        return this.revoke(entry);
      case 'access-ended':
        return this.endAccess(entry);
      case 'consent-deleted':
        return this.deleteConsent(entry);
      case 'authorisation-ended':
        return this.endAuthorisation(entry);
      case 'tpp-suspended':
        return this.suspend(entry);
      case 'tpp-reinstated':
        return this.reinstate(entry);
      case 'tpp-deleted':
        return this.tpps.delete(entry.id, new Date(entry.at));
      case 'tpp-consents-revoked':
        return this.revokeConsents(entry);
    }
  }

  private async revoke({ id: consentId, at, by = 'bank' }: JournalEntry): Promise<Recovered> {
    const revoked = {
      status: 'revoked',
      statusUpdatedAt: new Date(at),
      accessEndedAt: new Date(at),
      accessEndedBy: by,
    };
    const { count } = await this.prisma.consent.updateMany({
      where: { consentId, status: 'authorised' },
      data: revoked,
    });
    // In the backup the customer had not approved the consent yet. It must not be approved a second time.
    const refused = await this.prisma.consent.updateMany({
      where: { consentId, status: 'awaiting' },
      data: { status: 'rejected', statusUpdatedAt: new Date(at) },
    });
    return count + refused.count > 0 ? 'applied' : this.known(consentId);
  }

  private async endAccess({ id: consentId, at, by = 'bank' }: JournalEntry): Promise<Recovered> {
    const accessEndedAt = new Date(at);
    const { count } = await this.prisma.consent.updateMany({
      // A customer who authenticated later has given the access again.
      where: { consentId, status: 'authorised', accessEndedAt: null, lastAuthenticatedAt: { lte: accessEndedAt } },
      data: { accessEndedAt, accessEndedBy: by, authorisationId: null, nextAuthorisationId: null },
    });
    return count > 0 ? 'applied' : this.known(consentId);
  }

  private async deleteConsent({ id: consentId, at }: JournalEntry): Promise<Recovered> {
    const { count } = await this.prisma.consent.updateMany({
      where: { consentId, deletedAt: null },
      data: { deletedAt: new Date(at) },
    });
    return count > 0 ? 'applied' : this.known(consentId);
  }

  private async endAuthorisation({ id }: JournalEntry): Promise<Recovered> {
    return (await endAuthorisation(this.prisma, id)) === undefined ? 'unknown' : 'applied';
  }

  /** Also a TPP that the backup does not know: another issuer may have issued its tokens. */
  private async suspend(entry: JournalEntry): Promise<Recovered> {
    const since = new Date(entry.at);
    const standing = await suspendTpp(this.prisma, tppOf(entry), since);
    return this.setStatus(entry, 'active', 'suspended', standing);
  }

  private async reinstate(entry: JournalEntry): Promise<Recovered> {
    return this.setStatus(entry, 'suspended', 'active', await reinstateTpp(this.prisma, tppOf(entry)));
  }

  /** Only the embedded authorization server keeps registrations. */
  private async setStatus(entry: JournalEntry, from: string, to: string, changed: number): Promise<Recovered> {
    const { issuer, clientId } = tppOf(entry);
    const count = issuer === embeddedIssuer ? await this.tpps.setStatus(clientId, { from, to }, new Date(entry.at)) : 0;
    return count + changed > 0 ? 'applied' : 'already';
  }

  private async revokeConsents(entry: JournalEntry): Promise<Recovered> {
    return (await revokeConsentsOfTpp(this.prisma, tppOf(entry), new Date(entry.at))) > 0 ? 'applied' : 'already';
  }

  private async known(consentId: string): Promise<Recovered> {
    return (await this.prisma.consent.count({ where: { consentId } })) > 0 ? 'already' : 'unknown';
  }
}
