import { describe, expect, it } from '@jest/globals';
import type { Journey, SignedInCustomer } from './journey.js';
import type { QuestionAndReply, Input, Question, Reply, Transition } from './terms.js';
import { beginJourney } from './states.js';
import { afterInput, afterReply, triesAtOneCode } from './machine.js';

const nowMs = Date.parse('2026-06-15T12:00:00.000Z');
const request = { id: 'journey', uid: 'uid' };
const base = { deadlineMs: nowMs + 60_000, request };
const start = { atMs: nowMs - 1_000, subjects: ['name:mary'] };
const attempt = { loginName: 'mary', atMs: start.atMs, starts: [start], returnState: 'journey.state' };
const mary: SignedInCustomer = { customerRef: 'C1', displayName: 'Mary', authenticatedAtMs: nowMs };
const shop: SignedInCustomer = { customerRef: 'C2', displayName: 'The shop', authenticatedAtMs: nowMs };

const states = {
  'sign-in': { ...base, step: 'sign-in' },
  code: { ...base, step: 'code', attempt, state: 'of the code', sentTo: 'the phone ending 204', tries: 0 },
  wait: { ...base, step: 'wait', attempt, state: 'of the app', pollAfterSeconds: 2, pollAtMs: nowMs },
  redirect: { ...base, step: 'redirect', attempt, state: 'of the redirect', url: 'https://bank.example/' },
  'choose-customer': { ...base, step: 'choose-customer', customers: [mary, shop] },
  decide: { ...base, step: 'decide', customer: mary },
  ended: { ...base, step: 'ended' },
} as const satisfies { readonly [S in Journey['step']]: Readonly<Record<string, unknown>> };
const stateOf = (step: Journey['step']): Journey => structuredClone(states[step]) as unknown as Journey;

const credentials = { loginName: 'mary', password: 'a password' };
const inputs: { readonly [I in Input['input']]: Extract<Input, { input: I }> } = {
  details: { input: 'details', loginName: 'mary', credentials, isComplete: true, returnState: 'journey.new' },
  code: { input: 'code', typed: '246 810' },
  'another-code': { input: 'another-code' },
  customer: { input: 'customer', chosen: '1' },
  poll: { input: 'poll' },
  return: { input: 'return', query: 'code=x', returnState: attempt.returnState },
};

/** How the state is stored, the question or answer that follows, and the step. */
const told = ({ storing, then, journey }: Transition): string =>
  [storing, 'ask' in then ? `ask ${then.ask}` : then.answer, journey.step].join(', ');

describe('a sign-in after an input', () => {
  const steps = Object.keys(states) as Journey['step'][];
  const names = Object.keys(inputs) as Input['input'][];
  const expected: Readonly<Record<string, string>> = {
    'sign-in details': 'step, ask begin, sign-in',
    'code details': 'step, ask begin, code',
    'wait details': 'step, ask begin, wait',
    'redirect details': 'step, ask begin, redirect',
    'choose-customer details': 'step, ask begin, choose-customer',
    'decide details': 'step, ask begin, decide',
    'code code': 'step, ask code, code',
    'code another-code': 'step, ask another-code, code',
    'wait poll': 'note, ask poll, wait',
    'redirect return': 'step, ask return, redirect',
    'choose-customer customer': 'step, page, decide',
  };

  it.each(steps.flatMap((step) => names.map((name) => [step, name] as const)))('at %s: %s', (step, name) => {
    const journey = stateOf(step);
    const next = afterInput(journey, inputs[name], nowMs);
    expect(told(next)).toBe(expected[`${step} ${name}`] ?? `nothing, page, ${step}`);
    expect(next.effects).toEqual([]);
    // The function gives another state, and changes none.
    expect(journey).toEqual(stateOf(step));
  });

  it('without a field asks for it, keeps the name and asks the bank nothing', () => {
    const { credentials: _none, ...incomplete } = { ...inputs.details, isComplete: false };
    const next = afterInput(stateOf('code'), incomplete, nowMs);
    expect([told(next), next.journey]).toEqual([
      'note, page, sign-in',
      { ...base, step: 'sign-in', message: 'incomplete', loginName: 'mary' },
    ]);
  });

  it.each([
    ['', 'incomplete'],
    [' - ', 'incomplete'],
    ['24681O', 'not-digits'],
    ['١٢٣', 'not-digits'],
  ])('with the code "%s" names the fault, and that is not a try: %s', (typed, message) => {
    const next = afterInput(stateOf('code'), { input: 'code', typed }, nowMs);
    expect([told(next), next.journey]).toEqual(['note, page, code', { ...stateOf('code'), message }]);
  });

  it('counts the try before the bank checks the code, without spaces and dashes', () => {
    const next = afterInput(stateOf('code'), { input: 'code', typed: '24–68 10' }, nowMs);
    expect([next.then, next.journey]).toEqual([
      { ask: 'code', code: '246810' },
      { ...stateOf('code'), tries: 1 },
    ]);
  });

  it('has another code sent where the tries were used up and none was sent', () => {
    const next = afterInput({ ...stateOf('code'), tries: triesAtOneCode } as Journey, inputs.code, nowMs);
    expect(next.then).toEqual({ ask: 'another-code', why: 'code-replaced' });
  });

  it('asks about the app when it is time, to the millisecond, and not again before the next time', () => {
    expect(told(afterInput(stateOf('wait'), inputs.poll, nowMs - 1))).toBe('nothing, stay, wait');
    const { journey } = afterInput(stateOf('wait'), inputs.poll, nowMs);
    expect(told(afterInput(journey, inputs.poll, nowMs + 1_999))).toBe('nothing, stay, wait');
    expect(told(afterInput(journey, inputs.poll, nowMs + 2_000))).toBe('note, ask poll, wait');
  });

  it('takes a return from the bank once, and only the one of this sign-in', () => {
    for (const returnState of [undefined, '', 'journey.another'])
      expect(told(afterInput(stateOf('redirect'), { ...inputs.return, returnState }, nowMs))).toBe(
        'nothing, out-of-date, redirect',
      );
    const { journey } = afterInput(stateOf('redirect'), inputs.return, nowMs);
    expect(told(afterInput(journey, inputs.return, nowMs))).toBe('nothing, elsewhere, redirect');
  });

  it.each(['', '2', '-1', 'C1'])('asks again for whom the person acts after "%s"', (place) => {
    const next = afterInput(stateOf('choose-customer'), { input: 'customer', chosen: place }, nowMs);
    expect([told(next), next.journey.message]).toEqual(['note, page, choose-customer', 'choose-a-customer']);
  });
});

