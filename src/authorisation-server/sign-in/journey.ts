import { Type, type Static, type TSchema } from 'typebox';
import { stepMessages, whyWithheld } from '../pages/customer-pages.js';

const closed = { additionalProperties: false };

const SignedInCustomer = Type.Object(
  {
    customerRef: Type.String(),
    customerRefs: Type.Optional(Type.Record(Type.String(), Type.String())),
    displayName: Type.String(),
    authenticatedAtMs: Type.Number(),
  },
  closed,
);
export type SignedInCustomer = Static<typeof SignedInCustomer>;

/** An account of the customer. The browser knows it by its key only. */
const ListedAccount = Type.Object(
  {
    key: Type.String(),
    core: Type.Optional(Type.String()),
    ref: Type.String(),
    product: Type.String(),
    name: Type.Optional(Type.String()),
    endsWith: Type.Optional(Type.String()),
    /** Why the customer cannot choose it, where that is so. */
    withheld: Type.Optional(Type.Enum(whyWithheld)),
  },
  closed,
);
export type ListedAccount = Static<typeof ListedAccount>;

/** An attempt to sign in. The journey has it from the bank's first step to its last one. */
const SignInAttempt = Type.Object(
  {
    /** Absent where the bank's own sign-on asks for it. */
    loginName: Type.Optional(Type.String()),
    atMs: Type.Number(),
    /** The limits under which the sign-in was counted, and each further code that was sent. */
    starts: Type.Array(Type.Object({ atMs: Type.Number(), subjects: Type.Array(Type.String()) }, closed)),
    /** Comes back from the bank's own sign-on. */
    returnState: Type.String(),
  },
  closed,
);
export type SignInAttempt = Static<typeof SignInAttempt>;

/** The members of every step. */
const base = {
  deadlineMs: Type.Number(),
  /** Absent at the dashboard, where no TPP asks. `id` is the name of the journey in its URL; `uid` is the library's, a secret. */
  request: Type.Optional(Type.Object({ id: Type.String(), uid: Type.String() }, closed)),
  message: Type.Optional(Type.Enum(stepMessages)),
};
/** The members of the steps at the bank: the attempt to sign in, and the bank's state of it. */
const bankStep = { ...base, attempt: SignInAttempt, state: Type.String() };

function step<Name extends string, Members extends Record<string, TSchema>>(name: Name, members: Members) {
  return Type.Object({ ...members, step: Type.Literal(name) }, closed);
}

const SignInStep = step('sign-in', { ...base, loginName: Type.Optional(Type.String()) });
/** `tries` at the present code: each is counted before the bank checks it. */
const CodeStep = step('code', { ...bankStep, sentTo: Type.String(), tries: Type.Number() });
/** The bank is not asked before `pollAtMs`. */
const WaitStep = step('wait', {
  ...bankStep,
  shown: Type.Optional(Type.String()),
  pollAfterSeconds: Type.Number(),
  pollAtMs: Type.Number(),
});
/** `returned`: the browser has come back, and the bank is asked what it brought. */
const RedirectStep = step('redirect', { ...bankStep, url: Type.String(), returned: Type.Optional(Type.Literal(true)) });
/** The person is signed in, and has not chosen yet for which customer. The browser knows each by its place in the list. */
const ChoosingStep = step('choose-customer', { ...base, customers: Type.Array(SignedInCustomer) });
/** The customer is signed in and has not decided yet. */
const DecideStep = step('decide', {
  ...base,
  customer: SignedInCustomer,
  /** Absent until the core has answered. */
  accounts: Type.Optional(Type.Array(ListedAccount)),
  /** Accounts are missing in the list, because a core could not be read. */
  incomplete: Type.Optional(Type.Boolean()),
  /** Whether the page shows every account as chosen that can be chosen. */
  allChosen: Type.Optional(Type.Boolean()),
});
/** The answer is given, and the browser only has to take it to the TPP. */
const EndedStep = step('ended', base);

/**
 * The customer's present step: sign in -> the bank's steps (a code, an approval in the app, the bank's own sign-on) -> decide
 * -> ended. A person who acts for several customers chooses one before. At the dashboard `decide` is the last step.
 */
export const Journey = Type.Union([SignInStep, CodeStep, WaitStep, RedirectStep, ChoosingStep, DecideStep, EndedStep]);
/** Rises with every change of {@link Journey}. */
export const journeyVersion = 1;

export type Journey = Static<typeof Journey>;
export type CodeStep = Static<typeof CodeStep>;
export type WaitStep = Static<typeof WaitStep>;
export type RedirectStep = Static<typeof RedirectStep>;
export type ChoosingCustomer = Static<typeof ChoosingStep>;
export type Deciding = Static<typeof DecideStep>;
export type BankStepJourney = CodeStep | WaitStep | RedirectStep;
