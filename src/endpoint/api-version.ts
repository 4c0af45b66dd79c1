import type { TSchema } from 'typebox';
import type { ConsentState, StatedConsent } from '../open-banking/consent-state.js';
import type { ErrorWords } from '../open-banking/errors.js';
import type { EventType } from '../open-banking/event-types.js';
import type { EndpointForm } from './endpoint-form.js';

/** All that one version of the API says in its own words. */
export interface ApiVersion<Name extends string = string> {
  /** As the paths have it, e.g. `v3.1`. */
  readonly name: Name;
  /** The release of the standard that its document names. */
  readonly release: string;
  /** The prefix of all its paths. */
  readonly rootPath: string;
  /** The prefix of the paths of account information, below `rootPath`. */
  readonly basePath: string;
  /** The prefix of the paths of confirmation of funds, below `rootPath`. */
  readonly fundsPath: string;
  /** One for each endpoint that it serves. */
  readonly forms: readonly EndpointForm[];
  readonly consent: ConsentForm;
  readonly funds: FundsForm;
  /** The types of the event of a consent that was withdrawn at the bank. */
  readonly typesOfWithdrawal: readonly EventType[];
  readonly errors: ErrorForm;
}

/** How a version writes errors. */
export interface ErrorForm extends ErrorWords {
  /** Schema of the body, for the document. */
  readonly schema: TSchema;
}

/** The terms for which a TPP asks. */
export type ConsentTerm = 'permissions' | 'expires' | 'transactionsFrom' | 'transactionsTo';

/** How a bank shows its consents to TPPs: the part that its product profile states. */
export interface ConsentPresentation {
  /** As which a withdrawn consent shows in a version of the API that knows both ways. */
  readonly statusAfterWithdrawal: 'cancelled' | 'authorised';
}

/** How a version speaks of consents. The rules about consents hold in every version. */
export interface ConsentForm {
  /** Schema of the request for a consent. */
  readonly request: TSchema;
  /** The names of the terms in the request, below `Data`, in the order in which a refusal lists their faults. */
  readonly terms: Readonly<Record<ConsentTerm, string>>;
  /** Schema of `Data` in an answer. */
  readonly answer: TSchema;
  /** The consent as `Data` of an answer. */
  toData(consent: StatedConsent, state: ConsentState, rules: ConsentPresentation): Readonly<Record<string, unknown>>;
}

/** How a version speaks of confirmation of funds. */
export interface FundsForm {
  /** Schema of the request for a consent. */
  readonly request: TSchema;
  /** Schema of `Data` in an answer about a consent. */
  readonly answer: TSchema;
  /** The consent as `Data` of an answer. */
  toData(consent: StatedConsent, state: ConsentState): Readonly<Record<string, unknown>>;
}
