import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultsOfExamples, unprovedBy } from '../../support/examples.js';
import { ofTables } from './example-tables.js';
import { checkedParts } from './sql.examples.js';

const folder = mkdtempSync(join(tmpdir(), 'sql-examples-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Edit = readonly [from: string, to: string];

function edited(text: string, [from, to]: Edit): string {
  expect(text).toContain(from);
  return text.replace(from, () => to);
}

/** @returns the path of the bank's file, with its examples next to it */
function written(bank: string, ofMapping: readonly Edit[], ofExamples: readonly Edit[] = []): string {
  for (const [name, edits] of [
    [`${bank}.yaml`, ofMapping],
    [`${bank}.examples.yaml`, ofExamples],
  ] as const)
    writeFileSync(join(folder, name), edits.reduce(edited, readFileSync(join(import.meta.dirname, name), 'utf8')));
  return join(folder, `${bank}.yaml`);
}

async function faults(...given: Parameters<typeof written>): Promise<string[]> {
  const path = written(...given);
  return [...(await faultsOfExamples(path, checkedParts(path), [ofTables])).values()].flat();
}

describe('the examples of a bank’s queries', () => {
  it.each(['bank', 'views'])('agree with the right file: %s.yaml', async (bank) => {
    expect(await faults(bank, [])).toEqual([]);
  });

  it.each<[string, string, Edit, string]>([
    [
      'debits for credits',
      'bank',
      ['credit: [C, R], debit: [D, F]', 'credit: [D, F], debit: [C, R]'],
      'transactions row 1: amount is read as GBP 6.50, and means GBP -6.50',
    ],
    [
      'one code of a debit for a credit',
      'bank',
      ['credit: [C, R], debit: [D, F]', 'credit: [C, R, F], debit: D'],
      'transactions row 4: amount is read as JPY 1234, and means JPY -1234',
    ],
    [
      'a running balance with the sign the wrong way round',
      'bank',
      ['bal_flag, credit: C, debit: D', 'bal_flag, credit: D, debit: C'],
      'transactions row 1: runningBalance is read as GBP -93.50, and means GBP 93.50',
    ],
    [
      'the flag of a balance for that of an amount',
      'bank',
      ['column: dc_flag, credit: [C, R], debit: [D, F]', 'column: bal_flag, credit: C, debit: D'],
      'transactions row 2: amount is read as GBP -100.00, and means GBP 100.00',
    ],
    [
      'pending for booked',
      'bank',
      ['10: pending, 20: booked', '10: booked, 20: pending'],
      'transactions row 3: status is read as booked, and means pending',
    ],
    [
      'pending for booked in every row',
      'bank',
      ['status: { column: stat_cd, codes: { 10: pending, 20: booked, 21: booked } }', 'status: { value: booked }'],
      'transactions row 3: status is read as booked, and means pending',
    ],
    [
      'the available balance for the booked one',
      'bank',
      ['1: booked, 2: available', '1: available, 2: booked'],
      'balances row 1: kind is read as available, and means booked',
    ],
    [
      'a zone with the same hour in winter',
      'bank',
      ['timeZone: Europe/London', 'timeZone: Etc/UTC'],
      'transactions row 2: madeAt is read as 2026-07-19T09:00:00Z, and means 2026-07-19T08:00:00Z',
    ],
    [
      'a blocked account for an open one',
      'bank',
      ['2: true, 9: false', '2: true, 9: true'],
      'accounts row 3: permitted is read as true, and means false',
    ],
    [
      'another number for the customer’s',
      'bank',
      ['customer: cust_no', 'customer: ext_no'],
      'accounts row 1: customer is read as 10010010, and means 4711',
    ],
    [
      'every account for one in pounds',
      'bank',
      ['currency: ccy', 'currency: { value: GBP }'],
      'balances row 3: amount is read as GBP 1234.00, and means JPY 1234',
    ],
    [
      'the day of value for that of booking',
      'bank',
      ['at: { column: book_dt, as: YYYYMMDD }', 'at: { column: val_dt, as: YYYYMMDD }'],
      'transactions row 1: at is read as 2026-11-19, and means 2026-11-18',
    ],
    [
      'the end of a cycle for its start',
      'bank',
      ['startAt: { column: from_dt', 'startAt: { column: to_dt'],
      'statements row 1: startAt is read as 2026-10-31, and means 2026-10-01',
    ],
    [
      'weeks for months',
      'bank',
      ['2: week, 3: month', '2: month, 3: week'],
      'standingOrders row 2: frequency.every is read as month, and means week',
    ],
    [
      'arrival for execution',
      'bank',
      ['1: execution, 2: arrival', '1: arrival, 2: execution'],
      'scheduledPayments row 1: type is read as arrival, and means execution',
    ],
    [
      'pence for pounds',
      'views',
      [
        'amount: { column: minor_units, as: minor-units, currency: currency }\n    description',
        'amount: { column: minor_units, as: decimal, currency: currency }\n    description',
      ],
      'transactions row 1: amount is read as GBP -650.00, and means GBP -6.50',
    ],
    [
      'every amount for one in pounds',
      'views',
      [
        'amount: { column: minor_units, as: minor-units, currency: currency }\n    description',
        'amount: { column: minor_units, as: minor-units, currency: { value: GBP } }\n    description',
      ],
      'transactions row 2: amount is read as GBP 12.34, and means BHD 1.234',
    ],
    [
      'an overdraft for the amount',
      'views',
      ['creditLimit: { column: overdraft', 'creditLimit: { column: minor_units'],
      'balances row 2: creditLimit is read as GBP 6.50, and means GBP 50.00',
    ],
  ])('refuse a file that takes %s', async (_, bank, edit, fault) => {
    expect(await faults(bank, [edit])).toContain(fault);
  });

  it('refuse amounts without the column of their sign', async () => {
    expect(await faults('bank', [[', sign: { column: dc_flag, credit: [C, R], debit: [D, F] }', '']])).toEqual(
      expect.arrayContaining(['transactions row 1: amount is read as GBP 6.50, and means GBP -6.50']),
    );
  });

  it.each<[string, readonly Edit[], string]>([
    [
      'a code',
      [
        ['1003,30,GBP,9,P', '1003,30,GBP,1,P'],
        ['permitted: false', 'permitted: true'],
      ],
      'accounts has no row with stat_cd 9',
    ],
    ['a sign', [['1234.0000,F,FEE', '1234.0000,D,FEE']], 'transactions has no row with dc_flag F'],
    [
      'a field',
      [
        ['1,P,Everyday', '1,P,'],
        ['      description: Everyday\n', ''],
      ],
      'accounts has no row with description',
    ],
    [
      'a currency without two minor digits, although money is in the account’s',
      [
        ['1002,2,20261202', '1001,2,20261202'],
        ['amount: JPY 1234\n      creditor', 'amount: GBP 1234.00\n      creditor'],
      ],
      'scheduledPayments has no row whose amount is in a currency without two minor digits, such as JPY or BHD',
    ],
    [
      'a summer',
      [
        ['2026-07-20T12:00:17,500', '2026-02-20T12:00:17,500'],
        ['2026-07-20T11:00:17Z, credit', '2026-02-20T12:00:17Z, credit'],
      ],
      'balances has no row whose at is in June, July or August',
    ],
    [
      'two columns that could be taken for each other',
      [
        [',20261119,6.5000', ',20261118,6.5000'],
        ['20261119,2026-07-19T09:00:00,,,', '20261119,2026-07-19T09:00:00,,20261119,'],
        ['20261120,,20261122,,', '20261120,,20261122,20261120,'],
        ['20261120,,,,1234', '20261120,,,20261120,1234'],
        ['valueAt: 2026-11-19', 'valueAt: 2026-11-18'],
        ['madeAt: 2026-07-19T08:00:00Z', 'madeAt: 2026-07-19T08:00:00Z\n      valueAt: 2026-11-19'],
        ['expectedBookingAt: 2026-11-22', 'valueAt: 2026-11-20, expectedBookingAt: 2026-11-22'],
        ['at: 2026-11-20, amount: JPY', 'at: 2026-11-20, valueAt: 2026-11-20, amount: JPY'],
      ],
      'transactions has no row in which book_dt and val_dt differ',
    ],
  ])('need a row for %s', async (_, edits, fault) => {
    expect(await faults('bank', [], edits)).toEqual([fault]);
  });

  it('need an account in its overdraft: a column that includes the overdraft is above zero there', async () => {
    const ofExamples: readonly Edit[] = [
      ['1001,2,93.5000,D,2026-07-20T12:00:17,500.0000', '1001,2,406.5000,C,2026-07-20T12:00:17,500.0000'],
      ['amount: GBP -93.50, at: 2026-07-20T11:00:17Z', 'amount: GBP 406.50, at: 2026-07-20T11:00:17Z'],
    ];
    expect(await faults('bank', [], ofExamples)).toEqual([
      'balances has no row of an account in its overdraft: with a creditLimit above zero, and an available balance of zero or less, ' +
        'which leaves it out',
    ]);
  });

  it('need the account of a row whose money is in the account’s currency', async () => {
    expect(await faults('bank', [], [[':account,bal_cd', 'acct_no,bal_cd']])).toEqual([
      'balances: its rows have no column ":account"',
    ]);
    expect(await faults('bank', [], [['1001,1,93.5000', '7777,1,93.5000']])).toEqual([
      'balances row 1 cannot be read: :account: no account among the examples of accounts',
    ]);
  });

  it('are demanded for each part, with a start to fill', async () => {
    const path = written('bank', []);
    rmSync(join(folder, 'bank.examples.yaml'));
    const unproved = await unprovedBy(path, checkedParts(path), [ofTables]);
    const clauses = ['03', '10', '11', '12', '14', '15', '16', '17', '18'].map((number) => `CORE-${number}`);
    expect(Object.keys(unproved).toSorted()).toEqual(clauses);
    expect(unproved['CORE-14']).toBe(
      [
        'bank.examples.yaml: scheduledPayments has no examples. Only the bank knows the meaning of its rows: write some of ' +
          'them next to the mapping, and the record of each, or omitted. A start:',
        'scheduledPayments:',
        '  rows: |',
        '    :account,payment_no,due_dt,type_cd,reference,amt,sort_acct,payee_name',
        '  mean:',
        '    - { id: …, dueAt: …, type: …, reference: …, amount: …, creditor: { scheme: …, identification: …, name: … } }',
      ].join('\n'),
    );
  });
});
