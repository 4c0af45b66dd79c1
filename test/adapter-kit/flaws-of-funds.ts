import type { CoreContext } from '../../packages/core-adapter/core.adapter.js';
import type { CoreFunds, FundsQuestion } from '../../packages/core-adapter/core.funds.js';
import type { CoreBalance } from '../../packages/core-adapter/core.records.js';
import { type Flaws, instead } from './flaw.js';

export const flawsOfFunds: Flaws = {
  'CORE-85': [
    'names the first holder of a joint account only',
    instead('names', (right) => (holders) => right(holders).slice(0, 1)),
  ],
  'CORE-86': [
    'finds an account without regard to its sort code',
    instead('findPaymentAccount', (right) => async (stated, context) => {
      const found = await right(stated, context);
      if (found !== undefined || stated.scheme === 'iban') return found;
      return right({ ...stated, identification: `089999${stated.identification.slice(6)}` }, context);
    }),
  ],
  'CORE-87': [
    'compares the balance without its sign',
    (Base) =>
      class extends Base {
        override async fundsAvailable(ref: string, question: FundsQuestion, context: CoreContext): Promise<CoreFunds> {
          const right = await super.fundsAvailable(ref, question, context);
          const { minorUnits, currency } = question.amount;
          const isBelow = ((await this.balances(ref, context)).items as readonly CoreBalance[]).some(
            ({ kind, amount }) =>
              kind === 'available' && amount.currency === currency && -amount.minorUnits >= minorUnits,
          );
          return right.account.permitted && isBelow ? { ...right, available: true } : right;
        }
      },
  ],
  'CORE-88': [
    'never counts an overdraft',
    instead(
      'fundsAvailable',
      (right) => (ref, question, context) => right(ref, { ...question, countOverdraft: false }, context),
    ),
  ],
  'CORE-89': [
    'confirms the funds of a blocked account',
    instead('fundsAvailable', (right) => async (...asked) => {
      const { account, available } = await right(...asked);
      return { account, available: available || !account.permitted };
    }),
  ],
  'CORE-90': [
    'compares amounts without their currency',
    (Base) =>
      class extends Base {
        override async fundsAvailable(ref: string, question: FundsQuestion, context: CoreContext): Promise<CoreFunds> {
          const { currency } = await this.account(ref, context);
          return super.fundsAvailable(ref, { ...question, amount: { ...question.amount, currency } }, context);
        }
      },
  ],
};
