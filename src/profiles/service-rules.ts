import type { ConsentPresentation } from '../endpoint/api-version.js';
import { versionNames, type VersionName } from '../versions/versions.js';

/** The bank's product people decide these rules of the service; TPPs find most of them in the published facts. */
export interface ServiceRules extends ConsentPresentation {
  /** Time after the customer's authentication in which a TPP may read everything. */
  readonly authenticationWindowSeconds: number;
  /** Transactions younger than this are exempt from that window. */
  readonly exemptHistoryDays: number;
  /** Time from the creation of a consent in which the customer can begin to authorise it. */
  readonly consentAuthorisationHours: number;
  /** Time from the beginning of an authorisation in which the customer must complete it: then the consent is rejected. */
  readonly authorisationMinutes: number;
  readonly unattendedAccess: UnattendedAccessRule;
  /** Absent: the bank offers no confirmation of funds. */
  readonly fundsConfirmation?: FundsConfirmationRule;
  /** The versions of the API that TPPs can use. */
  readonly versions: readonly VersionName[];
  /** Days for which an event waits for its TPP to acknowledge it. */
  readonly eventDays: number;
  /** Rows of one page of a long answer. */
  readonly pageSize: number;
  /** `<prefix>` of the bank's own error codes, `UK.<prefix>.…`. */
  readonly errorCodePrefix: string;
  /** IANA name of the zone whose calendar days the bank uses. */
  readonly timeZone: string;
  /** How a list of accounts is answered while a core of its accounts is unreachable: not at all, or without its accounts. */
  readonly unreachableCore: 'refuse' | 'partial';
}

/** Reads without the customer that exceed `limit` in 24 hours are counted, or refused. */
export interface UnattendedAccessRule {
  readonly mode: 'observe' | 'enforce';
  /** For each consent, account and endpoint. */
  readonly limit: number;
}

export interface FundsConfirmationRule {
  /** Whether the money of an arranged overdraft counts as available. */
  readonly countOverdraft: boolean;
  /**
   * How a TPP must know the account's name: as the bank has it, but for case, spaces and punctuation, or not at all. A TPP
   * that states no name is not asked for one.
   */
  readonly name: 'same' | 'not-compared';
}

/** The published values: docs/specification.md, "The authentication window". */
export const defaultRules: ServiceRules = {
  authenticationWindowSeconds: 300,
  exemptHistoryDays: 90,
  consentAuthorisationHours: 24,
  authorisationMinutes: 30,
  statusAfterWithdrawal: 'cancelled',
  unattendedAccess: { mode: 'observe', limit: 4 },
  versions: versionNames,
  eventDays: 90,
  pageSize: 1_000,
  errorCodePrefix: 'AIG',
  timeZone: 'Europe/London',
  unreachableCore: 'refuse',
};
