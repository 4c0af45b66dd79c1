import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Type } from 'typebox';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import { decimalText, ownText } from '../open-banking/schemas.js';
import { compileSerialiser } from './serialiser.js';

describe('the serialiser of the answers', () => {
  const Amount = Type.Object({ Amount: Type.String(ownText), Currency: Type.String(ownText) });
  const Row = Type.Object({
    Note: Type.Optional(Type.String()),
    Id: Type.String(ownText),
    Amount,
    Limit: Type.Optional(Amount),
    Lines: Type.Optional(Type.Array(Type.Object({ Included: Type.Boolean() }))),
    Rate: Type.Optional(Type.Unsafe<number | string>({ type: ['number', 'string'] })),
    Exact: Type.Optional(Type.Unsafe<string>({ ...decimalText, type: ['number', 'string'] })),
  });
  const serialise = compileSerialiser(
    Type.Object({ Data: Type.Object({ Row: Type.Array(Row) }), Meta: Type.Object({}) }),
  );
  const plain = { Id: 'a1', Amount: { Amount: '1.00', Currency: 'GBP' } };
  const answer = (...rows: unknown[]): unknown => ({ Data: { Row: rows }, Meta: {} });

  it('writes what JSON.stringify writes, whatever the texts are', () => {
    const rows = fc.array(
      fc.record(
        {
          Id: fc.stringMatching(/^[0-9a-f]*$/),
          Amount: fc.constant(plain.Amount),
          Note: fc.string({ unit: 'binary' }),
          Limit: fc.constant(plain.Amount),
          Lines: fc.array(fc.record({ Included: fc.boolean() })),
          Rate: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.string()),
        },
        { requiredKeys: ['Id', 'Amount'] },
      ),
    );
    fc.assert(
      fc.property(rows, (given) => {
        const parsed: unknown = JSON.parse(serialise(answer(...given)));
        expect(parsed).toEqual(JSON.parse(JSON.stringify(answer(...given))));
      }),
    );
  });

  it('escapes quotes, backslashes, control characters and half a surrogate pair', () => {
    const Note = '"\\\u0000\n\ud800 ü \u2028 \ud83d\ude00';
    expect(serialise(answer({ ...plain, Note }))).toContain(`"Note":${JSON.stringify(Note)}`);
  });

  it('writes every digit of a decimal text as a JSON number, and the empty text as one', () => {
    for (const digits of ['123456789.123456789', '0.0000001', '1.2500', '0', '-7'])
      expect(serialise(answer({ ...plain, Exact: digits }))).toContain(`"Exact":${digits}}`);
    expect(serialise(answer({ ...plain, Exact: '' }))).toContain('"Exact":""}');
  });

  it('writes the required members first and omits absent ones', () => {
    expect(serialise(answer(plain, { Note: 'n', ...plain }))).toBe(
      '{"Data":{"Row":[{"Id":"a1","Amount":{"Amount":"1.00","Currency":"GBP"}},' +
        '{"Id":"a1","Amount":{"Amount":"1.00","Currency":"GBP"},"Note":"n"}]},"Meta":{}}',
    );
    expect(serialise(answer())).toBe('{"Data":{"Row":[]},"Meta":{}}');
  });

  it('writes no member that the schema does not declare', () => {
    const leaking = { ...plain, Pan: '4111111111111111', Amount: { ...plain.Amount, Pan: '4111111111111111' } };
    expect(serialise({ ...(answer(leaking) as object), Pan: '4111111111111111' })).toBe(serialise(answer(plain)));
  });

  it.each([
    ['a required text that is absent', { Amount: plain.Amount }, 'answer.Data.Row[].Id'],
    ['a text that is a number', { ...plain, Id: 4111111111111111 }, 'answer.Data.Row[].Id'],
    ['a text that is null', { ...plain, Note: null }, 'answer.Data.Row[].Note'],
    ['a text that is an object', { ...plain, Note: { Secret: 'x' } }, 'answer.Data.Row[].Note'],
    ['an object that is a text', { ...plain, Amount: '1.00' }, 'answer.Data.Row[].Amount'],
    ['an object that is absent', { Id: 'a1' }, 'answer.Data.Row[].Amount'],
    ['a row that is null', null, 'answer.Data.Row[]'],
    ['a decimal that JSON has not', { ...plain, Exact: '1e5' }, 'answer.Data.Row[].Exact'],
    ['a decimal with a zero before it', { ...plain, Exact: '01.5' }, 'answer.Data.Row[].Exact'],
    ['a list that is an object', { ...plain, Lines: { length: 1 } }, 'answer.Data.Row[].Lines'],
    ['a boolean that is a text', { ...plain, Lines: [{ Included: 'yes' }] }, 'answer.Data.Row[].Lines[].Included'],
    ['a text in place of a number', { ...plain, Rate: Number.NaN }, 'answer.Data.Row[].Rate'],
  ])('refuses %s by the name of the member alone', (_, row, path) => {
    expect(() => serialise(answer(row))).toThrow(
      new CoreError('bad-record', `${path} is not of the type that its schema says: see the adapter's record`),
    );
  });

  it('refuses a schema with a part that it cannot write when it is compiled', () => {
    expect(() => compileSerialiser(Type.Object({ Open: Type.Record(Type.String(), Type.String()) }))).toThrow(
      'answer.Open: the serialiser cannot write a part of type object',
    );
    expect(() => compileSerialiser(Type.Object({ Any: Type.Unknown() }))).toThrow('answer.Any: the serialiser');
    expect(() => compileSerialiser(Type.Object({ Note: Type.Optional(Type.String()) }))).toThrow(
      'answer: none of its members is required',
    );
  });
});
