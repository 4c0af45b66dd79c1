import { describe, expect, it } from '@jest/globals';
import { permissionClusters } from './customer-pages.js';
import { codesByCluster, permissionCodes, type Permission } from '../../open-banking/permissions.js';
import { clusterLines, clusterTitle } from './permission-words.js';
import { checkedLanguage, sayIn } from './texts/language.js';
import { english } from './texts/english.js';

const say = sayIn(checkedLanguage('english', 'en-GB', english), 'The bank');

function told(...asked: Permission[]): Record<string, string[]> {
  return Object.fromEntries(
    permissionClusters(asked).map((cluster) => [
      clusterTitle(say, cluster).toString(),
      clusterLines(say, cluster).map(String),
    ]),
  );
}

describe('what the customer is told of each cluster', () => {
  it('has a title for every cluster, and a line for every code of the standard', () => {
    expect(Object.keys(told(...permissionCodes))).toHaveLength(codesByCluster.size);
    for (const code of permissionCodes) expect(Object.values(told(code)).flat()).toHaveLength(1);
  });

  it('says of account details whether the number is among them', () => {
    expect(told('ReadAccountsBasic', 'ReadBalances')).toEqual({
      'Your account details': [
        'The type, currency and description of each account, without its number',
        'Your balances, with any arranged overdraft or credit limit',
      ],
    });
    expect(told('ReadAccountsBasic', 'ReadAccountsDetail', 'ReadPAN')).toEqual({
      'Your account details': [
        'The type, currency and description of each account, with its sort code, account number and IBAN, or the last digits of a card',
        'Your full card number',
      ],
    });
  });

  it('says of regular payments whether it is seen who is paid', () => {
    expect(
      told('ReadBeneficiariesBasic', 'ReadStandingOrdersBasic', 'ReadDirectDebits', 'ReadScheduledPaymentsBasic'),
    ).toEqual({
      'Your regular payments': [
        'The references of your saved payees, without their names and account numbers',
        'Your standing orders: amounts, dates and references, without who is paid',
        'Your Direct Debits: who collects them, and the last payment of each',
        'Payments you have set up for a later date: amounts and dates, without who is paid',
      ],
    });
    expect(told('ReadBeneficiariesDetail', 'ReadStandingOrdersDetail', 'ReadScheduledPaymentsDetail')).toEqual({
      'Your regular payments': [
        'Your saved payees, with their names, account numbers and references',
        'Your standing orders: amounts, dates, references, and the name and account of who is paid',
        'Payments you have set up for a later date: amounts, dates, and the name and account of who is paid',
      ],
    });
  });

  it.each<[Permission[], string]>([
    [
      ['ReadTransactionsBasic', 'ReadTransactionsCredits', 'ReadTransactionsDebits'],
      'Money paid into and out of your accounts: dates and amounts, without descriptions or who it came from or went to',
    ],
    [
      ['ReadTransactionsBasic', 'ReadTransactionsCredits'],
      'Money paid into your accounts, but not money paid out: dates and amounts, without descriptions or who it came from or went to',
    ],
    [
      ['ReadTransactionsDetail', 'ReadTransactionsDebits'],
      'Money paid out of your accounts, but not money paid in: dates, amounts, descriptions, who it came from or went to, and your balance after it',
    ],
    [
      ['ReadTransactionsBasic', 'ReadTransactionsDetail', 'ReadTransactionsCredits', 'ReadTransactionsDebits'],
      'Money paid into and out of your accounts: dates, amounts, descriptions, who it came from or went to, and your balance after it',
    ],
  ])('says of transactions in which direction and with what: %j', (asked, line) => {
    expect(told(...asked)).toEqual({ 'Your account transactions': [line] });
  });

  it('says of statements whether the amounts are among them', () => {
    expect(told('ReadStatementsBasic')).toEqual({
      'Your statements': ['The dates and kinds of your statements, without amounts'],
    });
    expect(told('ReadStatementsDetail')).toEqual({
      'Your statements': ['Your statements, with the amounts in them, such as balances, fees and interest'],
    });
  });

  it('tells features and contact details as they are', () => {
    expect(told('ReadProducts', 'ReadOffers', 'ReadParty', 'ReadPartyPSU')).toEqual({
      'Your account features and benefits': [
        'Your account’s fees, charges, interest and rewards',
        'Offers that we make you on your account',
      ],
      'Your contact details': [
        'The account holder’s full name, and the address, phone numbers and email address that we hold',
        'Your own full name, and the address, phone numbers and email address that we hold',
      ],
    });
  });
});
