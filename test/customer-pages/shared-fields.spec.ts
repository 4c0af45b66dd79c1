import { describe, expect, it } from '@jest/globals';
import type { TSchema } from 'typebox';
import { servedPermissions } from '../../src/authorisation-server/journey/access-request.js';
import { english } from '../../src/authorisation-server/pages/texts/english.js';
import type { Text } from '../../src/authorisation-server/pages/texts/language.js';
import { permissionCodes } from '../../src/open-banking/permissions.js';
import { profile as profile1 } from '../../src/profiles/profile-1.js';
import { profile as profile2 } from '../../src/profiles/profile-2.js';
import { endpointNames, type Endpoint } from '../../src/resources/endpoints.js';
import { versions } from '../../src/versions/versions.js';

/** The words that customers read, and the fields that each word stands for. */
type Words = Readonly<Record<string, readonly string[]>>;

const payee: Words = {
  names: ['CreditorAccount.Name'],
  'account numbers': ['CreditorAccount.SchemeName', 'CreditorAccount.Identification'],
  'account aliases': ['CreditorAccount.Proxy.Code', 'CreditorAccount.Proxy.Identification'],
  banks: bankOf('CreditorAgent'),
};

const frequency = ['MandateRelatedInformation.Frequency.Type', 'MandateRelatedInformation.Frequency.PointInTime'];

/** For each endpoint the text of a customer who permits it, and where Detail releases more, that one as well. */
const told: Readonly<Record<Endpoint, { text: Text; words: Words; detail?: { text: Text; words: Words } }>> = {
  accounts: {
    text: 'permission.ReadAccountsBasic',
    words: {
      'its name': ['Description'],
      type: ['AccountType', 'AccountSubType', 'AccountCategory', 'AccountTypeCode'],
      currency: ['Currency'],
    },
    detail: {
      text: 'permission.ReadAccountsDetail',
      words: {
        number: ['Account[].SchemeName', 'Account[].Identification'],
        'its holder’s legal entity identifier': ['Account[].LEI'],
      },
    },
  },
  balances: {
    text: 'permission.ReadBalances',
    words: {
      amounts: ['Amount', 'CreditDebitIndicator', 'Type'],
      times: ['DateTime'],
      'credit limits': ['CreditLine[].Included', 'CreditLine[].Type', 'CreditLine[].Amount'],
    },
  },
  transactions: {
    text: 'transactions.basic',
    words: {
      amounts: ['Amount', 'CreditDebitIndicator'],
      dates: ['Status', 'BookingDateTime', 'ValueDateTime'],
      kinds: [
        'BankTransactionCode.Code',
        'BankTransactionCode.SubCode',
        'ProprietaryBankTransactionCode.Code',
        'ProprietaryBankTransactionCode.Issuer',
      ],
      purposes: ['CategoryPurposeCode', 'PaymentPurposeCode'],
      'exchange rates': ['CurrencyExchange.SourceCurrency', 'CurrencyExchange.ExchangeRate'],
    },
    detail: {
      text: 'transactions.detail',
      words: {
        descriptions: ['TransactionInformation'],
        balances: ['Balance.CreditDebitIndicator', 'Balance.Type', 'Balance.Amount'],
        'who pays': partyOf('Debtor'),
        'who is paid': partyOf('Creditor'),
      },
    },
  },
  party: {
    text: 'permission.ReadParty',
    words: {
      'your full name': ['Name'],
      address: [...addressFields('Address[]'), 'Address[].AddressLine[]'],
      'legal entity identifier': ['LEI'],
    },
  },
  offers: {
    text: 'permission.ReadOffers',
    words: {
      rates: ['rateAnnualPercentage', 'maxTransferPercentage'],
      fees: ['feePercentage', 'minFeeAmount'],
      amounts: ['minTransferAmount'],
      dates: ['endMonthYear', 'takeUpEndDate'],
    },
  },
  'scheduled-payments': {
    text: 'permission.ReadScheduledPaymentsBasic',
    words: {
      amounts: ['InstructedAmount'],
      dates: ['ScheduledPaymentDateTime', 'ScheduledType'],
      references: ['Reference'],
    },
    detail: { text: 'permission.ReadScheduledPaymentsDetail', words: payee },
  },
  beneficiaries: {
    text: 'permission.ReadBeneficiariesBasic',
    words: { 'only that they are there': [] },
    detail: { text: 'permission.ReadBeneficiariesDetail', words: payee },
  },
  statements: {
    text: 'permission.ReadStatementsBasic',
    words: {
      'its kind': ['Type'],
      dates: [
        'StartDateTime',
        'EndDateTime',
        'CreationDateTime',
        'StatementDateTime[].DateTime',
        'StatementDateTime[].Type',
      ],
    },
    detail: {
      text: 'permission.ReadStatementsDetail',
      words: {
        amounts: ['StatementAmount[].Amount', 'StatementAmount[].CreditDebitIndicator', 'StatementAmount[].Type'],
      },
    },
  },
  'direct-debits': {
    text: 'permission.ReadDirectDebits',
    words: {
      'who collects them': ['Name'],
      dates: ['MandateRelatedInformation.FirstPaymentDateTime', 'MandateRelatedInformation.FinalPaymentDateTime'],
      'how often': frequency,
      'whether amounts vary': ['MandateRelatedInformation.Classification'],
      purposes: ['MandateRelatedInformation.CategoryPurposeCode', 'MandateRelatedInformation.Reason'],
      references: ['MandateIdentification', 'MandateRelatedInformation.MandateIdentification'],
      'whether they are active': ['DirectDebitStatusCode'],
    },
  },
  'standing-orders': {
    text: 'permission.ReadStandingOrdersBasic',
    words: {
      amounts: ['NextPaymentAmount'],
      dates: [
        'FirstPaymentDateTime',
        'NextPaymentDateTime',
        'FinalPaymentDateTime',
        'MandateRelatedInformation.FirstPaymentDateTime',
        'MandateRelatedInformation.FinalPaymentDateTime',
      ],
      'how often': ['Frequency', ...frequency],
      purposes: ['MandateRelatedInformation.CategoryPurposeCode'],
      references: ['Reference', 'RemittanceInformation.Unstructured[]'],
      'whether they are active': ['StandingOrderStatusCode'],
    },
    detail: { text: 'permission.ReadStandingOrdersDetail', words: payee },
  },
  product: {
    text: 'permission.ReadProducts',
    words: { 'the name': ['ProductName', 'ProductId'], 'kind of your account': ['ProductType'] },
  },
};

