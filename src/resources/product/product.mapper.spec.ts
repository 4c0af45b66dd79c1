import { describe, expect, it } from '@jest/globals';
import { toProduct, type ProductView } from './product.mapper.js';

const view: ProductView = { accountId: 'id', product: { accountSubType: 'CurrentAccount' } };

describe('toProduct', () => {
  it('shows the product’s name without a card number, its code unchanged, and its type', () => {
    const code = '4929421234567897';
    expect(toProduct({ code, name: `Everyday ${code}`, type: 'personal-current-account' }, view)).toEqual({
      ProductName: 'Everyday xxxxxxxxxxxx7897',
      ProductId: code,
      AccountId: 'id',
      ProductType: 'PersonalCurrentAccount',
    });
  });

  it('leaves out a name or code that the core does not have', () => {
    const bare = { AccountId: 'id', ProductType: 'BusinessCurrentAccount' };
    expect(toProduct({ type: 'business-current-account' }, view)).toEqual(bare);
    expect(toProduct({ type: 'business-current-account', name: ' ', code: '' }, view)).toEqual(bare);
    expect(toProduct({ type: 'other' }, view).ProductType).toBe('Other');
  });

  it('shows the type of a current account only where the profile’s sub-type is one', () => {
    const mortgage: ProductView = { ...view, product: { accountSubType: 'Mortgage' } };
    expect(toProduct({ type: 'personal-current-account' }, mortgage).ProductType).toBe('Other');
  });
});
