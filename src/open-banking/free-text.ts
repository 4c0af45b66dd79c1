import { fewestDigits, hidden, maskCards } from './card-numbers.js';

/**
 * Free text of the core as TPPs may see it: card numbers masked, control characters removed, trimmed, and cut to
 * `maxLength` UTF-16 units (so never more than that many characters) without splitting a character or a mask.
 *
 * A card number is a Luhn-valid window of 13 to 19 decimal digits of any script, plain or separated by spaces or dashes.
 * Each becomes `xxxxxxxxxxxx` and its last four digits, whatever its length. Where in doubt it masks:
 * - Within digits in groups, any window of whole groups counts, so a number is found next to a date or another number.
 * - A window that cuts a group in two (a number joined to other digits, or inside 20 digits or more), or that contains
 * other separators (dots, slashes, several spaces), counts when its first digits and length belong to a card network.
 * Without that condition every long reference would lose digits: one window in ten is Luhn-valid by chance.
 * - When two candidates overlap, the surer one is masked. When they are equally sure, every digit of both is hidden.
 *
 * Luhn-valid digits of an IBAN or a reference are masked too, because they cannot be distinguished from a card number here.
 */
export function freeText(text: string, maxLength = Number.POSITIVE_INFINITY): string {
  const masked = mayNeedWork(text) ? maskCards(withoutControls(text)) : text;
  const trimmed = masked.trim();
  // A cut through a long run of digits can leave a Luhn-valid rest.
  return trimmed.length <= maxLength ? trimmed : cut(maskCards(cut(trimmed, maxLength)), maxLength);
}

/** {@link freeText}, absent where it would be empty. */
export function optionalText(text: string | undefined, maxLength: number): string | undefined {
  return freeText(text ?? '', maxLength) || undefined;
}

/**
 * The mask of a card number of which only the last four digits are known.
 * @throws RangeError when they are not four digits, so that no more of a number can pass. The value is not in the message.
 */
export function maskedCard(lastFour: string): string {
  if (!/^\d{4}$/.test(lastFour)) {
    throw new RangeError('The last digits of a card are not four digits.');
  }
  return hidden + lastFour;
}

/**
 * A payment reference within the standard's length: at most 35 characters, no character cut in two. Absent when the core
 * has none.
 */
export function paymentReference(text: string | undefined): string | undefined {
  return cut(text?.trim() ?? '', 35) || undefined;
}

/** The standard's limit of `TransactionInformation`. */
const informationLength = 500;

/**
 * The description of a transaction followed by its day `YYYY-MM-DD`, at most 500 characters: the description is cut, the
 * day never. Without a day, the description alone; absent when both are.
 */
export function transactionInformation(description: string | undefined, day: string | undefined): string | undefined {
  if (day === undefined) {
    return freeText(description ?? '', informationLength) || undefined;
  }
  const text = freeText(description ?? '', informationLength - day.length - 1);
  return text === '' ? day : `${text} ${day}`;
}

/** False for the ordinary row: plain ASCII with too few digits for a card number. */
function mayNeedWork(text: string): boolean {
  let digits = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || unit > 0x7e) {
      return true;
    }
    if (unit >= 0x30 && unit <= 0x39) {
      digits++;
    }
  }
  return digits >= fewestDigits;
}

/** Before masking, so that no control character hides a number. Line breaks and tabs separate words, so they become a space. */
function withoutControls(text: string): string {
  return text
    .replace(/[\t-\r\u0085\u2028\u2029]+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .replace(/\p{Cs}/gu, '\ufffd');
}

/** Cuts to at most `maxLength` units, and further back where that would split a mask or a surrogate pair. */
function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) {
    return text;
  }
  const mask = text.lastIndexOf(hidden, maxLength - 1);
  let end = maxLength;
  if (mask >= 0 && mask + hidden.length + 4 > maxLength) {
    end = mask;
  } else if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) {
    end--;
  }
  return text.slice(0, end).trimEnd();
}
