import { AsnProp, AsnPropTypes } from '@peculiar/asn1-schema';

/** The roles in which a payment service provider may be authorised: ETSI TS 119 495, section 4.2 and annex A. */
export const pspRoleIds = {
  PSP_AS: '0.4.0.19495.1.1',
  PSP_PI: '0.4.0.19495.1.2',
  PSP_AI: '0.4.0.19495.1.3',
  PSP_IC: '0.4.0.19495.1.4',
} as const;

export const psd2StatementId = '0.4.0.19495.2';

export class RoleOfPsp {
  @AsnProp({ type: AsnPropTypes.ObjectIdentifier })
  id = '';

  @AsnProp({ type: AsnPropTypes.Utf8String })
  name = '';
}

/** The statement in a TPP's certificate about its roles and the national authority that authorised it (`PSD2QcType`). */
export class Psd2Statement {
  @AsnProp({ type: RoleOfPsp, repeated: 'sequence' })
  roles: RoleOfPsp[] = [];

  @AsnProp({ type: AsnPropTypes.Utf8String })
  authorityName = '';

  @AsnProp({ type: AsnPropTypes.Utf8String })
  authorityId = '';
}
