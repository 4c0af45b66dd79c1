import { describe, expect, it } from '@jest/globals';
import { PublicIds } from './public-ids.js';

const kinds = ['account', 'party', 'beneficiary', 'scheduled-payment', 'standing-order', 'direct-debit', 'transaction'];
const ids = new PublicIds('a key');
const idOf = (kind: string, scope: string, ref: string, by = ids): string => by.uniqueIn(kind, scope)(ref);

describe('a public id', () => {
  it('is 32 hexadecimal digits for every reference', () => {
    for (const ref of ['', 'A1', '王小明', 'x'.repeat(10_000)])
      for (const kind of kinds) expect(idOf(kind, 'A1', ref)).toMatch(/^[0-9a-f]{32}$/);
  });

  it('is the same for the same reference, in every process that has the key, for ever', () => {
    expect(idOf('account', '', 'A1', new PublicIds('a key'))).toBe(idOf('account', '', 'A1'));
    // A different value here would change the ids of every account that a TPP knows.
    expect(ids.ofAccount('A1')).toBe(idOf('account', '', 'A1'));
    expect(idOf('account', '', 'A1')).toBe('d1237fa2aade5b25ff21712cb8db24f2');
  });

  it('differs by kind, scope, reference and key, and by the boundary between scope and reference', () => {
    const all = [
      ...kinds.map((kind) => idOf(kind, 'A1', 'B1')),
      idOf('account', 'A2', 'B1'),
      idOf('account', 'A1', 'B2'),
      idOf('account', '', 'A1B1'),
      idOf('account', 'A1B', '1'),
      idOf('account', 'A1B1', ''),
      idOf('account', '1|A', 'B1'),
      idOf('account', 'A1', 'B1', new PublicIds('another key')),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});
