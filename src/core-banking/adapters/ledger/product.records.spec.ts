import { describe, expect, it } from '@jest/globals';
import { namesWhatItCannotRead, secret } from '../../../../test/cores/ledger/ledger.rows.js';
import { toProductDetail } from './product.records.js';

describe('the ledger’s terms', () => {
  it('become a product, without empty values', () => {
    expect(toProductDetail({ code: '', title: 'Basic ', family: 'BCA' })).toEqual({
      name: 'Basic',
      type: 'business-current-account',
    });
  });

  namesWhatItCannotRead([['family', toProductDetail, { code: '', title: '', family: secret }, {}]]);
});
