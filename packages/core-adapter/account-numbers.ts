// The standard's forms of account numbers. People write blanks, dashes and small letters: these are removed or changed.

/** Six digits and eight, joined. `undefined` where either is something else. */
export function sortCodeAccountNumber(sortCode: string, accountNumber: string): string | undefined {
  const [sort, number] = [joined(sortCode), joined(accountNumber)];
  return /^\d{6}$/.test(sort) && /^\d{8}$/.test(number) ? sort + number : undefined;
}

/** With the check digits of ISO 13616. `undefined` for everything else. */
export function iban(text: string): string | undefined {
  const plain = inCapitals(text);
  if (!/^[A-Z]{2}(?:0[2-9]|[1-8]\d|9[0-8])[A-Z0-9]{11,30}$/.test(plain)) return undefined;
  const digits = (plain.slice(4) + plain.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(parseInt(letter, 36)));
  return BigInt(digits) % 97n === 1n ? plain : undefined;
}

/** The last four digits of a card number, or of such a text of four digits. `undefined` for everything else. */
export function cardLastFour(text: string): string | undefined {
  const digits = joined(text);
  return /^(?:\d{4}|\d{12,19})$/.test(digits) ? digits.slice(-4) : undefined;
}

/** The number of a payee's account. @returns `undefined` where it is not of its scheme */
export function payeeNumber(scheme: 'sort-code' | 'iban' | 'bban' | 'card', text: string): string | undefined {
  switch (scheme) {
    case 'sort-code': {
      const digits = joined(text);
      return sortCodeAccountNumber(digits.slice(0, 6), digits.slice(6));
    }
    case 'iban':
      return iban(text);
    case 'card':
      return cardLastFour(text);
    case 'bban': {
      const plain = inCapitals(text);
      return /^[A-Z0-9]{1,34}$/.test(plain) ? plain : undefined;
    }
  }
}

const joined = (text: string): string => text.replace(/[\s-]/g, '');

/** ASCII only: other letters would become new ones. */
const inCapitals = (text: string): string => joined(text).replace(/[a-z]/g, (letter) => letter.toUpperCase());
