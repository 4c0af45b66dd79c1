import { describe, expect, it } from '@jest/globals';
import { productFields, type ProductView } from './product.mapper.js';

const view: ProductView = { accountId: 'id', product: { kind: 'current-account' } };

describe('productFields', () => {
  it('shows the product’s name without a card number, its code unchanged, and its type', () => {
    const code = '4929421234567897';
    expect(productFields({ code, name: `Everyday ${code}`, type: 'personal-current-account' }, view)).toEqual({
      name: 'Everyday xxxxxxxxxxxx7897',
      code,
      accountId: 'id',
      type: 'personal-current-account',
    });
  });

  it('omits a name or code that the core does not have', () => {
    const bare = { accountId: 'id', type: 'business-current-account' };
    expect(productFields({ type: 'business-current-account' }, view)).toEqual(bare);
    expect(productFields({ type: 'business-current-account', name: ' ', code: '' }, view)).toEqual(bare);
    expect(productFields({ type: 'other' }, view).type).toBe('other');
  });

  it('shows the type of a current account only where the profile’s product is one', () => {
    const mortgage: ProductView = { ...view, product: { kind: 'mortgage' } };
    expect(productFields({ type: 'personal-current-account' }, mortgage).type).toBe('other');
  });
});
