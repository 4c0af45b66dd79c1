import { describe, expect, it } from '@jest/globals';
import { notingUnread, RowFault } from '../../packages/core-adapter/core-rows.js';
import { agent, partyAccount } from './payment-parties.js';

describe('the account of a party', () => {
  it.each([
    ['sort-code', 'UK.OBIE.SortCodeAccountNumber', '04-00-04 00123456', '04000400123456'],
    ['iban', 'UK.OBIE.IBAN', 'gb33 bukb 2020 1555 5555 55', 'GB33BUKB20201555555555'],
    ['bban', 'UK.OBIE.BBAN', '0001234567', '0001234567'],
    ['card', 'UK.OBIE.PAN', '4929421234567897', 'xxxxxxxxxxxx7897'],
    ['card', 'UK.OBIE.PAN', '7897', 'xxxxxxxxxxxx7897'],
  ] as const)('of the scheme %s is %s: %s becomes %s', (scheme, SchemeName, identification, Identification) => {
    const account = partyAccount({ scheme, identification, name: 'Sam' });
    expect(account).toEqual({ SchemeName, Identification, Name: 'Sam' });
  });

  it.each([
    ['sort-code', '4000400123456'],
    ['iban', 'GB34BUKB20201555555555'],
    ['bban', ''],
    ['card', '492942'],
  ] as const)('of the scheme %s has no other number: %j is refused', (scheme, identification) => {
    expect(() => partyAccount({ scheme, identification })).toThrow(
      new RowFault('creditor.identification', 'not a number of its scheme'),
    );
  });

  it('keeps the number of an account, even a Luhn-valid one, and masks a card number in its name', () => {
    expect(partyAccount({ scheme: 'bban', identification: '4929421234567897', name: 'Sam 4929421234567897 ' })).toEqual(
      { SchemeName: 'UK.OBIE.BBAN', Identification: '4929421234567897', Name: 'Sam xxxxxxxxxxxx7897' },
    );
  });

  it('has at most 350 characters of a name, or no name', () => {
    const named = (name?: string): string | undefined =>
      partyAccount({ scheme: 'bban', identification: 'X', ...(name !== undefined && { name }) }).Name;
    expect([named(), named(''), named('   ')]).toEqual([undefined, undefined, undefined]);
    expect(named('é'.repeat(400))).toHaveLength(350);
  });
});

describe('the alias of an account', () => {
  const aliasOf = (proxy: object) => {
    const party = {
      scheme: 'bban',
      identification: 'X',
      proxy: proxy as { code: 'TOKN'; identification: string },
    } as const;
    const { item, unread } = notingUnread(() => partyAccount(party, 'debtor'));
    return [item.Proxy, unread.map(({ field }) => field)];
  };

  it('is shown without a card number', () => {
    expect(aliasOf({ code: 'TOKN', identification: '4929421234567897' })).toEqual([
      { Code: 'TOKN', Identification: 'xxxxxxxxxxxx7897' },
      [],
    ]);
  });

  it.each([
    { code: 'PHONE', identification: '1' },
    { code: 'TOKN', identification: ' ' },
    { code: 'TOKN', identification: 'x'.repeat(2049) },
  ])('is omitted and counted where it is not of its form', (proxy) => {
    expect(aliasOf(proxy)).toEqual([undefined, ['debtor.proxy']]);
  });
});

describe('the bank of a party', () => {
  const seat = { townName: 'York', country: 'GB', postCode: ' YO1 7HH ' };
  const read = (over: object) =>
    notingUnread(() =>
      agent({ bic: 'SBOXGB2L', name: 'Bank 4929421234567897', address: seat, ...over }, 'debtorAgent'),
    );

  it('has its code, and its name without a card number', () => {
    expect(read({ lei: '2138SANDBOXBANK00135' })).toEqual({
      item: {
        bic: 'SBOXGB2L',
        name: 'Bank xxxxxxxxxxxx7897',
        lei: '2138SANDBOXBANK00135',
        address: { townName: 'York', country: 'GB', postCode: 'YO1 7HH' },
      },
      unread: [],
    });
  });

  it('lacks each code that is not of its form, and is absent without its own', () => {
    const wrong = read({ lei: '2138SANDBOXBANK00136', address: { ...seat, country: 'England' } });
    expect(wrong.unread.map(({ field }) => field)).toEqual(['debtorAgent.lei', 'debtorAgent.address']);
    expect([wrong.item?.lei, wrong.item?.address]).toEqual([undefined, undefined]);
    expect(read({ address: { ...seat, townName: ' ' } }).item?.address).toBeUndefined();
    expect(read({ bic: 'HARBOUR BANK' })).toMatchObject({ item: undefined, unread: [{ field: 'debtorAgent.bic' }] });
  });
});
