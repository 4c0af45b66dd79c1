import type { Refusal } from '../../../packages/customer-authentication/customer-authentication.js';
import type { OpenStep } from '../../../packages/customer-authentication/step-fault.js';
import { equalSecrets } from '../../security/equal-secrets.js';
import type { Reason } from '../../trail/reasons.js';
import type { SignInAttempt, ChoosingCustomer, CodeStep, Journey, WaitStep } from './journey.js';
import { atDetails, atStep, backToSignIn, readCode, signedIn, withMessage } from './states.js';
import type { Answer, QuestionAndReply, Effect, Input, Question, Reply, Storing, Transition } from './terms.js';

// The sign-in of a journey and of the dashboard: every transition, and nothing that acts. `SignIn` carries out a transition:
// its effects, then its change of the stored state, then its question to the bank or its answer.

/** After that number of tries the bank sends another code. */
export const triesAtOneCode = 3;

type StepName = Journey['step'];
type At<S extends StepName> = Extract<Journey, { step: S }>;
type InputName = Input['input'];
type InputOf<I extends InputName> = Extract<Input, { input: I }>;
type CustomerRules = {
  readonly [S in StepName]: {
    readonly [I in InputName]?: (journey: At<S>, input: InputOf<I>, nowMs: number) => Transition;
  };
};
type ReplyName = Exclude<Reply['step'], 'refused'> | Refusal['reason'];
type BankRule = (journey: Journey, asked: QuestionAndReply, nowMs: number) => Transition;

/** The rules for the customer's inputs, by the step. Any other input changes nothing: the browser gets the page of the step. */
const customerRules: CustomerRules = {
  'sign-in': { details: begin },
  code: { details: begin, code: checkCode, 'another-code': sendAgain },
  wait: { details: begin, poll },
  redirect: { details: begin, return: returnFromBank },
  'choose-customer': { details: begin, customer: choose },
  decide: { details: begin },
  ended: {},
};

/** The rules for the bank's replies. */
const bankRules: Readonly<Record<ReplyName, BankRule>> = {
  code: showBankStep,
  wait: showBankStep,
  redirect: showBankStep,
  done: recognise,
  wrong: refuse,
  expired: refuse,
  declined: refuse,
  locked: sendToBank,
  'must-change-password': sendToBank,
  unreachable: giveUp,
  limited: block,
};

/** The rules for replies that mean something else after these questions. */
const bankRulesAfter: { readonly [Q in Question['ask']]: Partial<Record<ReplyName, BankRule>> } = {
  begin: {},
  code: { wrong: afterWrongCode, expired: keepExpiredCode },
  'another-code': { expired: beginAgain, limited: keepCode },
  poll: { wait: keepWaiting, unreachable: keepWaiting },
  return: {},
};

/** After an input of the customer. */
export function afterInput(journey: Journey, input: Input, nowMs: number): Transition {
  const rule = customerRules[journey.step][input.input] as
    ((journey: Journey, input: Input, nowMs: number) => Transition) | undefined;
  return rule === undefined ? to(journey, { answer: 'page' }) : rule(journey, input, nowMs);
}

/** After a question to the bank. */
export function afterReply(journey: Journey, asked: QuestionAndReply, nowMs: number): Transition {
  const { question, reply } = asked;
  const name = reply.step === 'refused' ? reply.reason : reply.step;
  return (bankRulesAfter[question.ask][name] ?? bankRules[name])(journey, asked, nowMs);
}

function to(journey: Journey, then: Question | Answer, storing: Storing = 'nothing', ...effects: Effect[]): Transition {
  return { effects, storing, journey, then };
}

const page = { answer: 'page' } as const;

function failed(reason: Reason): Effect {
  return { effect: 'record', step: 'sign-in-failed', reason };
}

const blocked: Effect = { effect: 'record', step: 'sign-in-blocked', reason: 'too-many-sign-ins' };

// The customer's inputs

