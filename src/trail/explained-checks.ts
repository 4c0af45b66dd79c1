import type { CheckName, RefusingCheck } from '../open-banking/checks.js';
import { rules, type Rule } from '../open-banking/rules.js';
import { numberIn, partIn, textIn, textsIn, textsOf, type StoredEvent } from './stored-event.js';
import { duration, instant } from './words.js';

export interface ExplainedCheck {
  readonly name: RefusingCheck;
  readonly outcome: 'passed' | 'refused' | 'not reached';
  /** The facts on which it decided. */
  readonly facts?: string;
}

/** A check with the facts on which it decided, as far as the event states them. */
export function explainedCheck(
  name: CheckName,
  outcome: ExplainedCheck['outcome'],
  event: StoredEvent,
): ExplainedCheck {
  const words =
    outcome === 'not reached' ? [] : [statedFacts[name], ...(outcome === 'passed' ? [passedFacts[name]] : [])];
  const [facts] = words.flatMap((word) => word?.(partIn(event, 'facts'), event) ?? []);
  return { name, outcome, ...(facts !== undefined && { facts }) };
}

type Words = (facts: StoredEvent, event: StoredEvent) => string | undefined;

/** The facts that the event has only where the request passed the check. */
const passedFacts: Partial<Record<CheckName, Words>> = {
  token: (_, event) => {
    const [tpp, issuer, acr] = ['tpp', 'issuer', 'acr'].map((name) => textIn(event, name));
    return tpp === ''
      ? undefined
      : `the TPP ${tpp} of the issuer ${issuer}${acr && `, with the authentication ${acr}`}`;
  },
  path: (_, event) => textIn(event, 'endpoint') || undefined,
  method: (_, event) => textIn(event, 'method') || undefined,
  'live consent': (_, event) => sentence('the consent', textIn(event, 'consent')),
  account: (_, event) => sentence('the account', textIn(event, 'account')),
  'access state': (_, event) => sentence('the product', textIn(event, 'product')),
};

/** The facts that the event states wherever the request reached the check. */
const statedFacts: Partial<Record<CheckName, Words>> = {
  'rate limit': limitWords,
  'live consent': (facts) => sentence('the consent was', textIn(facts, 'consentStatus')),
  permission: (facts) => {
    const needed = neededPermissions(facts).map((group) => group.join(' or '));
    const held = textsIn(facts, 'permissionsHeld');
    if (needed.length === 0) return undefined;
    const has = held.length === 0 ? '' : `; the consent has ${held.join(', ')}`;
    return `the endpoint needs ${needed.join(' and ')}${has}`;
  },
  'authentication window': (facts, event) => {
    const [ageS, windowS, historyDays] = windowNumbers(facts);
    if (ageS === undefined || windowS === undefined) return undefined;
    const before = `the customer authenticated ${duration(ageS * 1_000)} before`;
    const when = `at ${instant(atMs(event) - ageS * 1_000)}; the window is ${duration(windowS * 1_000)}`;
    const history = historyDays === undefined ? '' : `; the asked history begins ${historyDays} days before`;
    return `${before}, ${when}${history}`;
  },
  'unattended access': (facts, event) => {
    const unattended = textIn(event, 'unattended');
    if (unattended === '') return undefined;
    const limit = numberIn(facts, 'limit');
    return `a read without the customer, ${unattended} the limit${limit === undefined ? '' : ` of ${limit} in 24 hours`}`.replace(
      'refused the limit',
      'beyond the limit',
    );
  },
};

/** The condition of the refusing check that the request did not meet; `undefined` where the event does not say it. */
export function neededToPass(event: StoredEvent): string | undefined {
  return fieldWords(event) ?? ways[textIn(event, 'refusedBy') as CheckName]?.(partIn(event, 'facts'), event);
}

const fieldKinds: Readonly<Record<string, string>> = {
  query: 'the query parameter ',
  header: 'the header ',
  body: 'the member of the body ',
};

/** The field as it would have passed. */
function fieldWords(event: StoredEvent): string | undefined {
  const [field, rule] = [textIn(event, 'field'), textIn(event, 'rule')];
  if (field === '' || !Object.hasOwn(rules, rule)) return undefined;
  const [kind = '', ...path] = field.split(':');
  return `${path.length === 0 ? 'a body' : `${fieldKinds[kind] ?? ''}${path.join(':')}`}${rules[rule as Rule]}`;
}

const ways: Partial<Record<CheckName, Words>> = {
  'rate limit': laterWords,
  permission: (facts) => {
    const held = new Set(textsIn(facts, 'permissionsHeld'));
    const missing = neededPermissions(facts).filter((group) => !group.some((code) => held.has(code)));
    return sentence('the permission', missing.map((group) => group.join(' or ')).join(' and '));
  },
  account: () => 'an account that the customer selected for this consent',
  'authentication window': (facts, event) => {
    const [, windowS] = windowNumbers(facts);
    if (windowS === undefined) return undefined;
    const authentication = `an authentication of the customer after ${instant(atMs(event) - windowS * 1_000)}`;
    return textIn(event, 'reason').startsWith('history-')
      ? `${authentication}, or a later fromBookingDateTime, within the history that is exempt`
      : authentication;
  },
  'unattended access': (facts, event) => {
    const later = laterWords(facts, event);
    return `${later === undefined ? '' : `${later}, or `}a request while the customer is present`;
  },
};

function limitWords(facts: StoredEvent): string | undefined {
  const limit = numberIn(facts, 'limit');
  return limit === undefined ? undefined : `the limit is ${limit} a second`;
}

function laterWords(facts: StoredEvent, event: StoredEvent): string | undefined {
  const retryAfterS = numberIn(facts, 'retryAfterS');
  return retryAfterS === undefined ? undefined : `the same request after ${instant(atMs(event) + retryAfterS * 1_000)}`;
}

/** One permission of each group is needed. */
function neededPermissions(facts: StoredEvent): readonly (readonly string[])[] {
  const groups = facts['permissionsNeeded'];
  return Array.isArray(groups) ? groups.map(textsOf).filter((group) => group.length > 0) : [];
}

function windowNumbers(facts: StoredEvent): readonly (number | undefined)[] {
  return ['authenticationAgeS', 'windowS', 'historyFromAgeDays'].map((name) => numberIn(facts, name));
}

function atMs(event: StoredEvent): number {
  return Date.parse(textIn(event, 'at'));
}

function sentence(words: string, value: string): string | undefined {
  return value === '' ? undefined : `${words} ${value}`;
}
