import type { AnyRead } from '../../../packages/adapter-kit/reads.js';
import { type Mutant, mistakeInRecords } from './mutant.js';

type Fields = Readonly<Record<string, unknown>>;

/** A wrong value in the place of a member that a record has. */
function wrong(read: AnyRead, does: string, member: string, value: unknown): Mutant {
  return {
    does,
    clauses: ['CORE-84'],
    make: mistakeInRecords(read, (record) =>
      (record as Fields)[member] === undefined ? record : { ...record, [member]: value },
    ),
  };
}

export const mutantsOfCodes: readonly Mutant[] = [
  wrong('account', 'gives an LEI with wrong check digits', 'lei', '2138SANDBOXENERGY128'),
  wrong('standingOrders', 'gives a BIC without its last letter', 'creditorAgent', { bic: 'NWBKGB2' }),
  wrong('beneficiaries', 'gives the name of a country for its code', 'creditorAgent', {
    bic: 'NWBKGB2L',
    address: { townName: 'London', country: 'England' },
  }),
  wrong('transactions', 'gives the long name of a code', 'isoTransactionCode', {
    family: 'ReceivedCreditTransfers',
    subFamily: 'SALA',
  }),
  wrong('transactions', 'gives a family without its sub-family', 'isoTransactionCode', { family: 'RCDT' }),
  wrong('transactions', 'writes purposes in small letters', 'paymentPurpose', 'bonu'),
  wrong('transactions', 'makes up a kind of proxy', 'creditor', {
    scheme: 'iban',
    identification: 'GB33BUKB20201555555555',
    proxy: { code: 'FAXX', identification: '1' },
  }),
  wrong('directDebits', 'hands on the core’s word for a state', 'status', 'LIVE'),
];
