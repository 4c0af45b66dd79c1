import { describe, expect, it } from '@jest/globals';
import { cleanJson, printable, printableJson, printableLines } from './printable.js';

const hostile = 'x\u009b31mred\u202e\u001b[2J\u200f\u2066end\u2069';

describe('a text of a stranger', () => {
  it('is shown with a sign for each control character and each mark of writing direction', () => {
    expect(printable(hostile)).toBe('x\ufffd31mred\ufffd\ufffd[2J\ufffd\ufffdend\ufffd');
    expect(printable('Zoë’s Café 中文 عربي')).toBe('Zoë’s Café 中文 عربي');
  });

  it('keeps the lines of a text that has several', () => {
    expect(printableLines('one\ntwo\r\u0085')).toBe('one\ntwo\ufffd\ufffd');
  });

  it('is the same for a program, and harmless on a terminal that shows the JSON', () => {
    const json = printableJson({ name: hostile });
    expect(JSON.parse(json)).toEqual({ name: hostile });
    expect(json).toBe(printable(json));
  });

  it('is written clean into a file, at any depth', () => {
    expect(JSON.parse(cleanJson({ facts: { issuer: [hostile, 'Zoë'] }, n: 1 }))).toEqual({
      facts: { issuer: [printable(hostile), 'Zoë'] },
      n: 1,
    });
    expect(cleanJson({ a: 'plain' })).toBe('{"a":"plain"}');
  });
});
