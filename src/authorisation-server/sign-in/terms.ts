import type {
  AuthenticationResult,
  CustomerCredentials,
  Refusal,
} from '../../../packages/customer-authentication/customer-authentication.js';
import type { OpenStep } from '../../../packages/customer-authentication/step-fault.js';
import type { Reason } from '../../trail/reasons.js';
import type { SignInAttempt, Journey, SignedInCustomer } from './journey.js';
import type { Start } from './sign-in-limits.js';

/** An input from the customer's browser. */
export type Input =
  | {
      readonly input: 'details';
      readonly loginName: string;
      /** Absent where a field was left empty, and where the bank's own sign-on asks for them. */
      readonly credentials?: CustomerCredentials;
      readonly isComplete: boolean;
      readonly returnState: string;
    }
  | { readonly input: 'code'; readonly typed: string }
  | { readonly input: 'another-code' }
  | { readonly input: 'customer'; readonly chosen: string }
  /** The page of the bank's app was loaded. */
  | { readonly input: 'poll' }
  /** The browser came back from the bank's own sign-on. */
  | { readonly input: 'return'; readonly query: string; readonly returnState: string | undefined };

/** A question to the bank. `begin` and `another-code` send a code, so each counts as a start. */
export type Question =
  | { readonly ask: 'begin'; readonly returnState: string; readonly credentials?: CustomerCredentials }
  | { readonly ask: 'code'; readonly code: string }
  | { readonly ask: 'another-code'; readonly why: 'sent-again' | 'code-replaced' }
  | { readonly ask: 'poll' }
  | { readonly ask: 'return'; readonly query: string };

export function isStart({ ask }: Question): boolean {
  return ask === 'begin' || ask === 'another-code';
}

/**
 * The reply to a question: a step of the bank's; `unreachable`, where `reached` says whether a request may have reached the bank;
 * or `limited`, where a limit of starts did not let the gateway ask.
 */
export type Reply =
  | OpenStep
  | Refusal
  | { readonly step: 'done'; readonly customers: readonly SignedInCustomer[]; readonly result: AuthenticationResult }
  | { readonly step: 'unreachable'; readonly reached: boolean }
  | { readonly step: 'limited' };

/**
 * The answer to the browser.
 * - `page`: the page of the present step. `leave`: the page that sends the browser to the bank's own sign-on.
 * - `stay`: the page of the bank's app, as before.
 * - `elsewhere`: the post changed nothing, because the journey goes on in another window.
 * - `blocked`: a limit is reached; no answer says which.
 * - `out-of-date`: the browser came back from a sign-on that is no longer the present one.
 * - `another-customer`: only the customer who gave the access can confirm it.
 * - `locked`, `must-change-password`: the customer must do something on the bank's page first.
 */
export type Answer =
  | { readonly answer: 'page' | 'leave' | 'stay' | 'elsewhere' | 'blocked' | 'out-of-date' | 'another-customer' }
  | { readonly answer: 'locked' | 'must-change-password'; readonly page: string };

export type Effect =
  | { readonly effect: 'record'; readonly step: 'sign-in-failed' | 'sign-in-blocked'; readonly reason: Reason }
  /** Nothing of the start reached the bank, so it does not count. */
  | { readonly effect: 'give-back'; readonly start: Start }
  /** The bank knows the customer: no start counts, and the browser has a separate count from now on. */
  | { readonly effect: 'recognised'; readonly attempt: SignInAttempt; readonly result: AuthenticationResult };

/**
 * How the state is stored.
 * - `nothing`: it does not change. `note`: another text on the same page, whose forms stay valid.
 * - `step`: the forms before it are out of date. `renew`: a step that proves something, so the cookie is replaced too.
 */
export type Storing = 'nothing' | 'note' | 'step' | 'renew';

export interface Transition {
  readonly effects: readonly Effect[];
  readonly storing: Storing;
  readonly journey: Journey;
  readonly then: Question | Answer;
}

export interface QuestionAndReply {
  readonly question: Question;
  readonly reply: Reply;
  /** The start for which the question counts, where it does. */
  readonly start?: Start | undefined;
  /** The only customer who may sign in, where the access was given before. */
  readonly owner?: string | undefined;
}
