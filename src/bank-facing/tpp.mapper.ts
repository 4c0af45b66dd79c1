import type { Tpp } from '../authorisation-server/tpps/tpp.store.js';
import { formatDateTime } from '../open-banking/date-times.js';
import type { TppId } from '../open-banking/tpp-id.js';
import type { TppStanding } from '../security/tpp-standing.store.js';

/** @param tpp its registration, where it is registered at the embedded authorization server */
export function presentTpp(
  { issuer, clientId }: TppId,
  tpp: Tpp | undefined,
  standing: TppStanding,
): Record<string, unknown> {
  const { suspendedAt, consentsRevokedAt } = standing;
  const software = tpp?.software;
  return {
    ClientId: clientId,
    Issuer: issuer,
    Name: tpp?.name,
    Agent: tpp?.agent,
    Status: suspendedAt === undefined ? 'active' : 'suspended',
    ConsentsRevokedDateTime: consentsRevokedAt && formatDateTime(consentsRevokedAt),
    SoftwareStatement: software && {
      SoftwareId: software.softwareId,
      OrganisationId: software.organisationId,
      ExpirationDateTime: software.expiresAt && formatDateTime(software.expiresAt),
      WithdrawnDateTime: software.withdrawnAt && formatDateTime(software.withdrawnAt),
    },
    Metadata: tpp?.metadata,
  };
}
