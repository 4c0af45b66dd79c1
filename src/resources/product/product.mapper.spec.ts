import { describe, expect, it } from '@jest/globals';
import { toProduct } from './product.mapper.js';

describe('toProduct', () => {
  it('shows the product’s name without a card number, its code unchanged, and its type', () => {
    const code = '4929421234567897';
    expect(
      toProduct({ code, name: `Everyday ${code}`, type: 'personal-current-account' }, { accountId: 'id' }),
    ).toEqual({
      ProductName: 'Everyday xxxxxxxxxxxx7897',
      ProductId: code,
      AccountId: 'id',
      ProductType: 'PersonalCurrentAccount',
    });
  });

  it('leaves out a name or code that the core does not have', () => {
    const bare = { AccountId: 'id', ProductType: 'BusinessCurrentAccount' };
    expect(toProduct({ type: 'business-current-account' }, { accountId: 'id' })).toEqual(bare);
    expect(toProduct({ type: 'business-current-account', name: ' ', code: '' }, { accountId: 'id' })).toEqual(bare);
    expect(toProduct({ type: 'other' }, { accountId: 'id' }).ProductType).toBe('Other');
  });
});
