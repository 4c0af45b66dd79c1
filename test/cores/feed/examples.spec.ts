import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkCoreAdapter } from '../../../packages/adapter-kit/adapter-kit.js';
import { faultsOfExamples, unprovedBy } from '../../support/examples.js';
import { checkedParts } from './feed.examples.js';
import { kitOfMapping } from './feed.kit.js';

const here = import.meta.dirname;
const mapping = readFileSync(join(here, 'bank.yaml'), 'utf8');
const examples = readFileSync(join(here, 'bank.examples.yaml'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'examples-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Edit = readonly [from: string, to: string];

function edited(text: string, [from, to]: Edit): string {
  expect(text).toContain(from);
  return text.replace(from, () => to);
}

/** @returns the path of the bank's file, with its examples next to it */
function written(ofMapping: readonly Edit[], ofExamples: readonly Edit[] = []): string {
  writeFileSync(join(folder, 'bank.yaml'), ofMapping.reduce(edited, mapping));
  writeFileSync(join(folder, 'bank.examples.yaml'), ofExamples.reduce(edited, examples));
  return join(folder, 'bank.yaml');
}

async function faultsOf(path: string): Promise<string[]> {
  return [...(await faultsOfExamples(path, checkedParts(path))).values()].flat();
}
const faultsWith = (...edits: readonly Edit[]): Promise<string[]> => faultsOf(written(edits));
const faultsWithout = (...rows: readonly Edit[]): Promise<string[]> => faultsOf(written([], rows));

describe('the examples of a bank’s mapping', () => {
  it('agree with the right mapping', async () => {
    expect(await faultsWith()).toEqual([]);
  });

  it('catch debits that are read as credits', async () => {
    expect(await faultsWith(['credit: [C, R], debit: [D, F]', 'credit: [D, F], debit: [C, R]'])).toContain(
      'transactions row 1: amount is read as GBP 6.50, and means GBP -6.50',
    );
  });

  it('catch a code of a blocked account that is read as open', async () => {
    expect(await faultsWith(["'BLOCKED': false", "'BLOCKED': true"])).toEqual([
      'accounts row 2: permitted is read as true, and means false',
    ]);
  });

  it('catch local times that are read in a zone with the same hour in winter', async () => {
    expect(await faultsWith(['timeZone: Europe/London', 'timeZone: Etc/UTC'])).toEqual([
      'balances row 2: at is read as 2026-07-20T22:30:00Z, and means 2026-07-20T21:30:00Z',
      'transactions row 1: at is read as 2026-07-19T23:30:00Z, and means 2026-07-19T22:30:00Z',
    ]);
  });

  it('catch yen that are read as hundredths', async () => {
    expect(
      await faultsWith([
        'amount: { column: AMOUNT, as: minor-units, currency: CCY',
        'amount: { column: AMOUNT, as: decimal, currency: CCY',
      ]),
    ).toContain('transactions row 1: amount is read as GBP -650.00, and means GBP -6.50');
    expect(
      await faultsWith([
        'nextPaymentAmount: { column: AMOUNT, as: decimal',
        'nextPaymentAmount: { column: AMOUNT, as: minor-units',
      ]),
    ).toContain('standingOrders row 1: nextPaymentAmount is read as nothing, and means GBP 10.00');
  });

  it('catch an amount whose currency is forgotten', async () => {
    expect(await faultsWith(['as: minor-units, currency: CCY, sign', 'as: minor-units, sign'])).toEqual([
      'transactions row 4: amount is read as GBP -12.34, and means JPY -1234',
    ]);
  });

  it('catch a credit line that is read from the column of the amount', async () => {
    expect(await faultsWith(['column: LINE', 'column: AMOUNT'])).toContain(
      'balances row 2: creditLimit is read as GBP 12.34, and means GBP 100.00',
    );
  });

  it('catch pending transactions that are shown as booked, by a code or for all rows', async () => {
    const said = 'transactions row 3: status is read as booked, and means pending';
    expect(await faultsWith(['HELD: pending', 'HELD: booked'])).toEqual([said]);
    expect(
      await faultsWith([
        'status: { column: STATE, codes: { POSTED: booked, HELD: pending } }',
        'status: { value: booked }',
      ]),
    ).toEqual([said]);
  });

  it('catch a row of another kind that is kept, and one of the kind that is omitted', async () => {
    expect(await faultsWith(['keep: DOM, leave: INT', 'keep: [DOM, INT], leave: NONE'])).toEqual([
      'standingOrders row 4: the mapping reads it, and it means omitted',
    ]);
    expect(await faultsWith(['keep: DOM, leave: INT', 'keep: INT, leave: DOM'])).toContain(
      'standingOrders row 1: the mapping leaves it out, and it means a record',
    );
  });

  it('catch a day that is read as a month', async () => {
    expect(await faultsWith(['NEXT, as: DD/MM/YYYY', 'NEXT, as: day'])).toContain(
      'standingOrders row 1: nextPaymentAt is read as nothing, and means 2026-12-01',
    );
  });

  it('need a row for each code, sign, currency, season and field, and for each part', async () => {
    expect(await faultsWithout(['|BLOCKED|', '|OPEN|'], ['permitted: false', 'permitted: true'])).toEqual([
      'accounts has no row with STATE BLOCKED',
    ]);
    expect(await faultsWithout(['JPY|1234|F|FEE', 'JPY|1234|D|FEE'])).toEqual(['transactions has no row with SIDE F']);
    expect(
      await faultsWithout(
        [
          'A2|T4|POSTED|2026-02-20 08:00:00|20260220|JPY|1234|F',
          'A2|T4|POSTED|2026-02-20 08:00:00|20260220|GBP|1234|F',
        ],
        ['JPY -1234', 'GBP -12.34'],
      ),
    ).toEqual(['transactions has no row whose amount is in a currency without two minor digits, such as JPY or BHD']);
    expect(
      await faultsWithout(
        ['2026-07-19 23:30:00', '2026-02-19 23:30:00'],
        ['2026-07-19T22:30:00Z', '2026-02-19T23:30:00Z'],
      ),
    ).toEqual(['transactions has no row whose at is in June, July or August']);
    expect(await faultsWithout(['|||4321', '|||'], [', cardLastFour: 4321', ''])).toEqual([
      'accounts has no row with cardLastFour',
    ]);
    await expect(faultsWithout(['holders:', 'people:'])).rejects.toThrow(
      'people is not known: the members here are accounts, holders, ',
    );
    expect(await faultsWithout(['T3|HELD', 'T3|POSTED'], ['status: pending', 'status: booked'])).toEqual([
      'transactions has no row with STATE HELD',
      'transactions has no row that means a pending transaction',
    ]);
  });

  it('break the clause of their part, and no other', async () => {
    const kit = kitOfMapping(written([['HELD: pending', 'HELD: booked']]));
    const results = new Map<string, string | undefined>();
    for await (const { clause, outcome, reason } of checkCoreAdapter(kit, ['CORE-10', 'CORE-11', 'CORE-30']))
      results.set(clause.id, outcome === 'kept' ? outcome : reason);
    expect([...results]).toEqual([
      ['CORE-10', 'kept'],
      ['CORE-11', 'bank.examples.yaml: transactions row 3: status is read as booked, and means pending'],
      ['CORE-30', 'kept'],
    ]);
  });

  it('are demanded for each part, with a start to fill', async () => {
    const path = written([]);
    rmSync(join(folder, 'bank.examples.yaml'));
    const unproved = await unprovedBy(path, checkedParts(path));
    expect(Object.keys(unproved).toSorted()).toEqual(['CORE-03', 'CORE-10', 'CORE-11', 'CORE-12', 'CORE-18']);
    expect(unproved['CORE-03']).toMatch(/accounts has no examples[^]*holders has no examples/);
    expect(unproved['CORE-10']).toBe(
      [
        'bank.examples.yaml: balances has no examples. Only the bank knows the meaning of its rows: write some of them next ' +
          'to the mapping, and the record of each, or omitted. A start:',
        'balances:',
        '  rows: |',
        '    ACC|KIND|AMOUNT|SIDE|CCY|AS_OF|LINE',
        '  mean:',
        '    - { account: …, kind: …, amount: …, at: …, creditLimit: … }',
      ].join('\n'),
    );
  });
});
