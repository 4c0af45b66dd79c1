import { describe, expect, it } from '@jest/globals';
import { errorTable, type ErrorKind } from './error-table.js';
import { errorBody, OpenBankingError } from './errors.js';
import { v3_1 } from '../versions/v3.1/v3.1.js';

const names = { bankPrefix: 'BANK', helpUrl: 'https://bank.example/docs/errors', words: v3_1.errors };
const invalidUrl = 'https://bank.example/docs/errors#field-invalid';

const body = (kind: ErrorKind, ...details: { message: string; path?: string }[]): unknown =>
  errorBody(
    new OpenBankingError(kind, details.length === 0 ? { message: 'why' } : details, { reason: 'fault' }),
    'id',
    names,
  );

describe('the body of an error', () => {
  it('has the standard’s members and no other', () => {
    expect(body('field-invalid', { message: 'wrong', path: 'Data.Permissions[2]' })).toEqual({
      Code: '400 BadRequest',
      Id: 'id',
      Message: 'wrong',
      Errors: [{ ErrorCode: 'UK.OBIE.Field.Invalid', Message: 'wrong', Path: 'Data.Permissions[2]', Url: invalidUrl }],
    });
  });

  it('omits an absent Path, and lists every fault', () => {
    expect(body('field-invalid', { message: 'one' }, { message: 'two', path: 'b' })).toMatchObject({
      Message: 'one',
      Errors: [
        { ErrorCode: 'UK.OBIE.Field.Invalid', Message: 'one' },
        { ErrorCode: 'UK.OBIE.Field.Invalid', Message: 'two', Path: 'b' },
      ],
    });
    expect(Object.keys((body('unexpected') as { Errors: object[] }).Errors[0] as object)).toEqual([
      'ErrorCode',
      'Message',
      'Url',
    ]);
  });

  it('gives each fault the code and the page of its kind', () => {
    const missing = { message: 'two', kind: 'field-missing' } as const;
    expect(errorBody(new OpenBankingError('field-invalid', [{ message: 'one' }, missing]), 'id', names)).toMatchObject({
      Errors: [
        { ErrorCode: 'UK.OBIE.Field.Invalid', Message: 'one', Url: invalidUrl },
        { ErrorCode: 'UK.OBIE.Field.Missing', Message: 'two', Url: 'https://bank.example/docs/errors#field-missing' },
      ],
    });
  });

  it('carries the bank’s own prefix where no UK.OBIE code fits', () => {
    expect(body('path-unknown')).toMatchObject({ Errors: [{ ErrorCode: 'UK.BANK.Path.Unknown' }] });
  });

  it('is absent for 401', () => {
    expect(body('unauthorised')).toBeUndefined();
  });

  it('is cut to the standard’s lengths', () => {
    const long = { message: 'm'.repeat(600), path: 'p'.repeat(600) };
    expect(body('format-invalid', long)).toMatchObject({
      Message: 'm'.repeat(500),
      Errors: [{ Message: 'm'.repeat(500), Path: 'p'.repeat(500) }],
    });
  });
});

describe('the error table', () => {
  it('has codes that begin with their status and fit in 40 characters', () => {
    for (const { status, code } of Object.values(errorTable)) {
      expect(code.startsWith(`${status} `)).toBe(true);
      expect(code.length).toBeLessThanOrEqual(40);
    }
  });

  it('names its row for the bank’s log, and does not show the cause in the body', () => {
    const error = new OpenBankingError('unexpected', { message: 'why' }, { cause: new Error('4929421234567897') });
    expect([error.name, error.message, error.details]).toEqual([
      'OpenBankingError',
      'unexpected',
      [{ message: 'why' }],
    ]);
    expect(JSON.stringify(errorBody(error, 'id', names))).not.toContain('4929');
  });
});
