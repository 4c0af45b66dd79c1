import type { PayeeForm, TermsRow } from '../ledger.records.js';
import { britishIban } from '../numbers.js';

/** Payees that several people have, written as people write them. */
export const landlord: PayeeForm = {
  form: 'UKACC',
  id: '20-00-00 55779911',
  name: 'Harbour Lettings Ltd   ',
  bank: {
    bic: 'SBOXGB2LXXX',
    name: 'Harbour Bank',
    lei: '2138SANDBOXBANK00135',
    seat: { town: 'London', land: 'GB', street: 'Quay Street', no: '7', post: 'E1 0AA' },
  },
};
export const energy: PayeeForm = {
  form: 'UKACC',
  id: '30-99-50 00112233',
  name: 'Northern Light Energy',
  bank: { bic: 'SBOXGB2L' },
};
export const friend: PayeeForm = {
  form: 'UKACC',
  id: '40478412345670',
  name: 'Sam Okafor ',
  alias: { code: 'EMAL', id: 'sam@okafor.example' },
};
export const internalSavings: PayeeForm = { form: 'UKACC', id: '08-99-99 20020011', name: 'Rainy day' };
export const nominated: PayeeForm = { form: 'UKACC', id: '60161331926819', name: 'A N Other Bank current  ' };
export const ibanPayee: PayeeForm = {
  form: 'IBAN',
  id: britishIban('31926819', '601613', 'NWBK')
    .replace(/(.{4})/g, '$1 ')
    .trim(),
  name: 'Rowan Books',
};
export const german: PayeeForm = { form: 'IBAN', id: 'DE89 3704 0044 0532 0130 00', name: 'Gärtnerei Müller GmbH' };
export const american: PayeeForm = { form: 'BBAN', id: '0210-0002-1000-9876', name: 'Hudson Storage Inc.' };

export const everydayTerms: TermsRow = { code: 'CUR100', title: 'Everyday Current Account', family: 'PCA' };
export const businessTerms: TermsRow = { code: 'CUR200', title: 'Business Current Account', family: 'BCA' };
