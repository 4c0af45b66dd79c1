import { everydayTerms } from '../../sandbox/bank/personas/counterparties.js';
import { daily } from '../../sandbox/bank/personas/history.js';
import { makeAccount, type Persona } from '../../sandbox/bank/personas/persona.js';
import { connections } from './load.js';

/** A customer with one account. The references are digits: Fineract has no others. */
export interface LargeBankCustomer {
  readonly persona: string;
  readonly customer: string;
  readonly account: string;
}

const perDay = 20;

/** As many as there are connections, so that each connection reads another balance. */
export const holders: readonly LargeBankCustomer[] = Array.from({ length: connections }, (_, index) => ({
  persona: `holder-${index}`,
  customer: String(2_000 + index),
  account: String(200_000 + index),
}));

export const histories = {
  5_000: { persona: 'short-history', customer: '3005', account: '300005' },
  50_000: { persona: 'long-history', customer: '3050', account: '300050' },
} as const satisfies Readonly<Record<number, LargeBankCustomer>>;
export const historySizes = [5_000, 50_000] as const;

/** The bank of the adapters' bench, the same in every core. */
export function largeBank(nowMs: number): Persona[] {
  return [
    ...holders.map((holder) => onePerson(holder, perDay, nowMs)),
    ...historySizes.map((size) => onePerson(histories[size], size, nowMs)),
  ];
}

function onePerson({ persona, customer, account }: LargeBankCustomer, entries: number, nowMs: number): Persona {
  return {
    name: persona,
    person: { key: customer, name: `Holder of ${account}` },
    shows: `A current account with ${entries} transactions.`,
    accounts: [
      makeAccount(
        {
          key: account,
          prod: 'CUR100',
          label: 'Market Stall Account',
          num: `10${account}`,
          closing: 2_750_18,
          days: entries / perDay,
          history: [daily(perDay, ['STALL TAKINGS', 'WHOLESALE FRUIT', 'PITCH FEE'])],
          terms: [everydayTerms],
        },
        nowMs,
      ),
    ],
  };
}
