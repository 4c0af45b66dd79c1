import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { profile as profile1 } from '../../src/profiles/profile-1.js';
import type { ProfileProduct } from '../../src/profiles/profile.js';
import { allPermissions, Stack, type ConsentedCustomer, type Json } from '../support/stack.js';

const anId = expect.stringMatching(/^[0-9a-f]{32}$/);
const gbp = (amount: string): unknown => ({ Amount: amount, Currency: 'GBP' });
const sortCode = (Identification: string, Name: string): unknown => ({
  SchemeName: 'UK.OBIE.SortCodeAccountNumber',
  Identification,
  Name,
});
const friend = sortCode('40478412345670', 'Sam Okafor');
const nominated = sortCode('60161331926819', 'A N Other Bank current');

async function read(stack: Stack, customer: ConsentedCustomer, account: string, end: string): Promise<Json> {
  const { status, json } = await stack.ask(`/accounts/${customer.accountId(account)}${end}`, { token: customer.token });
  expect([end, status]).toEqual([end, 200]);
  return json.Data;
}

describe('records as profile 2 shows them', () => {
  let stack: Stack;
  let complete: ConsentedCustomer;
  beforeAll(async () => {
    stack = await Stack.start();
    complete = await stack.consent({ persona: 'complete' });
  });
  afterAll(() => stack.close());

  it('accounts have the identifications of their product', async () => {
    const { json } = await stack.ask('/accounts', { token: complete.token });
    const account = (
      product: string,
      subType: string,
      description: string,
      ...identifications: unknown[]
    ): unknown => ({
      AccountId: complete.accountId(product),
      Currency: 'GBP',
      AccountType: 'Personal',
      AccountSubType: subType,
      Description: description,
      Account: identifications,
    });
    const number = (Identification: string): unknown => ({
      SchemeName: 'UK.OBIE.SortCodeAccountNumber',
      Identification,
    });
    const iban = (Identification: string): unknown => ({ SchemeName: 'UK.OBIE.IBAN', Identification });
    const all = [
      account(
        'CurrentAccount',
        'CurrentAccount',
        'Everyday Current Account',
        number('08999910010010'),
        iban('GB54SBOX08999910010010'),
      ),
      account('Savings', 'Savings', 'Rainy Day Saver', number('08999920020011'), iban('GB60SBOX08999920020011')),
      account('CreditCard', 'CreditCard', 'Platinum Card', {
        SchemeName: 'UK.OBIE.PAN',
        Identification: 'xxxxxxxxxxxx7897',
      }),
      account(
        'RewardsPayPlus',
        'PrePaidCard',
        'Rewards Pay+',
        number('08999920020034'),
        iban('GB21SBOX08999920020034'),
      ),
      account('RoundUp', 'Savings', 'Round Up', number('08999920020042')),
    ];
    expect(json.Data).toEqual({ Account: all });
    // A single account is the same record.
    for (const [index, { AccountId }] of complete.accounts.entries())
      expect((await stack.ask(`/accounts/${AccountId}`, { token: complete.token })).json.Data).toEqual({
        Account: [all[index]],
      });
  });

  it('the description of an account has at most 35 characters, or is absent', async () => {
    const scripts = await stack.consent({ persona: 'scripts' });
    const [account] = (await read(stack, scripts, 'CurrentAccount', '')).Account;
    expect(account.Description).toBe('日常账户 · Compte courant · Основной сч');
    expect(account.Description).toHaveLength(35);
    const newcomer = await stack.consent({ persona: 'newcomer' });
    expect((await read(stack, newcomer, 'CreditCard', '')).Account[0]).not.toHaveProperty('Description');
  });

  it('a business’s account is a Business account with a BusinessCurrentAccount product', async () => {
    const trader = await stack.consent({ persona: 'trader' });
    expect((await read(stack, trader, 'CurrentAccount', '')).Account[0].AccountType).toBe('Business');
    expect((await read(stack, trader, 'CurrentAccount', '/product')).Product[0].ProductType).toBe(
      'BusinessCurrentAccount',
    );
  });

  it('the party is the individual who gave the consent, not the account’s holder', async () => {
    for (const [persona, name] of [
      ['joint', 'Grace Lindqvist'],
      ['partner', 'Henrik Lindqvist'],
    ] as const) {
      const customer = await stack.consent({ persona });
      expect(await read(stack, customer, 'A100701', '/party')).toEqual({ Party: { PartyId: anId, Name: name } });
    }
  });

  it('the party has the name that the bank sent with the consent, else the core’s', async () => {
    const told = await stack.consent({ persona: 'partner', displayName: '  Henrik L.  ' });
    expect((await read(stack, told, 'A100701', '/party')).Party.Name).toBe('Henrik L.');
    const scripts = await stack.consent({ persona: 'scripts' });
    expect((await read(stack, scripts, 'CurrentAccount', '/party')).Party.Name).toBe('王小明 (Xiǎomíng Wáng)');
  });

  it('offers have their seven keys, percentages as decimal texts, absent ones omitted', async () => {
    const AccountId = complete.accountId('CreditCard');
    expect(await read(stack, complete, 'CreditCard', '/offers')).toEqual({
      Offer: [
        {
          AccountId,
          endMonthYear: '2027-01',
          feePercentage: '2.99',
          maxTransferPercentage: '95.00',
          minTransferAmount: gbp('100.00'),
          minFeeAmount: gbp('3.00'),
          rateAnnualPercentage: '0.00',
          takeUpEndDate: '2026-07-25',
        },
        {
          AccountId,
          endMonthYear: '2027-06',
          maxTransferPercentage: '90.00',
          minTransferAmount: gbp('50.00'),
          rateAnnualPercentage: '12.90',
        },
      ],
    });
    for (const product of ['CurrentAccount', 'Savings', 'RewardsPayPlus', 'RoundUp'])
      expect(await read(stack, complete, product, '/offers')).toEqual({ Offer: [] });
  });

  it('beneficiaries of a current account are of all four kinds, those of savings nominated and internal', async () => {
    const creditors = async (product: string): Promise<unknown[]> =>
      (await read(stack, complete, product, '/beneficiaries')).Beneficiary.map((beneficiary: Json) => {
        expect(beneficiary).toMatchObject({ AccountId: complete.accountId(product), BeneficiaryId: anId });
        return beneficiary.CreditorAccount;
      });
    expect(await creditors('CurrentAccount')).toEqual([
      friend,
      nominated,
      { SchemeName: 'UK.OBIE.IBAN', Identification: 'DE89370400440532013000', Name: 'Gärtnerei Müller GmbH' },
      sortCode('08999920020011', 'Rainy day'),
      {
        SchemeName: 'UK.OBIE.IBAN',
        Identification: expect.stringMatching(/^GB\d\dNWBK60161331926819$/),
        Name: 'Rowan Books',
      },
    ]);
    expect(await creditors('Savings')).toEqual([nominated, sortCode('08999910010010', 'Everyday')]);
    for (const product of ['CreditCard', 'RewardsPayPlus', 'RoundUp']) expect(await creditors(product)).toEqual([]);
  });

  it('a payee abroad may have a BBAN', async () => {
    const payer = await stack.consent({ persona: 'payer' });
    const { Beneficiary } = await read(stack, payer, 'CurrentAccount', '/beneficiaries');
    expect(Beneficiary[1].CreditorAccount).toEqual({
      SchemeName: 'UK.OBIE.BBAN',
      Identification: '0210000210009876',
      Name: 'Hudson Storage Inc.',
    });
  });

  it('scheduled payments are domestic ones only, a day without a time at its 00:00', async () => {
    const payer = await stack.consent({ persona: 'payer' });
    const { ScheduledPayment } = await read(stack, payer, 'CurrentAccount', '/scheduled-payments');
    expect(ScheduledPayment[0]).toEqual({
      AccountId: payer.accountId('CurrentAccount'),
      ScheduledPaymentId: anId,
      ScheduledPaymentDateTime: '2026-06-18T00:00:00+00:00',
      ScheduledType: 'Execution',
      Reference: 'GARAGE',
      InstructedAmount: gbp('120.00'),
      CreditorAccount: friend,
    });
    expect(
      ScheduledPayment.map((payment: Json) => [
        payment.Reference,
        payment.ScheduledType,
        payment.ScheduledPaymentDateTime,
      ]),
    ).toEqual([
      ['GARAGE', 'Execution', '2026-06-18T00:00:00+00:00'],
      ['DEPOSIT', 'Arrival', '2026-06-23T09:00:00+00:00'],
      ['4929421234567897', 'Execution', '2026-06-27T00:00:00+00:00'],
    ]);
  });

  it('standing orders are domestic ones only, each with its rhythm or NotKnown, none omitted', async () => {
    const payer = await stack.consent({ persona: 'payer' });
    const { StandingOrder } = await read(stack, payer, 'CurrentAccount', '/standing-orders');
    expect(StandingOrder[0]).toEqual({
      AccountId: payer.accountId('CurrentAccount'),
      StandingOrderId: anId,
      Frequency: 'IntrvlMnthDay:01:01',
      Reference: 'RENT',
      FirstPaymentDateTime: '2025-06-14T00:00:00+00:00',
      NextPaymentDateTime: '2026-06-16T00:00:00+00:00',
      StandingOrderStatusCode: 'Active',
      NextPaymentAmount: gbp('1150.00'),
      CreditorAccount: sortCode('20000055779911', 'Harbour Lettings Ltd'),
    });
    expect(StandingOrder.map(({ Frequency, Reference }: Json) => [Reference, Frequency])).toEqual([
      ['RENT', 'IntrvlMnthDay:01:01'],
      ['QUARTER END', 'IntrvlMnthDay:03:-01'],
      ['FRIDAY LESSON', 'IntrvlWkDay:01:05'],
      ['LUNCH FUND', 'EvryWorkgDay'],
      ['A POUND A DAY', 'EvryDay'],
      ['EVERY TEN DAYS', 'IntrvlDay:10'],
      ['CHOIR SECOND WEDNESDAY', 'WkInMnthDay:02:03'],
      ['ENGLISH QUARTER DAY', 'QtrDay:ENGLISH'],
      ['SCOTTISH QUARTER DAY', 'QtrDay:SCOTTISH'],
      [undefined, 'QtrDay:RECEIVED'],
      ['EVERY EIGHT MONTHS', 'NotKnown'],
      ['EVERY TWELVE WEEKS', 'NotKnown'],
      ['NINTH DAY FROM THE END', 'NotKnown'],
      ['EGGS', 'NotKnown'],
      ['ENDED', 'IntrvlMnthDay:12:29'],
      ['PAUSED', 'IntrvlMnthDay:01:15'],
      ['CANCELLED', 'IntrvlMnthDay:01:15'],
    ]);
    expect(StandingOrder[14]).toEqual({
      AccountId: payer.accountId('CurrentAccount'),
      StandingOrderId: anId,
      Frequency: 'IntrvlMnthDay:12:29',
      Reference: 'ENDED',
      FirstPaymentDateTime: '2025-05-31T00:00:00+00:00',
      FinalPaymentDateTime: '2026-03-17T00:00:00+00:00',
      StandingOrderStatusCode: 'Inactive',
      CreditorAccount: friend,
    });
  });

  it('direct debits are active and inactive ones ', async () => {
    const AccountId = complete.accountId('CurrentAccount');
    const debit = (mandate: string, status: string, name: string): unknown => ({
      AccountId,
      DirectDebitId: anId,
      MandateIdentification: mandate,
      DirectDebitStatusCode: status,
      Name: name,
    });
    expect(await read(stack, complete, 'CurrentAccount', '/direct-debits')).toEqual({
      DirectDebit: [
        debit('NLE-77120034', 'Active', 'NORTHERN LIGHT ENERGY'),
        debit('GYM-0091', 'Inactive', 'QUAYSIDE GYM'),
      ],
    });
  });

  it('a product has its name, code and type; a code that the core lacks is omitted', async () => {
    const product = { ProductType: 'PersonalCurrentAccount' };
    expect(await read(stack, complete, 'CurrentAccount', '/product')).toEqual({
      Product: [
        {
          ...product,
          AccountId: complete.accountId('CurrentAccount'),
          ProductId: 'CUR100',
          ProductName: 'Everyday Current Account',
        },
      ],
    });
    const overdrawn = await stack.consent({ persona: 'overdrawn' });
    expect(await read(stack, overdrawn, 'A100203', '/product')).toEqual({
      Product: [{ ...product, AccountId: overdrawn.accountId('A100203'), ProductName: 'Basic Account' }],
    });
  });

  it('are empty collections for an account without such records', async () => {
    const newcomer = await stack.consent({ persona: 'newcomer' });
    const empty = {
      '/transactions': 'Transaction',
      '/scheduled-payments': 'ScheduledPayment',
      '/beneficiaries': 'Beneficiary',
      '/direct-debits': 'DirectDebit',
      '/standing-orders': 'StandingOrder',
    };
    for (const [end, collection] of Object.entries(empty))
      expect(await read(stack, newcomer, 'CurrentAccount', end)).toEqual({ [collection]: [] });
    expect(await read(stack, newcomer, 'CreditCard', '/offers')).toEqual({ Offer: [] });
  });
});

