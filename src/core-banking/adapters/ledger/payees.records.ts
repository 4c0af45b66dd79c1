import { payeeNumber } from '../../../../packages/core-adapter/account-numbers.js';
import {
  type CoreAccountIdentification,
  type CoreAgent,
  type CorePostalAddress,
  proxyCodes,
} from '../../../../packages/core-adapter/core.parties.js';
import { bic, lei } from '../../../../packages/core-adapter/identifiers.js';
import { isRow, optionalField, RowFault, type Row } from '../../../../packages/core-adapter/core-rows.js';
import {
  optionalCodeOf,
  optionalTextOf,
  partOf,
  textOf,
  wordOf,
} from '../../../../packages/core-adapter/row-fields.js';

const reaches: Readonly<Record<string, boolean>> = { DOM: true, INT: false };

/** Domestic scheduled payments and standing orders only. International ones never become a record. */
export function isDomestic(row: Row): boolean {
  return wordOf(row, 'reach', reaches);
}

const forms: Readonly<Record<string, CoreAccountIdentification['scheme']>> = {
  UKACC: 'sort-code',
  IBAN: 'iban',
  BBAN: 'bban',
};

/** The ledger writes identifications as people type them, with blanks and dashes. */
export function toIdentification(row: Row, field = 'payee'): CoreAccountIdentification {
  const as = field === 'payee' ? 'creditor' : 'debtor';
  return partOf(row, field, (payee) => readIdentification(payee, as));
}

/** The bank of the payee, where the ledger knows it. */
export function toAgent(row: Row, field = 'payee', as = 'creditorAgent'): CoreAgent | undefined {
  return optionalField(as, () => {
    const payee = row[field];
    return isRow(payee) && payee.bank !== undefined ? partOf(payee, 'bank', (bank) => readAgent(bank, as)) : undefined;
  });
}

function readAgent(bank: Row, as: string): CoreAgent {
  const code = optionalCodeOf(bank, 'bic', bic);
  if (code === undefined) throw new RowFault('bic', 'missing');
  return {
    bic: code,
    name: optionalField(`${as}.name`, () => optionalTextOf(bank, 'name')),
    lei: optionalField(`${as}.lei`, () => optionalCodeOf(bank, 'lei', lei)),
    address: optionalField(`${as}.address`, () =>
      bank.seat === undefined ? undefined : partOf(bank, 'seat', readAddress),
    ),
  };
}

export function readAddress(seat: Row): CorePostalAddress {
  const country = textOf(seat, 'land');
  if (!/^[A-Z]{2}$/.test(country)) throw new RowFault('land', 'not the code of a country');
  return {
    townName: textOf(seat, 'town'),
    country,
    streetName: optionalTextOf(seat, 'street'),
    buildingNumber: optionalTextOf(seat, 'no'),
    postCode: optionalTextOf(seat, 'post'),
  };
}

function readProxy(alias: Row): CoreAccountIdentification['proxy'] {
  return { code: wordOf(alias, 'code', proxies), identification: textOf(alias, 'id') };
}

const proxies = Object.fromEntries(proxyCodes.map((code) => [code, code]));

function readIdentification(payee: Row, as: string): CoreAccountIdentification {
  const scheme = wordOf(payee, 'form', forms);
  const identification = payeeNumber(scheme, textOf(payee, 'id'));
  if (identification === undefined) throw new RowFault('id', 'not a number of its form');
  const name = optionalField(`${as}.name`, () => optionalTextOf(payee, 'name'));
  const proxy = optionalField(`${as}.proxy`, () =>
    payee.alias === undefined ? undefined : partOf(payee, 'alias', readProxy),
  );
  return { scheme, identification, name, proxy };
}
