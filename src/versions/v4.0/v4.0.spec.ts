import { describe, expect, it } from '@jest/globals';
import { notingUnread } from '../../../packages/core-adapter/core-rows.js';
import type { CoreRecord } from '../../core-banking/core-record.js';
import type { EndpointForm } from '../../endpoint/endpoint-form.js';
import type { EndpointRead } from '../../endpoint/endpoint-rule.js';
import type { IdentifiedView } from '../../endpoint/presentation.js';
import { accountsForm } from './accounts.form.js';
import { beneficiariesForm } from './beneficiaries.form.js';
import { directDebitsForm } from './direct-debits.form.js';
import { partyForm } from './party.form.js';
import { scheduledPaymentsForm } from './scheduled-payments.form.js';
import { standingOrdersForm } from './standing-orders.form.js';
import { transactionsForm } from './transactions.form.js';

const creditor = {
  scheme: 'sort-code',
  identification: '40478412345670',
  proxy: { code: 'EMAL', identification: 'sam@okafor.example' },
} as const;
const creditorAgent = {
  bic: 'SBOXGB2LXXX',
  name: 'Harbour Bank',
  lei: '2138SANDBOXBANK00135',
  address: { townName: 'London', country: 'GB', streetName: 'Quay Street', buildingNumber: '7', postCode: 'E1 0AA' },
};
const account = {
  SchemeName: 'UK.OBIE.SortCodeAccountNumber',
  Identification: '40478412345670',
  Proxy: { Code: 'EMAL', Identification: 'sam@okafor.example' },
};
const bank = {
  SchemeName: 'UK.OBIE.BICFI',
  Identification: 'SBOXGB2LXXX',
  Name: 'Harbour Bank',
  LEI: '2138SANDBOXBANK00135',
  PostalAddress: {
    StreetName: 'Quay Street',
    BuildingNumber: '7',
    PostCode: 'E1 0AA',
    TownName: 'London',
    Country: 'GB',
  },
};

/** The resource as JSON, in which `undefined` members are absent. */
function shown<Read extends EndpointRead>(form: EndpointForm<Read>, record: CoreRecord<Read>, detail = true): object {
  const view = {
    accountId: 'A1',
    detail,
    product: {},
    settings: { pendingFields: 'empty' },
    publicId: (id: string) => id,
    customer: { ref: 'C1' },
  };
  const { item } = notingUnread(() => form.map(record, view as unknown as IdentifiedView));
  return JSON.parse(JSON.stringify(item)) as object;
}

