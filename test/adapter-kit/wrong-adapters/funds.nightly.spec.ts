// Nightly: it tests the kit, a tool for banks, with wrong adapters.
import { CoreError } from '../../../packages/core-adapter/core-error.js';
import type { FundsQuestion, FoundAccount } from '../../../packages/core-adapter/core.funds.js';
import type { CoreBalance } from '../../../packages/core-adapter/core.records.js';
import { findsEach } from './finds-each.js';
import { answers, type Ask, type Call, calls, type Make, none } from './wrong-adapter.js';

/** A mistake in the question about funds, before the right adapter answers it. */
const asked = (
  change: (question: FundsQuestion, call: Call, ask: Ask) => Promise<FundsQuestion> | FundsQuestion,
): Make =>
  calls(
    () => async (call, ask) =>
      ask(call.question === undefined ? call : { ...call, question: await change(call.question, call, ask) }),
  );

const units =
  (change: (minorUnits: bigint) => bigint) =>
  (question: FundsQuestion): FundsQuestion => ({
    ...question,
    amount: { ...question.amount, minorUnits: change(question.amount.minorUnits) },
  });

/** Finds an account by the sort code of most customers where the right adapter finds none. */
const inPlaceOfNone = (identificationOf: (call: Call) => string): Make =>
  calls(() => async (call, ask) => {
    const found = await ask(call);
    if (found !== none || call.stated?.scheme === 'iban') return found;
    return ask({ ...call, stated: { scheme: 'sort-code', identification: identificationOf(call) } });
  });

findsEach([
  [
    'CORE-85',
    'names the first holder of a joint account only',
    answers<FoundAccount>('findPaymentAccount', (found) =>
      found === none ? found : { ...found, holderNames: found.holderNames.slice(0, 1) },
    ),
  ],
  [
    'CORE-85',
    'does not find an IBAN that the core prints with blanks',
    calls(() => async (call, ask) => (call.stated?.scheme === 'iban' ? none : ask(call))),
  ],
  [
    'CORE-85',
    'gives the name of another account’s holder',
    answers('findPaymentAccount', (found) => (found === none ? found : { ...found, holderNames: ['Clara Other'] })),
  ],
  [
    'CORE-86',
    'finds an account without regard to its sort code',
    inPlaceOfNone(({ stated }) => `089999${stated?.identification.slice(6)}`),
  ],
  ['CORE-86', 'finds some account for every number', inPlaceOfNone(() => '08999910010010')],
  ['CORE-87', 'compares whole pounds', asked(units((all) => (all / 100n) * 100n))],
  ['CORE-87', 'needs more than the amount', asked(units((all) => all + 1n))],
  ['CORE-87', 'counts every overdraft', asked((question) => ({ ...question, countOverdraft: true }))],
  [
    'CORE-87',
    'compares the balance without its sign',
    calls(() => async (call, ask) => {
      const found = await ask(call);
      if (call.question === undefined || found.account?.permitted !== true) return found;
      const { items = [] } = await ask({ ...call, read: 'balances' });
      const { minorUnits } = call.question.amount;
      const isBelow = (items as readonly CoreBalance[]).some(
        ({ kind, amount }) => kind === 'available' && -amount.minorUnits >= minorUnits,
      );
      return isBelow ? { ...found, available: true } : found;
    }),
  ],
  [
    'CORE-87',
    'answers the first holder of a joint account only',
    calls(({ people }) => async (call, ask) => {
      const first = people.find(({ accountRefs }) => accountRefs.includes(call.accountRef));
      if (call.read !== 'fundsAvailable' || call.context.customerRef === first?.customerRef) return ask(call);
      throw new CoreError('account-not-found', 'no such account');
    }),
  ],
  ['CORE-88', 'never counts an overdraft', asked((question) => ({ ...question, countOverdraft: false }))],
  [
    'CORE-88',
    'adds the limit of a credit line to its rest',
    asked(async (question, call, ask) => {
      const { account } = await ask({ ...call, read: 'balances' });
      const counts = account?.product === 'CreditCard' && question.countOverdraft;
      return counts ? units((all) => all - 30_00n)(question) : question;
    }),
  ],
  [
    'CORE-89',
    'confirms the funds of a blocked account',
    answers<{ readonly available: boolean }>('fundsAvailable', (found) => ({
      ...found,
      available: found.available || found.account?.permitted === false,
    })),
  ],
  [
    'CORE-90',
    'compares amounts without their currency',
    asked(async (question, call, ask) => {
      const { account } = await ask({ ...call, read: 'balances' });
      return { ...question, amount: { ...question.amount, currency: account?.currency ?? '' } };
    }),
  ],
]);
