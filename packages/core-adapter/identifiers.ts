// The forms of the standard's codes. A text of another form is not a code.

/** With the check digits of ISO 17442. `undefined` for everything else. */
export function lei(text: string): string | undefined {
  if (!/^[A-Z0-9]{18}\d{2}$/.test(text)) return undefined;
  const digits = text.replace(/[A-Z]/g, (letter) => String(parseInt(letter, 36)));
  return BigInt(digits) % 97n === 1n ? text : undefined;
}

/** A code of ISO 9362, with a branch or without. `undefined` for everything else. */
export function bic(text: string): string | undefined {
  return /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(text) ? text : undefined;
}

/** Four capital letters or digits, as in the code sets of ISO 20022. `undefined` for everything else. */
export function isoCode(text: string): string | undefined {
  return /^[A-Z0-9]{4}$/.test(text) ? text : undefined;
}
