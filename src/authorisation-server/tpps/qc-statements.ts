import { AsnConvert } from '@peculiar/asn1-schema';
import { Certificate } from '@peculiar/asn1-x509';
import { id_pe_qcStatements, QCStatements } from '@peculiar/asn1-x509-qualified';
import { scopeOfKind, type ApiScope } from '../../open-banking/scopes.js';
import { Psd2Statement, psd2StatementId, pspRoleIds } from '../../open-banking/psd2-statement.js';

type RoleName = keyof typeof pspRoleIds;
const roleNames = Object.keys(pspRoleIds) as RoleName[];

/**
 * The roles in the certificate's PSD2 statement; `undefined` where it has no such statement, and `malformed` where the
 * certificate or the statement cannot be read. @param certificate DER
 */
export function rolesOf(certificate: Buffer): readonly RoleName[] | 'malformed' | undefined {
  try {
    const statement = psd2Statement(certificate);
    return statement && roleNames.filter((name) => statement.roles.some(({ id }) => id === pspRoleIds[name]));
  } catch {
    // The library throws plain errors for malformed DER.
    return 'malformed';
  }
}

const roleOf = { accounts: 'PSP_AI', fundsconfirmations: 'PSP_IC' } as const satisfies Record<ApiScope, RoleName>;

/** The roles in a certificate that the scopes of the API need. */
export function certificateRoles(scopes: readonly ApiScope[]): string {
  return scopes.map((scope) => roleOf[scope]).join(' or ');
}

/**
 * The scopes of the API that the certificate allows: those whose role its PSD2 statement names, or all where it has no such
 * statement. A certificate or a statement that is malformed allows none.
 * @param certificate DER
 */
export function scopesAllowedBy(certificate: Buffer): readonly ApiScope[] {
  const scopes = Object.values(scopeOfKind);
  const roles = rolesOf(certificate);
  if (roles === 'malformed') return [];
  return roles === undefined ? scopes : scopes.filter((scope) => roles.includes(roleOf[scope]));
}

function psd2Statement(certificate: Buffer): Psd2Statement | undefined {
  const { extensions = [] } = AsnConvert.parse(certificate, Certificate).tbsCertificate;
  const extension = extensions.find(({ extnID }) => extnID === id_pe_qcStatements);
  const statements = extension && AsnConvert.parse(extension.extnValue, QCStatements);
  const statement = statements?.find(({ statementId }) => statementId === psd2StatementId);
  return statement && AsnConvert.parse(statement.statementInfo ?? new ArrayBuffer(0), Psd2Statement);
}
