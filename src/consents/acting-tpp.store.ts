import { embeddedIssuer } from '../open-banking/tpp-id.js';
import { Prisma } from '../../prisma/client/client.js';
import type { PrismaService } from '../persistence/prisma.service.js';

/**
 * The rules of `GoodStanding` for a statement that gives access: the process may have checked the TPP by older rows, or
 * before the TPP was suspended. The expiry of a software statement is not part of it: the process checks that before.
 */
const ofActingTpp = Prisma.sql`NOT EXISTS (SELECT FROM tpp_standings
  WHERE tpp_standings.client_id = consents.client_id AND tpp_standings.issuer = consents.issuer
    AND suspended_at IS NOT NULL)
  AND NOT EXISTS (SELECT FROM tpps
  WHERE tpps.client_id = consents.client_id AND consents.issuer = ${embeddedIssuer} AND (tpps.status <> 'active' OR withdrawn_at IS NOT NULL))`;

/**
 * The guard of a statement that gives access. Only the embedded authorization server has ids of authorisations and a
 * register of TPPs.
 */
export function guardOfTpp(authorisationId: string | null | undefined): Prisma.Sql {
  return authorisationId ? ofActingTpp : Prisma.sql`TRUE`;
}

export async function isOfActingTpp(prisma: PrismaService, consentId: string): Promise<boolean> {
  const rows = await prisma.$queryRaw<unknown[]>`
    SELECT 1 FROM consents WHERE consent_id = ${consentId} AND ${ofActingTpp}`;
  return rows.length === 1;
}
