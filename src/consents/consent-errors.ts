import { OpenBankingError } from '../open-banking/errors.js';
import { unauthorised } from '../security/tpp.check.js';
import { hasExpired, stateOf } from './access.policy.js';
import type { Consent } from './consent.js';

/**
 * The TPP of the consent lost its standing before the access was given; nothing was changed. Only the embedded
 * authorization server receives this error, and shows it to the customer.
 */
export class TppMayNotAct extends Error {
  override readonly name = 'TppMayNotAct';
}

/** Another approval came first, or the proposal expired or was never made. Nothing was changed. */
export function proposalGone(): OpenBankingError {
  return new OpenBankingError(
    'path-unknown',
    { message: 'No proposal with this id waits: it was approved before, has expired, or was never made.' },
    { reason: 'proposal-gone' },
  );
}

export function notFound(): OpenBankingError {
  return new OpenBankingError('consent-not-found', {
    message: 'There is no consent with this id, or it was deleted.',
    path: 'ConsentId',
  });
}

export function ofAnotherTpp(): OpenBankingError {
  return new OpenBankingError('consent-of-another-tpp', {
    message: 'The consent was created by another TPP.',
    path: 'ConsentId',
  });
}

export function ofLaterVersion(createdIn: string): OpenBankingError {
  return new OpenBankingError('consent-version', {
    message: `The consent was created in ${createdIn} of this API: use it there. Nothing was changed.`,
    path: 'ConsentId',
  });
}

export function wrongStatus(consent: Consent, now: Date): OpenBankingError {
  const { status } = stateOf(consent, now.getTime());
  const expired = hasExpired(consent, now.getTime()) && status !== 'expired' ? ' and has expired' : '';
  return new OpenBankingError('consent-status', {
    message: `The consent is ${status}${expired}; nothing was changed.`,
    path: 'ConsentId',
  });
}

/** Also for an operator who was removed meanwhile. */
export function wrongCredential(): OpenBankingError {
  return unauthorised('not the credential of the bank or of an operator', 'credential-wrong');
}
