import { Type } from 'typebox';
import type { ConsentForm, ConsentPresentation } from '../../endpoint/api-version.js';
import type { ConsentState, ConsentStatus, StatedConsent } from '../../open-banking/consent-state.js';
import { formatDateTime } from '../../open-banking/date-times.js';
import { consentAnswer, consentData, consentRequest, consentTerms } from '../shared/consents.js';

/** OBReadConsentResponse1, "Status". */
const words: Readonly<Record<ConsentStatus, string>> = {
  awaiting: 'AwaitingAuthorisation',
  authorised: 'Authorised',
  rejected: 'Rejected',
  cancelled: 'Revoked',
  expired: 'Authorised',
};

export const consentForm: ConsentForm = {
  request: consentRequest(true),
  terms: consentTerms,
  answer: consentAnswer({ Status: Type.String({ enum: [...new Set(Object.values(words))] }) }),
  toData: (consent, state, rules) => consentData(consent, statusOf(consent, state, rules)),
};

/** From v3.1.4 on a withdrawn consent still reads `Authorised`, with the time of the authorisation. An expired one always does. */
function statusOf(
  { authorisedAt }: StatedConsent,
  { status, since, isFinal }: ConsentState,
  { statusAfterWithdrawal }: ConsentPresentation,
): { Status: string; StatusUpdateDateTime: string } {
  const stays = statusAfterWithdrawal === 'authorised' && !isFinal;
  const shown = status === 'cancelled' && stays ? 'authorised' : status;
  const isAuthorised = words[shown] === words.authorised;
  const changedAt = isAuthorised && (stays || status === 'expired') && authorisedAt ? authorisedAt : since;
  return { Status: words[shown], StatusUpdateDateTime: formatDateTime(changedAt) };
}
