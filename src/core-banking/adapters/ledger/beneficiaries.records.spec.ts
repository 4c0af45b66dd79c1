import { describe, expect, it } from '@jest/globals';
import { forward, namesWhatItCannotRead, payee, secret } from '../../../../test/cores/ledger/ledger.rows.js';
import { toBeneficiary } from './beneficiaries.records.js';
import { isDomestic } from './payees.records.js';

describe('the ledger’s payee', () => {
  it('becomes a beneficiary, its identification without blanks', () => {
    expect(
      toBeneficiary({ key: 'B1', sort: 'XB', payee: { form: 'IBAN', id: 'de89 3704 0044-0532 0130 00', name: '' } }),
    ).toEqual({
      id: 'B1',
      kind: 'international',
      creditor: { scheme: 'iban', identification: 'DE89370400440532013000' },
    });
  });

  namesWhatItCannotRead([
    ['reach', isDomestic, forward, { reach: secret }],
    ['sort', toBeneficiary, { key: 'B1', sort: secret, payee }, {}],
    ['payee.id', toBeneficiary, { key: 'B1', sort: 'TP', payee: { form: 'IBAN', id: secret } }, {}],
  ]);
});
