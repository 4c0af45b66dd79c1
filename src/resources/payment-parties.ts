import { payeeNumber } from '../../packages/core-adapter/account-numbers.js';
import { optionalCode, optionalField, RowFault } from '../../packages/core-adapter/core-rows.js';
import {
  type CoreAccountIdentification,
  type CoreAgent,
  type CorePostalAddress,
  proxyCodes,
} from '../../packages/core-adapter/core.parties.js';
import { bic, lei } from '../../packages/core-adapter/identifiers.js';
import { freeText, maskedCard, optionalText } from '../open-banking/free-text.js';

export interface PartyAccount {
  SchemeName: string;
  Identification: string;
  Name?: string;
  Proxy?: { Code: string; Identification: string };
}

const schemes = {
  'sort-code': 'UK.OBIE.SortCodeAccountNumber',
  iban: 'UK.OBIE.IBAN',
  bban: 'UK.OBIE.BBAN',
  card: 'UK.OBIE.PAN',
} as const;

/**
 * The account of a payee or a payer. A card's number is masked; that of an account has its own field and is not.
 *
 * @param field its name in the port's record
 * @throws RowFault where the number is not of its scheme: the standard wants one, and another number names another account
 */
export function partyAccount(party: CoreAccountIdentification, field = 'creditor'): PartyAccount {
  const number = payeeNumber(party.scheme, party.identification);
  if (number === undefined) throw new RowFault(`${field}.identification`, 'not a number of its scheme');
  return {
    SchemeName: schemes[party.scheme],
    Identification: party.scheme === 'card' ? maskedCard(number) : number,
    Name: optionalText(party.name, 350),
    Proxy: optionalField(`${field}.proxy`, () => party.proxy && proxy(party.proxy)),
  };
}

/** A part of an alias would name another account. */
function proxy({ code, identification }: NonNullable<CoreAccountIdentification['proxy']>): PartyAccount['Proxy'] {
  if (!proxyCodes.includes(code)) throw new RowFault('code', 'not a code of an alias');
  const text = freeText(identification);
  if (text === '' || text.length > 2048) throw new RowFault('identification', 'not 1 to 2048 characters');
  return { Code: code, Identification: text };
}

/** Absent without its code, which the standard wants; its other members are as far as they can be read. */
export function agent(agent: CoreAgent | undefined, field: string): CoreAgent | undefined {
  const code = optionalCode(`${field}.bic`, agent?.bic, bic);
  if (agent === undefined || code === undefined) return undefined;
  return {
    bic: code,
    name: optionalText(agent.name, 140),
    lei: optionalCode(`${field}.lei`, agent.lei, lei),
    address: postalAddress(agent.address, `${field}.address`),
  };
}

/** A name that the port wants. @throws RowFault without one */
export function partyName(name: string, field: string): string {
  const text = optionalText(name, 140);
  if (text === undefined) throw new RowFault(field, 'empty');
  return text;
}

/** Absent where it has no town or country: a part of an address may lead to another place. */
export function postalAddress(given: CorePostalAddress | undefined, field: string): CorePostalAddress | undefined {
  return optionalField(field, () => given && address(given));
}

function address(address: CorePostalAddress): CorePostalAddress {
  if (!/^[A-Z]{2}$/.test(address.country)) throw new RowFault('country', 'not of its form');
  return {
    townName: partyName(address.townName, 'townName'),
    country: address.country,
    buildingName: optionalText(address.buildingName, 140),
    buildingNumber: optionalText(address.buildingNumber, 16),
    streetName: optionalText(address.streetName, 140),
    postCode: optionalText(address.postCode, 16),
  };
}
