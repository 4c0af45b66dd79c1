import type { CallContext, CoreContext } from '../../packages/core-adapter/core.adapter.js';
import type { CoreFunds, FoundAccount, FundsQuestion, StatedAccount } from '../../packages/core-adapter/core.funds.js';
import type { CoreBalance } from '../../packages/core-adapter/core.records.js';
import type { Flaw, Flaws } from './flaw.js';

/** A mistake in the answers about funds. */
function answers(change: (funds: CoreFunds) => CoreFunds): Flaw {
  return (Base) =>
    class extends Base {
      override async fundsAvailable(ref: string, question: FundsQuestion, context: CoreContext): Promise<CoreFunds> {
        return change(await super.fundsAvailable(ref, question, context));
      }
    };
}

export const flawsOfFunds: Flaws = {
  'CORE-85': [
    'names the first holder of a joint account only',
    (Base) =>
      class extends Base {
        protected override names(holders: unknown): string[] {
          return super.names(holders).slice(0, 1);
        }
      },
  ],
  'CORE-86': [
    'finds an account without regard to its sort code',
    (Base) =>
      class extends Base {
        override async findPaymentAccount(
          stated: StatedAccount,
          context: CallContext,
        ): Promise<FoundAccount | undefined> {
          const found = await super.findPaymentAccount(stated, context);
          if (found !== undefined || stated.scheme === 'iban') return found;
          const inBranch = { ...stated, identification: `089999${stated.identification.slice(6)}` };
          return super.findPaymentAccount(inBranch, context);
        }
      },
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
    (Base) =>
      class extends Base {
        override fundsAvailable(ref: string, question: FundsQuestion, context: CoreContext): Promise<CoreFunds> {
          return super.fundsAvailable(ref, { ...question, countOverdraft: false }, context);
        }
      },
  ],
  'CORE-89': [
    'confirms the funds of a blocked account',
    answers((funds) => (funds.account.permitted ? funds : { ...funds, available: true })),
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
