import { Type } from 'typebox';
import type { FundsForm } from '../../endpoint/api-version.js';
import type { ConsentStatus } from '../../open-banking/consent-state.js';
import { formatDateTime } from '../../open-banking/date-times.js';
import { DebtorAccountSchema, fundsConsentAnswer, fundsConsentData, fundsConsentRequest } from '../shared/funds.js';

/** OBFundsConfirmationConsentResponse1, "Status". Unlike the one for account access, a withdrawn consent is `Revoked`. */
const words: Readonly<Record<ConsentStatus, string>> = {
  awaiting: 'AwaitingAuthorisation',
  authorised: 'Authorised',
  rejected: 'Rejected',
  cancelled: 'Revoked',
  expired: 'Authorised',
};

export const fundsForm: FundsForm = {
  request: fundsConsentRequest(DebtorAccountSchema),
  answer: fundsConsentAnswer(DebtorAccountSchema, {
    Status: Type.String({ enum: [...new Set(Object.values(words))] }),
  }),
  toData: (consent, { status, since }) =>
    fundsConsentData(consent, {
      Status: words[status],
      StatusUpdateDateTime: formatDateTime(status === 'expired' ? (consent.authorisedAt ?? since) : since),
    }),
};
