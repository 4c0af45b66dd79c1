import { Type } from 'typebox';
import type { ConsentForm } from '../endpoint/api-version.js';
import type { ConsentStatus } from '../open-banking/consent-state.js';

/** OBReadConsentResponse1, "Status". An expired consent still reads `Authorised`. */
const words: Readonly<Record<ConsentStatus, string>> = {
  awaiting: 'AwaitingAuthorisation',
  authorised: 'Authorised',
  rejected: 'Rejected',
  revoked: 'Revoked',
};

export const consentForm: ConsentForm = {
  members: { Status: Type.String({ enum: Object.values(words) }) },
  tell: ({ status }) => ({ Status: words[status] }),
};
