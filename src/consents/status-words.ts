import type { ConsentStatus } from '../open-banking/consent-state.js';

/**
 * The statuses in the words of the bank's port and of the authorization server. Both serve TPPs of every version of the
 * API. Each version has its own words for TPPs. An expired consent still reads `Authorised`.
 */
export const statusWords: Readonly<Record<ConsentStatus, string>> = {
  awaiting: 'AwaitingAuthorisation',
  authorised: 'Authorised',
  rejected: 'Rejected',
  revoked: 'Revoked',
};
