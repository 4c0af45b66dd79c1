import type { OpenStep } from '../../../packages/customer-authentication/step-fault.js';
import type { JourneyStage } from '../../trail/event.js';
import type { StepMessage } from '../pages/customer-pages.js';
import type { SignInAttempt, BankStepJourney, Journey, SignedInCustomer } from './journey.js';

/** The customer's time from the first page to the approval. */
export const journeyMs = 15 * 60_000;

export function beginJourney(nowMs: number, request?: Journey['request']): Journey {
  return { step: 'sign-in', deadlineMs: nowMs + journeyMs, ...(request && { request }) };
}

/** @param loginName stays filled in */
export function backToSignIn(journey: Journey, message: StepMessage, loginName = ''): Journey {
  return { step: 'sign-in', ...base(journey), message, ...(loginName !== '' && { loginName }) };
}

/** The journey at the bank's next step. */
export function atStep(journey: Journey, attempt: SignInAttempt, step: OpenStep, nowMs: number): BankStepJourney {
  const members = { ...base(journey), attempt, state: step.state };
  switch (step.step) {
    case 'code':
      return { ...members, step: 'code', sentTo: step.sentTo, tries: 0 };
    case 'wait': {
      const { shown, pollAfterSeconds } = step;
      const pollAtMs = nowMs + pollAfterSeconds * 1_000;
      return { ...members, step: 'wait', ...(shown !== undefined && { shown }), pollAfterSeconds, pollAtMs };
    }
    case 'redirect':
      return { ...members, step: 'redirect', url: step.url };
  }
}

/** The journey with the first factor shown again. */
export function atDetails(journey: Journey): Journey {
  if (!('attempt' in journey)) return journey;
  const { loginName } = journey.attempt;
  return { step: 'sign-in', ...base(journey), ...(loginName !== undefined && { loginName }) };
}

/** @param customers of whom the person chooses one, where there are several */
export function signedIn(journey: Journey, customers: readonly SignedInCustomer[]): Journey {
  const [customer, ...others] = customers;
  if (customer === undefined) throw new Error('a sign-in without a customer');
  return others.length === 0
    ? { step: 'decide', ...base(journey), customer }
    : { step: 'choose-customer', ...base(journey), customers: [...customers] };
}

/** The journey without the customer's data. */
export function ended(journey: Journey): Journey {
  return { step: 'ended', ...base(journey) };
}

export function withMessage<J extends Journey>(journey: J, message: StepMessage): J {
  return { ...journey, message };
}

/** The members that every step of a journey has. */
function base({ deadlineMs, request }: Journey): Pick<Journey, 'deadlineMs' | 'request'> {
  return { deadlineMs, ...(request && { request }) };
}

const stages: Readonly<Record<Exclude<Journey['step'], 'ended'>, JourneyStage>> = {
  'sign-in': 'sign-in',
  code: 'bank-step',
  wait: 'bank-step',
  redirect: 'bank-step',
  'choose-customer': 'customer-choice',
  decide: 'accounts',
};

/** The page at which the customer is; `undefined` once the journey has ended. */
export function stageOf({ step }: Pick<Journey, 'step'>): JourneyStage | undefined {
  return step === 'ended' ? undefined : stages[step];
}

/** The digits of a typed code, or its fault. People type the digits in groups, as the phone shows them. */
export function readCode(typed: string): { readonly code: string } | { readonly fault: 'incomplete' | 'not-digits' } {
  const code = typed.normalize('NFKC').replace(/[\s\p{Pd}\u2212]/gu, '');
  if (code === '') return { fault: 'incomplete' };
  return /^\d+$/.test(code) ? { code } : { fault: 'not-digits' };
}
