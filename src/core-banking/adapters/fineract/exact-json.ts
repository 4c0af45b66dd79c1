/**
 * JSON with its numbers kept exactly. The runtime reads every number as binary floating point, and Fineract sends
 * money as numbers of up to nineteen digits (`DECIMAL(19,6)`); only newer runtimes show a reviver the text of a number.
 *
 * Whole numbers of at most fifteen digits are exact and stay numbers. Every other number is handed over as its text
 * behind {@link mark}, a control character that no text of a bank begins with.
 */
export const mark = '\u0001';

// A whole string, which is stepped over, or a number by JSON's own grammar: `01.5` is taken apart and does not parse.
const token = /"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const exactAsNumber = /^-?\d{1,15}$/;

/** @throws SyntaxError when it is not JSON. */
export function parseExactly(text: string): unknown {
  const marked = text.replace(token, (part) =>
    part.charCodeAt(0) === quote || exactAsNumber.test(part) ? part : `"\\u0001${part}"`,
  );
  return JSON.parse(marked);
}
const quote = 34;

/** The decimal text of a number that {@link parseExactly} read; `undefined` for everything else. */
export function decimalText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.startsWith(mark) ? value.slice(1) : undefined;
}
