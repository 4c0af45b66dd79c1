import { Type } from 'typebox';
import type { ConsentForm } from '../../endpoint/api-version.js';
import type { ConsentState, ConsentStatus, StatusReason } from '../../open-banking/consent-state.js';
import { formatDateTime } from '../../open-banking/date-times.js';
import { consentAnswer, consentData, consentRequest, consentTerms } from '../shared/consents.js';

/** OBInternalConsentStatus1Code. */
const statuses: Readonly<Record<ConsentStatus, string>> = {
  awaiting: 'AWAU',
  authorised: 'AUTH',
  rejected: 'RJCT',
  cancelled: 'CANC',
  expired: 'EXPD',
};

/** OBExternalStatusReason1Code, and the reason in a sentence. */
const reasons: Readonly<Record<StatusReason | 'expired', readonly [string, string]>> = {
  'customer-refused': ['U037', 'The customer refused the consent.'],
  'not-completed': ['U036', 'The customer began the authorisation and did not complete it in time.'],
  'customer-withdrew': ['CUST', 'The customer withdrew the consent.'],
  'bank-withdrew': ['TKSP', 'The consent was withdrawn at the bank.'],
  // As any other withdrawal at the bank.
  fraud: ['TKSP', 'The consent was withdrawn at the bank.'],
  'withdrawn-with-tpp': ['TKSP', 'The bank withdrew all consents of the TPP.'],
  expired: ['TKXP', 'The consent has expired.'],
};

/** The members that say the status of a consent. */
export const statusSchemas = {
  Status: Type.String({ enum: Object.values(statuses) }),
  StatusReason: Type.Optional(
    Type.Array(
      Type.Object({
        StatusReasonCode: Type.String({ minLength: 1, maxLength: 4, examples: ['CUST'] }),
        StatusReasonDescription: Type.String({ minLength: 1, maxLength: 500 }),
      }),
    ),
  ),
};

export const consentForm: ConsentForm = {
  request: consentRequest(false),
  terms: consentTerms,
  answer: consentAnswer(statusSchemas),
  toData: (consent, state) => consentData(consent, statusOf(state)),
};

export function statusOf({ status, reason, since }: ConsentState): Record<string, unknown> {
  const why = status === 'expired' ? reasons.expired : reason && reasons[reason];
  return {
    Status: statuses[status],
    ...(why && { StatusReason: [{ StatusReasonCode: why[0], StatusReasonDescription: why[1] }] }),
    StatusUpdateDateTime: formatDateTime(since),
  };
}
