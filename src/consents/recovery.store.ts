import type { PrismaService } from '../persistence/prisma.service.js';
import { embeddedIssuer } from '../open-banking/tpp-id.js';
import { reinstateTpp, revokeConsentsOfTpp, suspendTpp } from '../security/tpp-standing.store.js';
import { tppOf, type JournalEntry } from './journal-entry.dto.js';

/** `already`: it is so, or has been undone since by whom it belongs to. `unknown`: nothing of this id is here to be withdrawn. */
export type Recovered = 'applied' | 'already' | 'unknown';

/** Makes the journal's changes again in a restored database. To apply one twice changes nothing the second time. */
export class RecoveryStore {
  constructor(private readonly prisma: PrismaService) {}

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
        return this.deleteTpp(entry);
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
    // In the backup the customer had not approved it yet. Nobody is to approve it a second time.
    const refused = await this.prisma.consent.updateMany({
      where: { consentId, status: 'awaiting' },
      data: { status: 'rejected', statusUpdatedAt: new Date(at) },
    });
    return count + refused.count > 0 ? 'applied' : this.known(consentId);
  }

  private async endAccess({ id: consentId, at, by = 'bank' }: JournalEntry): Promise<Recovered> {
    const accessEndedAt = new Date(at);
    const { count } = await this.prisma.consent.updateMany({
      // The customer who authenticated later has given the access anew.
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
    const next = await this.prisma.consent.updateMany({
      where: { nextAuthorisationId: id },
      data: { nextAuthorisationId: null },
    });
    const current = await this.prisma.consent.updateMany({
      where: { authorisationId: id },
      data: { authorisationId: null },
    });
    return next.count + current.count > 0 ? 'applied' : 'unknown';
  }

  /** Also of a TPP that the backup does not know: its tokens may be of another issuer. */
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
    const registered = issuer === embeddedIssuer ? { clientId, status: from } : undefined;
    const data = { status: to, updatedAt: new Date(entry.at) };
    const { count } = registered ? await this.prisma.tpp.updateMany({ where: registered, data }) : { count: 0 };
    return count + changed > 0 ? 'applied' : 'already';
  }

  private async revokeConsents(entry: JournalEntry): Promise<Recovered> {
    return (await revokeConsentsOfTpp(this.prisma, tppOf(entry), new Date(entry.at))) > 0 ? 'applied' : 'already';
  }

  private async deleteTpp({ id: clientId, at }: JournalEntry): Promise<Recovered> {
    const nothing = { softwareId: null, organisationId: null, statement: null, statementExpiresAt: null };
    const { count } = await this.prisma.tpp.updateMany({
      where: { clientId, status: { not: 'deleted' } },
      data: { status: 'deleted', ...nothing, withdrawnAt: null, checkedAt: null, updatedAt: new Date(at) },
    });
    return count > 0 ? 'applied' : this.knownTpp(clientId);
  }

  private async known(consentId: string): Promise<Recovered> {
    return (await this.prisma.consent.count({ where: { consentId } })) > 0 ? 'already' : 'unknown';
  }

  private async knownTpp(clientId: string): Promise<Recovered> {
    return (await this.prisma.tpp.count({ where: { clientId } })) > 0 ? 'already' : 'unknown';
  }
}
