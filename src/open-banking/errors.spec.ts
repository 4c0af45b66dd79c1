import { describe, expect, it } from '@jest/globals';
import { errorBody, errorTable, OpenBankingError, type ErrorKind } from './errors.js';

const body = (kind: ErrorKind, ...details: { message: string; path?: string }[]): unknown =>
  errorBody(new OpenBankingError(kind, details.length === 0 ? { message: 'why' } : details), 'id', 'BANK');

describe('the body of an error', () => {
  it('has the standard’s members and no other', () => {
    expect(body('field-invalid', { message: 'wrong', path: 'Data.Permissions[2]' })).toEqual({
      Code: '400 BadRequest',
      Id: 'id',
      Message: 'wrong',
      Errors: [{ ErrorCode: 'UK.OBIE.Field.Invalid', Message: 'wrong', Path: 'Data.Permissions[2]' }],
    });
  });

  it('leaves out a Path that there is none of, and lists every fault', () => {
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
    ]);
  });

  it('carries the bank’s own prefix where no UK.OBIE code fits', () => {
    expect(body('path-unknown')).toMatchObject({ Errors: [{ ErrorCode: 'UK.BANK.Path.Unknown' }] });
  });

  it('is none at all for 401', () => {
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

  it('names what it is for the bank’s log, and keeps the cause from the body', () => {
    const error = new OpenBankingError('unexpected', { message: 'why' }, { cause: new Error('4929421234567897') });
    expect([error.name, error.message, error.details]).toEqual([
      'OpenBankingError',
      'unexpected',
      [{ message: 'why' }],
    ]);
    expect(JSON.stringify(errorBody(error, 'id', 'BANK'))).not.toContain('4929');
  });
});