/** With its account and bank. */
function partyOf(party: string): string[] {
  const account = ['SchemeName', 'Identification', 'Name', 'Proxy.Code', 'Proxy.Identification'];
  return [
    ...account.map((name) => `${party}Account.${name}`),
    ...bankOf(`${party}Agent`),
    `Ultimate${party}.Name`,
    `Ultimate${party}.LEI`,
  ];
}

function bankOf(agent: string): string[] {
  const members = ['SchemeName', 'Identification', 'Name', 'LEI', ...addressFields('PostalAddress')];
  return members.map((name) => `${agent}.${name}`);
}

function addressFields(address: string): string[] {
  const members = ['StreetName', 'BuildingNumber', 'BuildingName', 'PostCode', 'TownName', 'Country'];
  return members.map((name) => `${address}.${name}`);
}

/** The names of all that a schema lets out, but ids that mean nothing outside; an amount is one. */
function fieldsOf(schema: TSchema): string[] {
  const { properties, items } = schema as { properties?: Record<string, TSchema>; items?: TSchema };
  if (items !== undefined) return fieldsOf(items).map((name) => (name === '' ? '[]' : `[].${name}`));
  if (properties === undefined) return [''];
  return Object.entries(properties).flatMap(([name, member]) =>
    /Amount$/.test(name) && !('items' in member)
      ? [name]
      : fieldsOf(member).map((inner) => (inner === '' || inner.startsWith('[') ? name + inner : `${name}.${inner}`)),
  );
}
const ids = /^(Account|Transaction|Party|ScheduledPayment|Beneficiary|DirectDebit|StandingOrder)Id$/;

/** The words after the colon, without what is said not to be shared. */
function wordsOf(text: Text): string[] {
  const [, shared = ''] = (english[text].split(';')[0] ?? '').split(': ');
  return shared.split(/, | and /);
}

/** A TPP may read with one consent through every version. */
function fieldsOfVersions(endpoint: Endpoint): string[] {
  const forms = versions.flatMap(({ forms }) => forms.filter(({ rule }) => rule.name === endpoint));
  return [...new Set(forms.flatMap(({ schema }) => fieldsOf(schema)))].filter((field) => !ids.test(field));
}

describe('the sentences about the data that a TPP would see', () => {
  it.each(endpointNames)('promise of %s all that the schemas let out, and nothing else', (name) => {
    const { text, words, detail } = told[name];
    const all = { ...words, ...detail?.words };
    expect(wordsOf(text)).toEqual(Object.keys(words));
    if (detail !== undefined) {
      const basic = Object.keys(words).filter((word) => words[word]?.length !== 0);
      expect(wordsOf(detail.text)).toEqual([...basic, ...Object.keys(detail.words)]);
    }
    expect(Object.values(all).flat().sort()).toEqual(fieldsOfVersions(name).sort());
  });

  it('are omitted where the profile has no endpoint for the permission', () => {
    const left = (profile: Parameters<typeof servedPermissions>[1]) => {
      const served = new Set(servedPermissions(permissionCodes, profile));
      return permissionCodes.filter((code) => !served.has(code));
    };
    expect(left(profile1)).toEqual([
      'ReadDirectDebits',
      'ReadPAN',
      'ReadPartyPSU',
      'ReadProducts',
      'ReadStandingOrdersBasic',
      'ReadStandingOrdersDetail',
    ]);
    expect(left(profile2)).toEqual(['ReadPAN', 'ReadPartyPSU', 'ReadStatementsBasic', 'ReadStatementsDetail']);
  });
});
