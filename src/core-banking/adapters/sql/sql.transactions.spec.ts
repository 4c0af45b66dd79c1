import { describe, expect, it } from '@jest/globals';
import type { TransactionQuery } from '../../../../packages/core-adapter/core.records.js';
import type { BankFile, BankRead } from './bank-file.js';
import type { As, Mapping } from '../../record-mapping/mapping.js';
import { postgresql as dialect } from './postgresql/postgresql.dialect.js';
import { fieldsOfReads } from '../../record-mapping/record-fields.js';
import { transactionStatement } from './sql.transactions.js';

const column = (name: string, more: object = {}) => ({ column: name, path: name, ...more });

function search(as: As, query: Partial<TransactionQuery>, more: Mapping = {}) {
  const columns: Mapping = {
    id: column('id'),
    status: column('status', { codes: { 1: 'pending', "2'": 'pending', 3: 'booked', 4: 'rejected' } }),
    at: column('at', { as }),
    amount: column('amount', { as: 'decimal' }),
    ...more,
  };
  const read: BankRead = { path: 'transactions', query: 'SELECT 1', columns, fields: fieldsOfReads.transactions ?? {} };
  const accounts = { ...read, customer: 'customer', columns: { ref: column('ref') } };
  const file = { timeZone: 'Europe/London', accounts, reads: {} } as unknown as BankFile;
  return transactionStatement({ file, read, dialect }, { read: 'older', limit: 10, ...query }, 11);
}

const from = (as: As, text: string) => search(as, { from: new Date(text) }).parameters.from_time;

describe('the search of transactions', () => {
  it.each<[As, string, string]>([
    ['instant', '2026-06-01T12:00:00.001Z', '2026-06-01T12:00:00.001Z'],
    ['local-time', '2026-06-01T12:00:00.001Z', '2026-06-01T13:00:00.001'],
    ['day', '2026-06-01T00:00:00Z', '2026-06-01'],
    ['day', '2026-06-01T00:00:00.001Z', '2026-06-02'],
    ['YYYYMMDD', '2026-12-31T23:59:59Z', '20270101'],
    ['instant', '+275760-09-13T00:00:00Z', '9999-12-30T00:00:00.000Z'],
    ['YYYYMMDD', '-271821-04-20T00:00:00Z', '10000102'],
  ])('compares a column of %s with the least value that is %s or later', (as, given, bound) => {
    expect(from(as, given)).toBe(bound);
  });

  it.each([
    // London's clocks show 01:00 to 02:00 twice: 00:00Z to 01:00Z, and 01:00Z to 02:00Z.
    ['2026-10-25T00:59:59.999Z', '2026-10-25T01:59:59.999'],
    ['2026-10-25T01:00:00Z', '2026-10-25T02:00:00.000'],
    ['2026-10-25T01:59:59.999Z', '2026-10-25T02:00:00.000'],
    ['2026-10-25T02:00:00Z', '2026-10-25T02:00:00.000'],
    // And skip it in spring.
    ['2026-03-29T00:59:59.999Z', '2026-03-29T00:59:59.999'],
    ['2026-03-29T01:00:00Z', '2026-03-29T02:00:00.000'],
  ])('takes a local time that is shown twice for the first: %s', (given, bound) => {
    expect(from('local-time', given)).toBe(bound);
  });

  it('reads on from a row, whose millisecond may have others', () => {
    const position = { atMs: Date.parse('2026-06-01T12:00:00Z'), id: '7' };
    const older = search('instant', { position });
    expect(older.statement.sql).toContain(
      'r.at < :end_of_position AND (r.at < :start_of_position OR CAST(r.id AS text) COLLATE "C" < :id)',
    );
    expect(older.parameters).toEqual({
      limit: 11,
      id: '7',
      start_of_position: '2026-06-01T12:00:00.000Z',
      end_of_position: '2026-06-01T12:00:00.001Z',
    });
    expect(search('instant', { position, read: 'newer' }).statement.sql).toContain(
      'r.at >= :start_of_position AND (r.at >= :end_of_position OR CAST(r.id AS text) COLLATE "C" > :id)',
    );
  });

  it('omits only rows that are known to be of the other side', () => {
    const sign = {
      amount: column('amount', { as: 'decimal', sign: { ...column('dc'), credit: ['C'], debit: ['D', 'F'] } }),
    };
    expect(search('day', { direction: 'credit' }).statement.sql).toContain('(r.amount < 0) IS NOT TRUE');
    expect(search('day', { direction: 'credit' }, sign).statement.sql).toContain(
      "(r.dc IN ('D', 'F') AND r.amount > 0) IS NOT TRUE",
    );
    expect(search('day', { direction: 'debit' }, sign).statement.sql).toContain(
      "(r.dc IN ('C') OR r.amount = 0) IS NOT TRUE",
    );
  });

  it('quotes the codes of the file', () => {
    expect(search('day', { status: 'booked' }).statement.sql).toContain("(r.status IN ('1', '2''', '4')) IS NOT TRUE");
  });
});
