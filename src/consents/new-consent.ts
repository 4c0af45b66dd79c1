import { randomUUID } from 'node:crypto';
import { consentIdPrefixes } from '../open-banking/consent-state.js';
import type { TppId } from '../open-banking/tpp-id.js';
import type { Consent } from './consent.js';

/** The terms for which a TPP asks. */
export type AskedConsent = Pick<
  Consent,
  'kind' | 'permissions' | 'expires' | 'transactionsFrom' | 'transactionsTo' | 'debtor' | 'debtorAccount'
>;

export function newConsent(asked: AskedConsent, tpp: TppId, createdIn: string, now: Date): Consent {
  return {
    consentId: `${consentIdPrefixes[asked.kind]}${randomUUID()}`,
    tpp,
    ...asked,
    status: 'awaiting',
    createdAt: now,
    createdIn,
    statusUpdatedAt: now,
  };
}
