import { describe, expect, it } from '@jest/globals';
import { notingUnread } from '../../../packages/core-adapter/core-rows.js';
import { directDebitFields } from './direct-debit.mapper.js';

const view = { accountId: 'id', publicId: (id: string) => `public-${id}` };

describe('directDebitFields', () => {
  it('shows the mandate unchanged, and the collector’s name without a card number', () => {
    const mandate = '4929421234567897';
    expect(directDebitFields({ id: 'M1', mandate, status: 'active', name: `ENERGY ${mandate}` }, view)).toEqual({
      accountId: 'id',
      directDebitId: 'public-M1',
      mandate,
      status: 'active',
      name: 'ENERGY xxxxxxxxxxxx7897',
      frequency: { every: 'other' },
    });
  });

  it('shows the purpose, dates and reason of the mandate, without those that are not of their form', () => {
    const all = {
      frequency: { every: 'working-day' },
      classification: 'usage-based',
      categoryPurpose: 'SUPP',
      firstPaymentAt: { date: '2026-01-02' },
      finalPaymentAt: { date: '2026-12-02' },
      reason: 'For 4929421234567897',
    } as const;
    const mapped = (over: object) =>
      notingUnread(() =>
        directDebitFields({ id: 'M1', mandate: 'X', status: 'active', name: 'N', ...all, ...over }, view),
      );
    expect(mapped({})).toMatchObject({
      item: {
        ...all,
        firstPaymentAt: '2026-01-02T00:00:00+00:00',
        finalPaymentAt: '2026-12-02T00:00:00+00:00',
        reason: 'For xxxxxxxxxxxx7897',
      },
      unread: [],
    });
    const wrong = mapped({ classification: 'often', categoryPurpose: 'Supplier', firstPaymentAt: { date: 'soon' } });
    expect(wrong.unread.map(({ field }) => field)).toEqual(['classification', 'categoryPurpose', 'firstPaymentAt']);
    expect([wrong.item.classification, wrong.item.categoryPurpose, wrong.item.firstPaymentAt]).toEqual(
      Array(3).fill(undefined),
    );
  });

  it('refuses a mandate number of more than 35 characters instead of cutting it', () => {
    const mapped = (mandate: string) => directDebitFields({ id: 'M1', mandate, status: 'active', name: 'N' }, view);
    expect(mapped('m'.repeat(35)).mandate).toHaveLength(35);
    expect(() => mapped('m'.repeat(36))).toThrow(RangeError);
  });

  it('keeps the state of a mandate, and cuts the name to 70 characters', () => {
    const inactive = directDebitFields({ id: 'M1', mandate: 'X', status: 'suspended', name: 'n'.repeat(80) }, view);
    expect([inactive.status, inactive.name]).toEqual(['suspended', 'n'.repeat(70)]);
  });
});