/** A customer can sign in again from every step but the end. A code stays valid until the bank has got other details. */
function begin(journey: Journey, { isComplete, loginName, credentials, returnState }: InputOf<'details'>): Transition {
  if (!isComplete) return to(backToSignIn(journey, 'incomplete', loginName), page, 'note');
  return to(journey, { ask: 'begin', returnState, ...(credentials && { credentials }) }, 'step');
}

function checkCode(journey: CodeStep, { typed }: InputOf<'code'>): Transition {
  const read = readCode(typed);
  if ('fault' in read) return to(withMessage(journey, read.fault), page, 'note');
  // The process ended before it sent the next code.
  if (journey.tries >= triesAtOneCode) return to(journey, { ask: 'another-code', why: 'code-replaced' }, 'step');
  // A try is stored before the bank checks it: guesses that arrive at once get no more tries than one after the other.
  const { message: _answered, ...rest } = journey;
  return to({ ...rest, tries: journey.tries + 1 }, { ask: 'code', code: read.code }, 'step');
}

function sendAgain(journey: CodeStep): Transition {
  return to(journey, { ask: 'another-code', why: 'sent-again' }, 'step');
}

/** The time of the next question is stored first: of several pages that load at once, one asks. */
function poll(journey: WaitStep, _input: InputOf<'poll'>, nowMs: number): Transition {
  if (nowMs < journey.pollAtMs) return to(journey, { answer: 'stay' });
  return to(askLater(journey, nowMs), { ask: 'poll' }, 'note');
}

function returnFromBank(journey: At<'redirect'>, { query, returnState }: InputOf<'return'>): Transition {
  if (!equalSecrets(returnState, journey.attempt.returnState)) return to(journey, { answer: 'out-of-date' });
  if (journey.returned) return to(journey, { answer: 'elsewhere' });
  return to({ ...journey, returned: true }, { ask: 'return', query }, 'step');
}

function choose(journey: ChoosingCustomer, { chosen }: InputOf<'customer'>): Transition {
  const customer = journey.customers.find((_, at) => String(at) === chosen);
  if (customer === undefined) return to(withMessage(journey, 'choose-a-customer'), page, 'note');
  // The cookie stays: this proves nothing new.
  return to(signedIn(journey, [customer]), page, 'step');
}

// The bank's replies

function showBankStep(journey: Journey, asked: QuestionAndReply, nowMs: number): Transition {
  const step = asked.reply as OpenStep;
  const next = atStep(journey, attemptOf(journey, asked), step, nowMs);
  const { question } = asked;
  // The customer has proved nothing yet: the cookie stays.
  if (next.step === 'redirect') return to(next, { answer: 'leave' }, 'step');
  return to(question.ask === 'another-code' ? withMessage(next, question.why) : next, page, 'renew');
}

function recognise(journey: Journey, asked: QuestionAndReply): Transition {
  const { customers, result } = asked.reply as Extract<Reply, { step: 'done' }>;
  const attempt = attemptOf(journey, asked);
  const recognised: Effect = { effect: 'recognised', attempt, result };
  // The customer who gave the access is the only one who can confirm it: there is nothing to choose.
  const ofOwner = customers.filter(({ customerRef }) => asked.owner === undefined || customerRef === asked.owner);
  if (ofOwner.length > 0) return to(signedIn(journey, ofOwner), page, 'renew', recognised);
  // The bank's state is used up: a customer who goes back begins with the details.
  const failure = failed('another-customer');
  return to(atDetails(journey), { answer: 'another-customer' }, 'step', recognised, failure);
}

const reasons = {
  locked: 'customer-locked',
  'must-change-password': 'password-change-needed',
  wrong: 'sign-in-wrong',
  expired: 'sign-in-expired',
  declined: 'sign-in-declined',
} as const satisfies Readonly<Record<Refusal['reason'], Reason>>;

/** No answer shows which of two factors was wrong. */
function refuse(journey: Journey, asked: QuestionAndReply): Transition {
  const { reason } = asked.reply as Refusal;
  const loginName = loginNameOf(journey, asked.question);
  const isTyped = reason === 'wrong' && loginName !== undefined;
  const back = backToSignIn(journey, isTyped ? 'not-recognised' : 'not-finished', loginName);
  return to(back, page, 'step', failed(reasons[reason]));
}

