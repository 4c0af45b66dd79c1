import { awkward } from '../../support/awkward-text.js';
import { emptyModel, type FineractModel, type TransactionRow } from './fineract.model.js';
import { beneficiaryColumns, identifierColumns, savings } from './small-bank.js';

const dayMs = 86_400_000;

/** A bank with one of each thing that the adapter kit asks for, and the settings that fit it. */
export const kitProducts = '1=CurrentAccount,2=Savings,3=hidden';

/** Two or more of each kind of record; histories with the days, the texts and the rows that go wrong elsewhere. */
export function kitBank(nowMs: number): FineractModel {
  const model = emptyModel();
  model.clients.push(
    { id: 11, displayName: 'Amélie 王', legalForm: 1 },
    { id: 12, displayName: 'Kiln & Sons Ltd', legalForm: 2 },
    { id: 13, displayName: 'Łukasz Żółć' },
  );
  model.products.push(
    { id: 1, name: 'Everyday Account', shortName: 'EVRY' },
    { id: 2, name: 'Épargne', shortName: 'RAIN' },
    { id: 3, name: 'Staff Account', shortName: 'STAF' },
  );
  const mixed = mixedHistory();
  model.accounts.push(
    savings({
      id: 1101,
      clientId: 11,
      allowOverdraft: true,
      overdraftLimit: '250.000000',
      onHold: '30.000000',
      transactions: mixed,
      balance: mixed.findLast(({ runningBalance }) => runningBalance !== undefined)?.runningBalance ?? '',
    }),
    savings({ id: 1102, clientId: 11, productId: 2, balance: '0.000000' }),
    savings({ id: 1103, clientId: 11, subStatus: 400 }),
    savings({ id: 1104, clientId: 11, productId: 3 }),
    savings({
      id: 1201,
      clientId: 12,
      currency: 'JPY',
      allowOverdraft: true,
      overdraftLimit: '5000.000000',
      balance: '123456.000000',
      transactions: [deposit(21, '123456.000000')],
    }),
    savings({
      id: 1202,
      clientId: 12,
      currency: 'BHD',
      balance: '-1.234000',
      transactions: [deposit(22, '0.345000'), { ...withdrawal, runningBalance: '-1.234000' }],
    }),
    savings({ id: 1203, clientId: 12, status: 600, balance: '0.000000' }),
    savings({
      id: 1204,
      clientId: 12,
      balance: '1234567.890000',
      transactions: [{ ...deposit(24, '1234567.890000'), date: '1987-06-05', submittedOnDate: '1987-06-05' }],
    }),
    savings({ id: 1301, clientId: 13, balance: '90000.000000', transactions: longHistory(nowMs) }),
  );
  const identifiers = new Map(
    [1101, 1102, 1201, 1301].map((id) => [
      id,
      [[id, '040004', `1000${id}`, id === 1201 ? 'GB33BUKB20201555555555' : null]],
    ]),
  );
  model.tables.set('ob_identifiers', { columns: identifierColumns, rows: identifiers });
  model.tables.set('ob_beneficiary', {
    columns: beneficiaryColumns,
    rows: new Map([
      [
        1101,
        [
          [1, 1101, 'third-party', 'محمد الفارسي', '112233', '44556677', null],
          [2, 1101, 'international', 'Gärtnerei "Müller" \\ GmbH', null, null, 'DE89370400440532013000'],
          [3, 1101, 'internal', 'Rainy day', '040004', '10001102', null],
          // Alike but for their ids, and more than a page of most cores has.
          ...Array.from({ length: 60 }, (_, index) => [
            4 + index,
            1101,
            'internal',
            awkward,
            '040004',
            '10001102',
            null,
          ]),
        ],
      ],
    ]),
  });
  const order = { fromAccountId: 1101, toAccountId: 1201, name: 'RENT', amount: '750.000000', validFrom: '2026-01-05' };
  const monthly = { recurrenceFrequency: 2, recurrenceInterval: 1, recurrenceOnMonthDay: [1, 15] as const };
  model.instructions.push(
    { id: 1, ...order, ...monthly },
    { id: 2, ...order, ...monthly, toAccountId: 1301, validTill: '2027-03-15', name: 'LESSONS ♪' },
    { id: 3, ...order, recurrenceFrequency: 1, recurrenceInterval: 2, status: 2 },
    { id: 4, ...order, ...monthly, validTill: '2026-06-01' },
    { id: 5, ...order, ...monthly, status: 3 },
    { id: 6, ...order, ...monthly, fromAccountId: 1201, toAccountId: 1301, amount: '1234.000000' },
    { id: 7, ...order, ...monthly, fromAccountId: 1202, toAccountId: 1301, amount: '1.234000' },
    ...Array.from({ length: 60 }, (_, index) => ({ id: 8 + index, ...order, ...monthly })),
  );
  return model;
}

const deposit = (id: number, amount: string): TransactionRow => ({
  id,
  type: 1,
  date: '2026-05-01',
  submittedOnDate: '2026-05-01',
  amount,
  runningBalance: amount,
});

const withdrawal = { ...deposit(23, '1.579000'), type: 2 } as const satisfies TransactionRow;

/** Sixty days across 29 February, three rows each, with doubled, reversed, released and pending ones among them. */
function mixedHistory(): TransactionRow[] {
  const rows: TransactionRow[] = [];
  let pence = 0;
  let id = 1000;
  const decimal = (amount: number): string => `${amount < 0 ? '-' : ''}${(Math.abs(amount) / 100).toFixed(2)}0000`;
  for (let day = 0; day < 60; day++) {
    const date = new Date(Date.UTC(2024, 1, 1) + day * dayMs).toISOString().slice(0, 10);
    for (let index = 0; index < 3; index++) {
      id++;
      const amount = 100 * (day % 7) + index + (index === 1 ? 0 : 1);
      const type = index === 1 ? 2 : day % 10 === 0 ? 3 : 1;
      const undone = id % 9 === 0;
      if (!undone) pence += type === 2 ? -amount : amount;
      rows.push({
        id,
        type,
        date,
        submittedOnDate: date,
        amount: decimal(Math.max(amount, 1)),
        reversed: undone,
        runningBalance: decimal(pence),
        notes: id % 5 === 0 ? [`Café ${id}`, `Ärger ${id}`] : [`SHOP ${id}`],
      });
    }
  }
  const last = { date: '2024-04-01', submittedOnDate: '2024-04-01', amount: '10.000000', notes: ['FUEL'] };
  rows.push(
    { ...last, id: 2001, type: 20 },
    { ...last, id: 2002, type: 20 },
    { ...last, id: 2003, type: 20 },
    { ...last, id: 2004, type: 20, releaseTransactionId: 2005 },
    { ...last, id: 2005, type: 21 },
    { ...last, id: 2006, type: 10 },
    { ...last, id: 2007, type: 1, isReversal: true },
  );
  return rows;
}

/** Twenty a day for 125 days. */
function longHistory(nowMs: number): TransactionRow[] {
  let balance = 90_000 - 2_500;
  return Array.from({ length: 2_500 }, (_, index) => {
    const submittedOnDate = new Date(nowMs - (125 - Math.floor(index / 20)) * dayMs).toISOString().slice(0, 10);
    return {
      id: 100_000 + index,
      type: 1,
      date: submittedOnDate,
      submittedOnDate,
      amount: '1.000000',
      runningBalance: `${++balance}.000000`,
      notes: ['TAKINGS'],
    };
  });
}
