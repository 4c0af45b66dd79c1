import type { X509Certificate } from 'node:crypto';
import { apiScopesIn, scopeOfKind, type ApiScope } from '../../open-banking/scopes.js';
import { isOfOrganisation, type Organisation } from './software-statement.policy.js';
import { subjectAttributes } from './subject-dn.js';
import type { Tpp } from './tpp.store.js';

/**
 * Whether the registration allows the TPP to do anything at all now. It does not while the directory no longer says that it is
 * a TPP, nor after the end of the software statement by which it registered. The gateway checks this at each use, because a
 * statement ends by the time alone.
 */
export function inGoodStanding({ status, software }: Tpp, nowMs: number): boolean {
  if (status === 'deleted') return false;
  if (software === undefined) return true;
  const { withdrawnAt, expiresAt } = software;
  return withdrawnAt === undefined && (expiresAt === undefined || nowMs < expiresAt.getTime());
}

/**
 * The organisation whose certificates alone the TPP may use: that of its software statement. So a stolen signing key is
 * useless with a certificate of another organisation. Absent for a TPP that has no statement, and for one that registered its
 * certificates themselves.
 */
export function certifiedOrganisation({ metadata, software }: Tpp): Organisation | undefined {
  if (software === undefined || metadata.token_endpoint_auth_method === 'self_signed_tls_client_auth') return undefined;
  const { softwareId, organisationId, registrationId } = software;
  return { softwareId, organisationId, ...(registrationId !== undefined && { registrationId }) };
}

/** A TPP sends one certificate with many requests, and each is checked. */
const subjects = new WeakMap<X509Certificate, ReadonlySet<string>>();

/** Whether a client may use the certificate. @param organisation see {@link certifiedOrganisation} */
export function mayUse(certificate: X509Certificate, organisation: Organisation | undefined): boolean {
  if (organisation === undefined) return true;
  let subject = subjects.get(certificate);
  if (subject === undefined) subjects.set(certificate, (subject = subjectAttributes(certificate.subject)));
  return isOfOrganisation(subject, organisation);
}

/** The scopes of the API that the TPP may ask for: those that it registered, as far as its software statement has the roles. */
export function scopesOf({ metadata, software }: Pick<Tpp, 'metadata' | 'software'>): readonly ApiScope[] {
  const registered = apiScopesIn(metadata.scope ?? scopeOfKind['account-access']);
  return software === undefined ? registered : registered.filter((scope) => software.scopes.includes(scope));
}
