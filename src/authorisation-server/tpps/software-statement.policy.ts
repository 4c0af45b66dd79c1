import type { JWTPayload } from 'jose';
import { scopeOfKind, type ApiScope } from '../../open-banking/scopes.js';
import { member } from './json-member.js';
import { isNameOf, nameFault } from './tpp-name.policy.js';

/** The errors of RFC 7591, section 3.2.2. */
export interface RegistrationFault {
  readonly error:
    'invalid_client_metadata' | 'invalid_redirect_uri' | 'invalid_software_statement' | 'unapproved_software_statement';
  readonly description: string;
  /** For the trail, where it says more than the error. */
  readonly reason?: 'registration-certificate-wrong' | 'registration-exists' | 'tpp-suspended';
}

/** A TPP's software in the words of its directory: the claims of the UK directory's software statement assertion. */
export interface SoftwareStatement {
  readonly softwareId: string;
  readonly organisationId: string;
  /** The competent authority's number of the organisation. */
  readonly registrationId?: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly keysUrl: string;
  readonly expiresAt?: Date;
  /** The scopes of the API for which the software has the roles: one or more. */
  readonly scopes: readonly ApiScope[];
}

/** The organisation of the software, by the names that its certificates may have. */
export type Organisation = Pick<SoftwareStatement, 'softwareId' | 'organisationId' | 'registrationId'>;

/** In seconds. Older statements say too little about the present. */
export const oldestStatementSeconds = 180 * 86_400;
/** The directory's name of the role that each scope of the API needs. */
const roleOf = { accounts: 'AISP', fundsconfirmations: 'CBPII' } as const satisfies Record<ApiScope, string>;
const apiScopes = Object.values(scopeOfKind);

/**
 * Reads a statement whose signature and times were found good.
 * @param bankName which neither the software nor its agent may have
 */
export function readStatement(claims: JWTPayload, bankName?: string): SoftwareStatement | RegistrationFault {
  const text = (name: string): string | undefined => {
    const value = claims[name];
    return typeof value === 'string' && value !== '' && value.length <= 2_048 ? value : undefined;
  };
  const softwareId = text('software_id');
  const organisationId = text('org_id');
  const name = text('software_client_name');
  const keysUrl = text('software_jwks_endpoint');
  const redirectUris = claims['software_redirect_uris'];
  if (softwareId === undefined || !/^[\w-]{1,64}$/.test(softwareId)) return invalid('software_id');
  if (organisationId === undefined) return invalid('org_id');
  if (name === undefined || nameFault(name, bankName) !== undefined) return invalid('software_client_name');
  // Its other faults leave the agent out: see agent-name.policy.ts.
  if (isNameOf(bankName, text('software_on_behalf_of_org'))) return invalid('software_on_behalf_of_org');
  if (keysUrl === undefined) return invalid('software_jwks_endpoint');
  if (!isTexts(redirectUris) || redirectUris.length === 0) return invalid('software_redirect_uris');
  const expiresAt = claims.exp === undefined ? undefined : new Date(claims.exp * 1_000);
  if (expiresAt !== undefined && Number.isNaN(expiresAt.getTime())) return invalid('exp');
  const scopes = scopesOrFault(claims);
  if (typeof scopes === 'string') return { error: 'unapproved_software_statement', description: scopes };
  const registrationId = registrationIdIn(claims);
  return {
    softwareId,
    organisationId,
    ...(registrationId !== undefined && { registrationId }),
    name,
    redirectUris,
    keysUrl,
    ...(expiresAt !== undefined && { expiresAt }),
    scopes,
  };
}

/** The competent authority's number of the organisation. */
export function registrationIdIn(claims: JWTPayload): string | undefined {
  const id = member(claims['organisation_competent_authority_claims'], 'registration_id');
  return typeof id === 'string' ? id : undefined;
}

/** The scopes of the API for which a statement has the roles. */
export function scopesIn(claims: JWTPayload): readonly ApiScope[] {
  const scopes = scopesOrFault(claims);
  return typeof scopes === 'string' ? [] : scopes;
}

/** The scopes for which the directory and the competent authority give the software a role, or why there is no such scope. */
function scopesOrFault(claims: JWTPayload): readonly ApiScope[] | string {
  const { org_status: status, organisation_competent_authority_claims: authority } = claims;
  if (status !== undefined && status !== 'Active') return 'the organisation is not active';
  const { software_roles: roles } = claims;
  const scopes = isTexts(roles) ? apiScopes.filter((scope) => roles.includes(roleOf[scope])) : [];
  if (scopes.length === 0) return `software_roles must contain ${rolesOf(apiScopes)}`;
  if (authority === undefined || authority === null) return scopes;
  const authorityStatus = member(authority, 'status');
  if (authorityStatus !== undefined && authorityStatus !== 'Active') return 'the authorisation is not active';
  const authorisations = member(authority, 'authorisations');
  if (authorisations === undefined) return scopes;
  const granted = Array.isArray(authorisations) ? authorisations.map((one: unknown) => member(one, 'roles')) : [];
  const permitted = scopes.filter((scope) => granted.some((given) => isTexts(given) && given.includes(roleOf[scope])));
  return permitted.length > 0 ? permitted : `the competent authority's authorisations must contain ${rolesOf(scopes)}`;
}

function rolesOf(scopes: readonly ApiScope[]): string {
  return scopes.map((scope) => roleOf[scope]).join(' or ');
}

/**
 * Whether a certificate with this subject belongs to the organisation. Directories put the id of the organisation, or of the
 * software next to it, into the common name. Trust service providers put the organisation identifier there (ETSI TS 119 495,
 * section 5.1.4). An identifier of another authorisation refuses the certificate in every case.
 * @param subject attributes as `subjectAttributes` gives them
 */
export function isOfOrganisation(
  subject: ReadonlySet<string>,
  { softwareId, organisationId, registrationId }: Organisation,
): boolean {
  const values = (name: string): string[] =>
    [...subject]
      .filter((attribute) => attribute.startsWith(`${name}=`))
      .map((attribute) => attribute.slice(name.length + 1));
  const identifiers = values('2.5.4.97');
  const foreign = identifiers.some(
    (id) =>
      id !== organisationId &&
      registrationId !== undefined &&
      /^PSD[A-Z]{2}-[A-Z]{2,8}-(.+)$/.exec(id)?.[1] !== registrationId,
  );
  if (foreign) return false;
  if (identifiers.includes(organisationId)) return true;
  const [commonName, ...more] = values('cn');
  if (commonName === undefined || more.length > 0) return false;
  if (commonName === organisationId) return true;
  return commonName === softwareId && values('ou').every((unit) => unit === organisationId);
}

function invalid(claim: string): RegistrationFault {
  return { error: 'invalid_software_statement', description: `the software statement has no usable ${claim}` };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
