import type { CoreContext } from '../../../packages/core-adapter/core.adapter.js';
import { CoreError } from '../../../packages/core-adapter/core-error.js';
import type { CoreFunds, FundsQuestion } from '../../../packages/core-adapter/core.funds.js';
import { around, none, type Ask } from './around.js';
import { mistakeIn, type Mutant } from './mutant.js';

/** A mistake in the question about funds, before the right adapter answers it. */
function inQuestion(change: (question: FundsQuestion, accountRef: string) => FundsQuestion): Mutant['make'] {
  return mistakeIn((call, ask) =>
    ask(call.question === undefined ? call : { ...call, question: change(call.question, call.accountRef) }),
  );
}

const moreBy =
  (change: (minorUnits: bigint) => bigint) =>
  (question: FundsQuestion): FundsQuestion => ({
    ...question,
    amount: { ...question.amount, minorUnits: change(question.amount.minorUnits) },
  });

async function findsAny(ask: Ask, context: CoreContext): Promise<object> {
  return ask({
    read: 'findPaymentAccount',
    accountRef: '',
    stated: { scheme: 'sort-code', identification: '08999910010010' },
    context,
  });
}

export const mutantsOfFunds: readonly Mutant[] = [
  {
    does: 'compares whole pounds',
    clauses: ['CORE-87'],
    make: inQuestion(moreBy((minorUnits) => (minorUnits / 100n) * 100n)),
  },
  {
    does: 'needs more than the amount',
    clauses: ['CORE-87'],
    make: inQuestion(moreBy((minorUnits) => minorUnits + 1n)),
  },
  {
    does: 'counts every overdraft',
    clauses: ['CORE-87', 'CORE-88'],
    make: inQuestion((question) => ({ ...question, countOverdraft: true })),
  },
  {
    does: 'adds the limit of a credit line to its rest',
    clauses: ['CORE-88'],
    make: inQuestion((question, accountRef) =>
      accountRef === 'A-10002' && question.countOverdraft ? moreBy((units) => units - 30_00n)(question) : question,
    ),
  },
  {
    does: 'answers the first holder of a joint account only',
    clauses: ['CORE-87'],
    make: (adapter, { people }) =>
      around(adapter, async (call, ask) => {
        const first = people.find(({ accountRefs }) => accountRefs.includes(call.accountRef));
        if (call.read !== 'fundsAvailable' || call.context.customerRef === first?.customerRef) return ask(call);
        throw new CoreError('account-not-found', 'no such account');
      }),
  },
  {
    does: 'confirms the funds of accounts of other customers',
    clauses: ['CORE-08'],
    make: (adapter, { people }) =>
      around(adapter, async (call, ask) => {
        const holder = people.find(({ accountRefs }) => accountRefs.includes(call.accountRef));
        if (call.read !== 'fundsAvailable' || holder === undefined) return ask(call);
        return ask({ ...call, context: { ...call.context, customerRef: holder.customerRef } });
      }),
  },
  {
    does: 'gives another description of the account with its funds',
    clauses: ['CORE-05'],
    make: mistakeIn(async (call, ask) => {
      const answer = await ask(call);
      if (call.read !== 'fundsAvailable') return answer;
      const { account, available } = answer as CoreFunds;
      return { account: { ...account, description: 'Account' }, available };
    }),
  },
  {
    does: 'does not find an IBAN that the core prints with blanks',
    clauses: ['CORE-85'],
    make: mistakeIn(async (call, ask) => (call.stated?.scheme === 'iban' ? none : ask(call))),
  },
  {
    does: 'gives the name of another account’s holder',
    clauses: ['CORE-85'],
    make: mistakeIn(async (call, ask) => {
      const answer = await ask(call);
      return 'holderNames' in answer ? { ...answer, holderNames: ['Clara Other'] } : answer;
    }),
  },
  {
    does: 'finds some account for every number',
    clauses: ['CORE-86'],
    make: mistakeIn(async (call, ask) => {
      const answer = await ask(call);
      return answer === none ? findsAny(ask, call.context) : answer;
    }),
  },
];
