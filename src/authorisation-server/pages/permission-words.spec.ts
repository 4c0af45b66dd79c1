import { describe, expect, it } from '@jest/globals';
import { permissionClusters, clusterLines, clusterTitle } from './permission-words.js';
import { codesByCluster, permissionCodes, type Permission } from '../../open-banking/permissions.js';
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

describe('the words for each cluster', () => {
  it('have a title for every cluster, and a line for every code of the standard', () => {
    expect(Object.keys(told(...permissionCodes))).toHaveLength(codesByCluster.size);
    for (const code of permissionCodes) expect(Object.values(told(code)).flat()).toHaveLength(1);
  });

  it('state whether account details include the number', () => {
    expect(told('ReadAccountsBasic', 'ReadBalances')).toEqual({
      'Your account details': [
        'Your account: its name, type and currency; not its number',
        'Your account balance: amounts, times and credit limits',
      ],
    });
    expect(told('ReadAccountsBasic', 'ReadAccountsDetail', 'ReadPAN')).toEqual({
      'Your account details': [
        'Your account name, number and sort code: its name, type, currency, number and its holder’s legal entity identifier',
        'Your full card number',
      ],
    });
  });

  it('state whether regular payments show the payee', () => {
    expect(
      told('ReadBeneficiariesBasic', 'ReadStandingOrdersBasic', 'ReadDirectDebits', 'ReadScheduledPaymentsBasic'),
    ).toEqual({
      'Your regular payments': [
        'Payee agreements you have set up: only that they are there; not who is paid',
        'Your standing orders: amounts, dates, how often, purposes, references and whether they are active; not who is paid',
        'Your Direct Debits: who collects them, dates, how often, whether amounts vary, purposes, references and whether they are active',
        'Future dated payments: amounts, dates and references; not who is paid',
      ],
    });
    expect(told('ReadBeneficiariesDetail', 'ReadStandingOrdersDetail', 'ReadScheduledPaymentsDetail')).toEqual({
      'Your regular payments': [
        'Details of payee agreements you have set up: names, account numbers, account aliases and banks',
        'Details of your standing orders: amounts, dates, how often, purposes, references, whether they are active, names, account numbers, account aliases and banks',
        'Details of future dated payments: amounts, dates, references, names, account numbers, account aliases and banks',
      ],
    });
  });

  it.each<[Permission[], string]>([
    [
      ['ReadTransactionsBasic', 'ReadTransactionsCredits', 'ReadTransactionsDebits'],
      'Your transactions, incoming and outgoing: amounts, dates, kinds, purposes and exchange rates; not descriptions, who pays or who is paid',
    ],
    [
      ['ReadTransactionsBasic', 'ReadTransactionsCredits'],
      'Your incoming transactions, but not outgoing ones: amounts, dates, kinds, purposes and exchange rates; not descriptions, who pays or who is paid',
    ],
    [
      ['ReadTransactionsDetail', 'ReadTransactionsDebits'],
      'Your outgoing transactions, but not incoming ones, with details: amounts, dates, kinds, purposes, exchange rates, descriptions, balances, who pays and who is paid',
    ],
    [
      ['ReadTransactionsBasic', 'ReadTransactionsDetail', 'ReadTransactionsCredits', 'ReadTransactionsDebits'],
      'Your transactions, incoming and outgoing, with details: amounts, dates, kinds, purposes, exchange rates, descriptions, balances, who pays and who is paid',
    ],
  ])('state direction and details of transactions: %j', (asked, line) => {
    expect(told(...asked)).toEqual({ 'Your account transactions': [line] });
  });

  it('state whether statements include the amounts', () => {
    expect(told('ReadStatementsBasic')).toEqual({
      'Your statements': ['Information contained in your statement: its kind and dates; not amounts'],
    });
    expect(told('ReadStatementsDetail')).toEqual({
      'Your statements': ['Details of information contained in your statement: its kind, dates and amounts'],
    });
  });

  it('have one text each for features and contact details', () => {
    expect(told('ReadProducts', 'ReadOffers', 'ReadParty', 'ReadPartyPSU')).toEqual({
      'Your account features and benefits': [
        'Product details: the name and kind of your account; not its fees, charges or interest',
        'Offers available on your account: rates, fees, amounts and dates',
      ],
      'Your contact details': [
        'Your contact details: your full name, address and legal entity identifier; not your telephone numbers or email addresses',
        'Contact details of the person who signs in: your full name and legal entity identifier; not your address, telephone numbers or email addresses',
      ],
    });
  });
});
