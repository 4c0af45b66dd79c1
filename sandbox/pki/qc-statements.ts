import { AsnConvert } from '@peculiar/asn1-schema';
import { QCStatement, QCStatements } from '@peculiar/asn1-x509-qualified';
import { Psd2Statement, RoleOfPsp, psd2StatementId, pspRoleIds } from '../../src/open-banking/psd2-statement.js';

export type PspRole = keyof typeof pspRoleIds;

/** As certificates name it, and, by `directoryId`, as the directory does. */
export const competentAuthority = { name: 'Financial Conduct Authority', id: 'GB-FCA', directoryId: 'FCAGBR' } as const;

/** The DER encoding of the extension with a TPP's roles and the authority that authorised it. */
export function psd2Statements(
  roles: readonly PspRole[],
  authority: { readonly name: string; readonly id: string },
): ArrayBuffer {
  const psd2 = Object.assign(new Psd2Statement(), {
    roles: roles.map((name) => Object.assign(new RoleOfPsp(), { id: pspRoleIds[name], name })),
    authorityName: authority.name,
    authorityId: authority.id,
  });
  const statement = Object.assign(new QCStatement(), {
    statementId: psd2StatementId,
    statementInfo: AsnConvert.serialize(psd2),
  });
  return AsnConvert.serialize(new QCStatements([statement]));
}
