/** Sort code and bank code of the sandbox bank: neither belongs to a real one. */
export const sandboxSortCode = '089999';
const sandboxBankCode = 'SBOX';

/** The IBAN of a British account (ISO 13616): bank code, sort code, account number, with its check digits. */
export function britishIban(accountNumber: string, sortCode = sandboxSortCode, bankCode = sandboxBankCode): string {
  const bban = bankCode + sortCode + accountNumber;
  return `GB${String(98n - mod97(`${bban}GB00`)).padStart(2, '0')}${bban}`;
}

/** ISO 7064 MOD 97-10 over an IBAN whose first four characters have been moved to its end: 1 for a valid one. */
export function mod97(rearranged: string): bigint {
  return BigInt(rearranged.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))) % 97n;
}

/** A card number from all its digits but the last, which is the Luhn check digit (ISO/IEC 7812-1). */
export function cardNumber(allButLast: string): string {
  for (let check = 0; check <= 9; check++) {
    if (isLuhnValid(`${allButLast}${check}`)) return `${allButLast}${check}`;
  }
  throw new Error('a card number needs digits');
}

export function isLuhnValid(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