function sendToBank(journey: Journey, { reply }: QuestionAndReply): Transition {
  const { reason, page: address } = reply as Extract<Refusal, { page: string }>;
  return to(atDetails(journey), { answer: reason, page: address }, 'step', failed(reasons[reason]));
}

/** The bank could not check the factors: back to the beginning. */
function giveUp(journey: Journey, asked: QuestionAndReply): Transition {
  const { reached } = asked.reply as Extract<Reply, { step: 'unreachable' }>;
  const { start } = asked;
  const effects: Effect[] = [failed('sign-on-unreachable')];
  // Otherwise the bank may have sent a code.
  if (start !== undefined && !reached) effects.push({ effect: 'give-back', start });
  return to(backToSignIn(journey, 'unavailable', loginNameOf(journey, asked.question)), page, 'step', ...effects);
}

function block(journey: Journey): Transition {
  return to(journey, { answer: 'blocked' }, 'nothing', blocked);
}

// After a code

function afterWrongCode(journey: Journey): Transition {
  const failure = failed('sign-in-wrong');
  if (journey.step !== 'code' || journey.tries >= triesAtOneCode)
    return to(journey, { ask: 'another-code', why: 'code-replaced' }, 'step', failure);
  return to(withMessage(journey, 'wrong-code'), page, 'note', failure);
}

/** No attacker can guess an expired code, so the try does not count. */
function keepExpiredCode(journey: Journey): Transition {
  const untried = journey.step === 'code' ? { ...journey, tries: journey.tries - 1 } : journey;
  return to(withMessage(untried, 'code-expired'), page, 'note');
}

// After the wish for another code

function beginAgain(journey: Journey, asked: QuestionAndReply): Transition {
  return to(backToSignIn(journey, 'code-expired', loginNameOf(journey, asked.question)), page, 'step');
}

/** The present code stays valid, where its tries are not used up. */
function keepCode(journey: Journey, asked: QuestionAndReply): Transition {
  const { question } = asked;
  if (question.ask === 'another-code' && question.why === 'sent-again')
    return to(withMessage(journey, 'wait-for-code'), page, 'note');
  const back = backToSignIn(journey, 'not-recognised', loginNameOf(journey, asked.question));
  return to(back, { answer: 'blocked' }, 'step', blocked);
}

// After a question whether the customer has approved in the bank's app

/** Also while the bank does not answer: it may answer the next question. */
function keepWaiting(journey: Journey, { reply }: QuestionAndReply, nowMs: number): Transition {
  if (journey.step !== 'wait') return to(journey, page);
  const state = reply.step === 'wait' ? { state: reply.state } : {};
  return to({ ...askLater(journey, nowMs), ...state }, { answer: 'stay' }, 'note');
}

function askLater(journey: WaitStep, nowMs: number): WaitStep {
  return { ...journey, pollAtMs: nowMs + journey.pollAfterSeconds * 1_000 };
}

function attemptOf(journey: Journey, { question, start }: QuestionAndReply): SignInAttempt {
  const starts = start === undefined ? [] : [{ atMs: start.atMs, subjects: [...start.subjects] }];
  if (question.ask === 'begin' && start !== undefined) {
    const { credentials, returnState } = question;
    return { ...(credentials && { loginName: credentials.loginName }), atMs: start.atMs, starts, returnState };
  }
  if (!('attempt' in journey)) throw new Error('the bank answered a sign-in that was not begun');
  return { ...journey.attempt, starts: [...journey.attempt.starts, ...starts] };
}

/** Absent where the bank's own sign-on asks for it. */
export function loginNameOf(journey: Journey, question: Question): string | undefined {
  if (question.ask === 'begin') return question.credentials?.loginName;
  return 'attempt' in journey ? journey.attempt.loginName : undefined;
}