describe('v4.0 of the standard', () => {
  it('shows the mandate of a direct debit, as far as the core knows it', () => {
    const debit = { id: 'D1', mandate: 'GYM-1', status: 'active', name: 'GYM' } as const;
    const mandate = (over: object) => shown(directDebitsForm, { ...debit, ...over });
    expect(mandate({})).toMatchObject({
      MandateRelatedInformation: { MandateIdentification: 'GYM-1', Frequency: { Type: 'NONE' } },
    });
    expect(
      mandate({
        frequency: { every: 'month', interval: 1, day: 5 },
        classification: 'fixed',
        categoryPurpose: 'SUPP',
        firstPaymentAt: { date: '2026-01-05' },
        finalPaymentAt: { date: '2026-12-05' },
        reason: 'Membership',
      }),
    ).toEqual({
      AccountId: 'A1',
      DirectDebitId: 'D1',
      MandateRelatedInformation: {
        MandateIdentification: 'GYM-1',
        Frequency: { Type: 'MNTH', PointInTime: '05' },
        CategoryPurposeCode: 'SUPP',
        FirstPaymentDateTime: '2026-01-05T00:00:00+00:00',
        FinalPaymentDateTime: '2026-12-05T00:00:00+00:00',
        Classification: 'FIXE',
        Reason: 'Membership',
      },
      DirectDebitStatusCode: 'ACTV',
      Name: 'GYM',
    });
  });

  it('shows the purpose of a standing order, and with Detail the payee’s bank and alias', () => {
    const order = { id: 'O1', status: 'active', frequency: { every: 'other' }, categoryPurpose: 'CASH' } as const;
    const basic = {
      AccountId: 'A1',
      StandingOrderId: 'O1',
      MandateRelatedInformation: { Frequency: { Type: 'NONE' }, CategoryPurposeCode: 'CASH' },
      StandingOrderStatusCode: 'ACTV',
    };
    const read = (detail: boolean) => shown(standingOrdersForm, { ...order, creditor, creditorAgent }, detail);
    expect(read(true)).toEqual({ ...basic, CreditorAccount: account, CreditorAgent: bank });
    expect(read(false)).toEqual(basic);
  });

  it('shows a rejected transaction with the time at which the bank rejected it', () => {
    const at = new Date('2026-11-20T09:30:00Z');
    const rejected = { id: 'T1', status: 'rejected', at, amount: { minorUnits: -100n, currency: 'GBP' } } as const;
    expect(shown(transactionsForm, rejected)).toMatchObject({
      Status: 'RJCT',
      BookingDateTime: '2026-11-20T09:30:00+00:00',
    });
  });

  it('shows the bank and alias of the payee of a scheduled payment with Detail only', () => {
    const amount = { minorUnits: 100n, currency: 'GBP' };
    const payment = { id: 'S1', dueAt: { date: '2026-12-01' }, type: 'execution', amount } as const;
    const read = (detail: boolean) => shown(scheduledPaymentsForm, { ...payment, creditor, creditorAgent }, detail);
    expect(read(true)).toMatchObject({ CreditorAccount: account, CreditorAgent: bank });
    expect(Object.keys(read(false))).toEqual(expect.not.arrayContaining(['CreditorAccount', 'CreditorAgent']));
  });

  it('shows the bank and alias of a beneficiary with Detail only', () => {
    const beneficiary = { id: 'B1', kind: 'third-party', creditor, creditorAgent } as const;
    const basic = { AccountId: 'A1', BeneficiaryId: 'B1' };
    expect(shown(beneficiariesForm, beneficiary)).toEqual({ ...basic, CreditorAccount: account, CreditorAgent: bank });
    expect(shown(beneficiariesForm, beneficiary, false)).toEqual(basic);
  });

  it('shows the codes of a transaction, and with Detail its parties', () => {
    const amount = { minorUnits: 100n, currency: 'GBP' };
    const codes = {
      isoTransactionCode: { family: 'RCDT', subFamily: 'DMCT' },
      bankTransactionCode: { code: 'BGC', issuer: 'Harbour Bank' },
      categoryPurpose: 'SALA',
      paymentPurpose: 'BONU',
    };
    const parties = {
      creditor,
      creditorAgent,
      ultimateCreditor: { name: 'Anna' },
      debtor: creditor,
      debtorAgent: creditorAgent,
      ultimateDebtor: { name: 'Harbour Ltd', lei: '2138SANDBOXBANK00135' },
    };
    const transaction = { id: 'T1', status: 'pending', at: new Date(0), amount, ...codes, ...parties } as const;
    const basic = {
      AccountId: 'A1',
      TransactionId: 'T1',
      CreditDebitIndicator: 'Credit',
      Status: 'PDNG',
      BookingDateTime: '',
      Amount: { Amount: '1.00', Currency: 'GBP' },
      BankTransactionCode: { Code: 'RCDT', SubCode: 'DMCT' },
      ProprietaryBankTransactionCode: { Code: 'BGC', Issuer: 'Harbour Bank' },
      CategoryPurposeCode: 'SALA',
      PaymentPurposeCode: 'BONU',
    };
    expect(shown(transactionsForm, transaction, false)).toEqual(basic);
    expect(shown(transactionsForm, transaction)).toEqual({
      ...basic,
      CreditorAccount: account,
      CreditorAgent: bank,
      UltimateCreditor: { Name: 'Anna' },
      DebtorAccount: account,
      DebtorAgent: bank,
      UltimateDebtor: { Name: 'Harbour Ltd', LEI: '2138SANDBOXBANK00135' },
    });
  });

  it('shows the LEI of the holder with each number of an account, and of the party', () => {
    const lei = '2138SANDBOXTRADER116';
    const iban = 'GB54SBOX08999910010010';
    const held = {
      ref: 'A1',
      product: 'Any',
      currency: 'GBP',
      permitted: true,
      holder: 'business',
      iban,
      lei,
    } as const;
    expect(shown(accountsForm, held)).toMatchObject({
      Account: [{ SchemeName: 'UK.OBIE.IBAN', Identification: iban, LEI: lei }],
    });
    expect(shown(accountsForm, held, false)).not.toHaveProperty('Account');
    const { address } = creditorAgent;
    const shownParty = { PartyId: 'C1', LEI: lei, Address: [bank.PostalAddress] };
    expect(shown(partyForm, { ref: 'C1', lei, address })).toEqual(shownParty);
  });
});
