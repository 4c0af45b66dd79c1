import { randomUUID } from 'node:crypto';

/** The id of a new authorisation of the embedded authorization server. It names the consent, whose row says whether it is good. */
export function newAuthorisationId(consentId: string): string {
  return `${randomUUID()}.${consentId}`;
}

export function consentOfAuthorisation(authorisationId: string): string {
  return authorisationId.slice(authorisationId.indexOf('.') + 1);
}
