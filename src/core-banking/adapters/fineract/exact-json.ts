/**
 * JSON with its numbers kept exactly. The runtime reads every number as binary floating point, and Fineract sends
 * money as numbers of up to nineteen digits (`DECIMAL(19,6)`); only newer runtimes show a reviver the text of a number.
 *
 * Whole numbers of at most fifteen digits are exact and stay numbers. Every other number is handed over as its text
 * behind {@link mark}, a control character that no text of a bank begins with.
 */
export const mark = '\u0001';

/** A number by JSON's own grammar: `01.5` is taken apart, and does not parse. */
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const exactAsNumber = /^-?\d{1,15}$/;

/**
 * Scanned by hand: a pattern that steps over strings, too, costs twice as much as the parsing itself.
 *
 * @throws SyntaxError when it is not JSON.
 */
export function parseExactly(text: string): unknown {
  let marked = '';
  let copied = 0;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === minus || (code >= zero && code <= nine)) {
      number.lastIndex = at;
      const [found = '-'] = number.exec(text) ?? [];
      if (!exactAsNumber.test(found) && found !== '-') {
        marked += `${text.slice(copied, at)}"\\u0001${found}"`;
        copied = at + found.length;
      }
      at += found.length;
    } else at++;
  }
  return JSON.parse(marked + text.slice(copied));
}
const [quote, minus, zero, nine] = [34, 45, 48, 57] as const;

/** The place after the string that begins at `from`; the end of the text where it does not end. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
  return text.length;
}

/** The decimal text of a number that {@link parseExactly} read; `undefined` for everything else. */
export function decimalText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.startsWith(mark) ? value.slice(1) : undefined;
}