describe('a sign-in after the bank’s reply', () => {
  const result = { customers: [mary], authenticatedAt: new Date(nowMs), method: 'password+code', acr: 'sca' } as const;
  const replies = {
    code: { step: 'code', state: 'next', sentTo: 'the phone ending 204' },
    wait: { step: 'wait', state: 'next', pollAfterSeconds: 3 },
    redirect: { step: 'redirect', state: 'next', url: 'https://bank.example/' },
    done: { step: 'done', customers: [mary], result },
    wrong: { step: 'refused', reason: 'wrong' },
    expired: { step: 'refused', reason: 'expired' },
    declined: { step: 'refused', reason: 'declined' },
    locked: { step: 'refused', reason: 'locked', page: 'https://bank.example/locked' },
    'must-change-password': { step: 'refused', reason: 'must-change-password', page: 'https://bank.example/new' },
    unreachable: { step: 'unreachable', reached: true },
    limited: { step: 'limited' },
  } as const satisfies Readonly<Record<string, Reply>>;
  const questions: { readonly [Q in Question['ask']]: readonly [Journey, Extract<Question, { ask: Q }>] } = {
    begin: [stateOf('sign-in'), { ask: 'begin', credentials, returnState: 'journey.new' }],
    code: [{ ...stateOf('code'), tries: 1 } as Journey, { ask: 'code', code: '246810' }],
    'another-code': [stateOf('code'), { ask: 'another-code', why: 'sent-again' }],
    poll: [stateOf('wait'), { ask: 'poll' }],
    return: [stateOf('redirect'), { ask: 'return', query: 'code=x' }],
  };
  type Name = keyof typeof replies;
  const after = (ask: Question['ask'], reply: Reply, more: Partial<QuestionAndReply> = {}): Transition => {
    const [journey, question] = questions[ask];
    return afterReply(journey, { question, start, reply, ...more }, nowMs);
  };

  const general: Readonly<Record<Name, string>> = {
    code: 'renew, page, code',
    wait: 'renew, page, wait',
    redirect: 'step, leave, redirect',
    done: 'renew, page, decide',
    wrong: 'step, page, sign-in',
    expired: 'step, page, sign-in',
    declined: 'step, page, sign-in',
    locked: 'step, locked, sign-in',
    'must-change-password': 'step, must-change-password, sign-in',
    unreachable: 'step, page, sign-in',
    limited: 'nothing, blocked, sign-in',
  };
  const special: Readonly<Record<string, string>> = {
    'code wrong': 'note, page, code',
    'code expired': 'note, page, code',
    'another-code limited': 'note, page, code',
    'poll wait': 'note, stay, wait',
    'poll unreachable': 'note, stay, wait',
  };
  const asks = Object.keys(questions) as Question['ask'][];
  const names = Object.keys(replies) as Name[];
  const possible = asks.flatMap((ask) =>
    // Only a question that counts as a start can meet a limit.
    names
      .filter((name) => name !== 'limited' || ask === 'begin' || ask === 'another-code')
      .map((name) => [ask, name] as const),
  );

  it.each(possible)('to %s: %s', (ask, name) => {
    expect(told(after(ask, replies[name]))).toBe(special[`${ask} ${name}`] ?? general[name]);
  });

  it('keeps the members that each further step needs: the bank’s state, the starts, the deadline and the request', () => {
    expect(after('begin', replies.code).journey).toEqual({
      ...base,
      step: 'code',
      attempt: { ...attempt, returnState: 'journey.new' },
      state: 'next',
      sentTo: 'the phone ending 204',
      tries: 0,
    });
    expect(after('another-code', replies.code).journey).toMatchObject({
      attempt: { starts: [start, start] },
      message: 'sent-again',
    });
    expect(after('poll', replies.wait).journey).toMatchObject({ state: 'next', pollAtMs: nowMs + 2_000 });
  });

  it('forgets everything of the sign-in once the customer is known, gives its starts back and says who', () => {
    const { journey, effects } = after('code', replies.done);
    expect(journey).toEqual({ ...base, step: 'decide', customer: mary });
    expect(effects).toEqual([{ effect: 'recognised', attempt: { ...attempt, starts: [start, start] }, result }]);
  });

  it('lets a person choose among several customers, and only the one who gave an access confirm it', () => {
    const several = { ...replies.done, customers: [mary, shop] };
    expect(after('code', several).journey).toMatchObject({ step: 'choose-customer', customers: [mary, shop] });
    expect(after('code', several, { owner: 'C2' }).journey).toMatchObject({ step: 'decide', customer: shop });
    const other = after('code', replies.done, { owner: 'C2' });
    expect(told(other)).toBe('step, another-customer, sign-in');
    expect(other.effects).toContainEqual({ effect: 'record', step: 'sign-in-failed', reason: 'another-customer' });
  });

  it.each([
    ['begin', 'wrong', 'not-recognised'],
    ['begin', 'declined', 'not-finished'],
    ['return', 'expired', 'not-finished'],
    ['another-code', 'expired', 'code-expired'],
    ['begin', 'unreachable', 'unavailable'],
    ['code', 'wrong', 'wrong-code'],
    ['another-code', 'limited', 'wait-for-code'],
  ] as const)('to %s, %s, shows the customer: %s', (ask, name, message) => {
    expect(after(ask, replies[name]).journey.message).toBe(message);
  });

  it('does not say that a name is wrong which the bank’s own sign-on asked for', () => {
    const question = { ask: 'begin', returnState: 'journey.new' } as const;
    expect(after('begin', replies.wrong, { question }).journey).toEqual({
      ...base,
      step: 'sign-in',
      message: 'not-finished',
    });
  });

  it('does not count a start of which nothing reached the bank, and counts every other one', () => {
    const givenBack = (reached: boolean) =>
      after('begin', { step: 'unreachable', reached }).effects.filter(({ effect }) => effect === 'give-back');
    expect([givenBack(false), givenBack(true)]).toEqual([[{ effect: 'give-back', start }], []]);
  });

  it('has another code sent after the last try, and ends the sign-in where a limit does not allow it', () => {
    const question = { ask: 'code', code: '1' } as const;
    const last = { ...stateOf('code'), tries: triesAtOneCode } as Journey;
    const next = afterReply(last, { question, reply: replies.wrong }, nowMs);
    expect([told(next), next.then]).toEqual([
      'step, ask another-code, code',
      { ask: 'another-code', why: 'code-replaced' },
    ]);
    const limited = after('another-code', replies.limited, { question: { ask: 'another-code', why: 'code-replaced' } });
    expect([told(limited), limited.journey.message]).toEqual(['step, blocked, sign-in', 'not-recognised']);
  });

  it('does not count a try at a code that has expired', () => {
    expect(after('code', replies.expired).journey).toMatchObject({ tries: 0, message: 'code-expired' });
  });
});

describe('a journey', () => {
  it('begins with the sign-in and 15 minutes', () => {
    expect(beginJourney(nowMs, request)).toEqual({ step: 'sign-in', deadlineMs: nowMs + 15 * 60_000, request });
  });
});