describe('records as profile 1 shows them', () => {
  let stack: Stack;
  let complete: ConsentedCustomer;
  beforeAll(async () => {
    const set = { CreditCard: 'charge-card', RewardsPayPlus: 'e-money', RoundUp: 'current-account' } as const;
    const products = Object.entries(profile1.products).map(([name, product]): [string, ProfileProduct] => {
      return [name, { ...product, kind: set[name as keyof typeof set] ?? product.kind }];
    });
    stack = await Stack.start({ profile: 'profile-1', profileSettings: { products: Object.fromEntries(products) } });
    complete = await stack.consent({ persona: 'complete', permissions: allPermissions('profile-1') });
  });
  afterAll(() => stack.close());

  it('beneficiaries of Rewards Pay+ are third-party, nominated and internal ones', async () => {
    const { Beneficiary } = await read(stack, complete, 'RewardsPayPlus', '/beneficiaries');
    expect(Beneficiary.map(({ CreditorAccount }: Json) => CreditorAccount)).toEqual([
      friend,
      nominated,
      sortCode('08999920020011', 'Rainy day'),
    ]);
    expect(await read(stack, complete, 'CreditCard', '/beneficiaries')).toEqual({ Beneficiary: [] });
  });

  it('scheduled payments are those of Rewards Pay+ and savings, domestic ones only', async () => {
    const references = async (product: string): Promise<string[]> =>
      (await read(stack, complete, product, '/scheduled-payments')).ScheduledPayment.map(
        ({ Reference }: Json) => Reference,
      );
    expect(await references('RewardsPayPlus')).toEqual(['Present']);
    expect(await references('Savings')).toEqual(['To current']);
    expect(await references('CreditCard')).toEqual([]);
  });

  it('accounts have the sub-types that the profile sets', async () => {
    const { json } = await stack.ask('/accounts', { token: complete.token });
    expect(json.Data.Account.map(({ AccountSubType }: Json) => AccountSubType)).toEqual([
      'Savings',
      'ChargeCard',
      'EMoney',
      'CurrentAccount',
    ]);
  });
});
