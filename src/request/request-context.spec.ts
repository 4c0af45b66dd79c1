import { describe, expect, it } from '@jest/globals';
import { isAttended } from './request-context.js';

describe('a customer', () => {
  it('is present where the TPP sends an address of the customer', () => {
    expect(isAttended({ 'x-fapi-customer-ip-address': '203.0.113.7' })).toBe(true);
    expect(isAttended({ 'x-fapi-customer-ip-address': '' })).toBe(false);
    expect(isAttended({})).toBe(false);
  });
});
