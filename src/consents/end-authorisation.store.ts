import { tppId } from '../open-banking/tpp-id.js';
import type { PrismaService } from '../persistence/prisma.service.js';
import type { Consent } from './consent.js';

const select = { consentId: true, issuer: true, clientId: true } as const;

/** See `ConsentStore.endAuthorisation`. */
export async function endAuthorisation(
  prisma: PrismaService,
  authorisationId: string,
): Promise<Pick<Consent, 'consentId' | 'tpp'> | undefined> {
  // The next authorisation first: if it becomes current between the two statements, the second one ends it.
  const [next] = await prisma.consent.updateManyAndReturn({
    where: { nextAuthorisationId: authorisationId },
    data: { nextAuthorisationId: null },
    select,
  });
  const [current] = await prisma.consent.updateManyAndReturn({
    where: { authorisationId },
    data: { authorisationId: null },
    select,
  });
  const ended = current ?? next;
  return ended && { consentId: ended.consentId, tpp: tppId(ended.issuer, ended.clientId) };
}
