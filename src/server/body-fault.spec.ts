import { describe, expect, it } from '@jest/globals';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { bodyFault } from './body-fault.js';

const check = Compile(
  Type.Object({
    text: Type.Optional(Type.Union([Type.String({ minLength: 2, maxLength: 3, pattern: '^[a-z]+$' }), Type.Null()])),
    list: Type.Optional(Type.Array(Type.String(), { maxItems: 1 })),
    role: Type.Optional(Type.String({ enum: ['read', 'admin'] })),
    code: Type.Optional(Type.String({ enum: Array.from({ length: 13 }, (_, index) => `code-${index}`) })),
    end: Type.Optional(Type.Unsafe({ type: ['string', 'null'] })),
    state: Type.Optional(Type.Unsafe({ enum: ['on', null] })),
    word: Type.Optional(Type.Union([Type.Literal('yes'), Type.Literal('no')])),
  }),
);

describe('the fault of a body', () => {
  it.each([
    [{ text: 5 }, 'text must be a JSON string.'],
    [{ end: 5 }, 'end must be a JSON string or null.'],
    [{ state: 'off' }, 'state must be one of on, null.'],
    [{ text: 'a' }, 'text must have at least 2 characters.'],
    [{ text: 'abcd' }, 'text must have at most 3 characters.'],
    [{ text: 'AB' }, 'text has a value that this request does not allow.'],
    [{ list: 'x' }, 'list must be a JSON array.'],
    [{ list: ['x', 'y'] }, 'list must have at most 1 item.'],
    [{ list: [5] }, 'list[0] must be a JSON string.'],
    [{ role: 'boss' }, 'role must be one of read, admin.'],
    [{ code: 'other' }, 'code has a value that this request does not allow.'],
    [{ word: 'maybe' }, 'word has a value that this request does not allow.'],
  ])('of %j says how the member must be, and repeats no value', (body, message) => {
    expect(bodyFault(body, check.Errors(body)).details.map((detail) => detail.message)).toEqual([message]);
  });
});
