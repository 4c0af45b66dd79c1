/** Replaces all digits of a card number but the last four. */
export const hidden = 'x'.repeat(12);
export const fewestDigits = 13;
/** The lengths of the windows of one start, in the order in which they are tried: the usual ones first. */
const cardLengths = [16, 15, 14, 19, 18, 17, 13] as const;

/**
 * Masks until no candidate is left, because the visible end of a masked number may form a new candidate with its
 * neighbours. A text that still has a candidate after three rounds is hostile: it loses all its digits.
 */
export function maskCards(text: string): string {
  let before = text;
  for (let round = 0; round < 3; round++) {
    const after = before.replace(digitRun, maskRun);
    if (after === before) {
      return after;
    }
    before = after;
  }
  return before.replace(/\p{Nd}/gu, 'x');
}

/**
 * Digits with at most three separators between two of them, and any number of invisible or combining marks (U+200B,
 * U+FE0F).
 */
const digitRun = /\p{Nd}(?:[\p{Cf}\p{M}]*(?:[\p{Zs}\p{Pd}\u2212._/,][\p{Cf}\p{M}]*){0,3}\p{Nd})*/gu;

interface Digits {
  readonly values: readonly number[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** The number of gaps before each digit, and the number of gaps that are not one space or dash. `gaps` also has the end. */
  readonly gaps: readonly number[];
  readonly looseGaps: readonly number[];
}

/** A window over the digits of a run, from `from` to before `to`, that counts as a card number. Rank 1 is the surest. */
interface Candidate {
  readonly from: number;
  readonly to: number;
  readonly rank: number;
}

const separator = /[\p{Zs}\p{Pd}\u2212._/,]/u;
const plainGap = /^[\p{Zs}\p{Pd}\u2212]$/u;

function maskRun(run: string): string {
  if (run.length < fewestDigits) {
    return run;
  }
  const digits = readDigits(run);
  const candidates = findCandidates(digits);
  if (candidates.length === 0) {
    return run;
  }
  return masked(run, digits, hide(digits.values.length, candidates));
}

/** The visible and the hidden digits of a run. */
interface Mask {
  /** The windows that are shown by their last four digits: from each start to its end. */
  readonly ends: ReadonlyMap<number, number>;
  /** For each digit: 0 when it is shown, else the rank of the candidate that hides it. */
  readonly hiddenBy: Uint8Array;
}

function hide(length: number, candidates: readonly Candidate[]): Mask {
  const ends = new Map<number, number>();
  const hiddenBy = new Uint8Array(length);
  for (const { from, to, rank } of candidates) {
    let isFree = true;
    let isEquallySure = true;
    for (let digit = from; digit < to; digit++) {
      const other = hiddenBy[digit];
      isFree &&= other === 0;
      isEquallySure &&= other === 0 || other === rank;
    }
    if (isFree) {
      ends.set(from, to);
    }
    // This candidate is as sure as one that it overlaps, so its digits are hidden as well. A less sure one is treated as
    // chance.
    if (isEquallySure) {
      hiddenBy.fill(rank, from, to);
    }
  }
  return { ends, hiddenBy };
}

function masked(run: string, digits: Digits, { ends, hiddenBy }: Mask): string {
  let text = '';
  let copied = 0;
  for (let digit = 0; digit < digits.values.length;) {
    const end = ends.get(digit) ?? digit + 1;
    if (hiddenBy[digit] !== 0) {
      text += run.slice(copied, digits.starts[digit]);
      text += ends.has(digit) ? hidden + digits.values.slice(end - 4, end).join('') : 'x';
      copied = digits.ends[end - 1] as number;
    }
    digit = end;
  }
  return text + run.slice(copied);
}

function readDigits(run: string): Digits {
  const values: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const gaps = [0];
  const looseGaps = [0];
  let offset = 0;
  let separators = '';
  for (const character of run) {
    const value = digitValue(character);
    if (value !== undefined) {
      const index = values.push(value) - 1;
      starts.push(offset);
      gaps[index] = (gaps[index - 1] ?? 0) + (offset === (ends[index - 1] ?? 0) ? 0 : 1);
      looseGaps[index] = (looseGaps[index - 1] ?? 0) + (separators === '' || plainGap.test(separators) ? 0 : 1);
      ends.push(offset + character.length);
      separators = '';
    } else if (separator.test(character)) {
      separators += character;
    }
    offset += character.length;
  }
  gaps.push((gaps.at(-1) ?? 0) + 1);
  return { values, starts, ends, gaps, looseGaps };
}

/** The candidates of a run, the surest first, and those of one rank from left to right. */
function findCandidates({ values, gaps, looseGaps }: Digits): Candidate[] {
  const count = values.length;
  const sums = luhnSums(values);
  const found: Candidate[] = [];
  for (let from = 0; from + fewestDigits <= count; from++) {
    for (const length of cardLengths) {
      const to = from + length;
      if (to > count || !isLuhnValid(sums, from, to)) {
        continue;
      }
      const hasFullGroups = (from === 0 || gaps[from] !== gaps[from - 1]) && gaps[to] !== gaps[to - 1];
      const sure = hasFullGroups && looseGaps[from] === looseGaps[to - 1];
      const network = isNetworkNumber(length, (values[from] as number) * 10 + (values[from + 1] as number));
      if (sure || network) {
        const rank = !sure ? 4 : length === count ? 1 : network ? 2 : 3;
        found.push({ from, to, rank });
      }
    }
  }
  return found.sort((one, other) => one.rank - other.rank);
}

/**
 * Running sums of the digits by Luhn's rule, so that any window is checked in one step: the first sums double the digits at
 * even places, the second those at odd places.
 */
function luhnSums(values: readonly number[]): readonly [readonly number[], readonly number[]] {
  const evenDoubled = [0];
  const oddDoubled = [0];
  values.forEach((value, index) => {
    const doubled = value > 4 ? value * 2 - 9 : value * 2;
    evenDoubled.push((evenDoubled[index] as number) + (index % 2 === 0 ? doubled : value));
    oddDoubled.push((oddDoubled[index] as number) + (index % 2 === 0 ? value : doubled));
  });
  return [evenDoubled, oddDoubled];
}

/** The last digit of a number counts once, the one before it double, and so on. */
function isLuhnValid(sums: readonly [readonly number[], readonly number[]], from: number, to: number): boolean {
  const sum = to % 2 === 0 ? sums[0] : sums[1];
  return ((sum[to] as number) - (sum[from] as number)) % 10 === 0;
}

/** Whether the card networks issue numbers of this length that begin with these two digits (ISO/IEC 7812). */
function isNetworkNumber(length: (typeof cardLengths)[number], firstTwo: number): boolean {
  const first = Math.floor(firstTwo / 10);
  const isMaestroOrUnionPay = firstTwo === 50 || (firstTwo >= 56 && firstTwo <= 69);
  switch (length) {
    case 13:
      return first === 4;
    case 14:
      return firstTwo === 30 || firstTwo === 36 || firstTwo === 38 || firstTwo === 39;
    case 15:
      return firstTwo === 34 || firstTwo === 37;
    case 16:
      return (first >= 4 && first <= 6) || firstTwo === 35 || (firstTwo >= 22 && firstTwo <= 27);
    case 17:
    case 18:
      return isMaestroOrUnionPay;
    case 19:
      return first === 4 || isMaestroOrUnionPay;
  }
}

/**
 * The value of a decimal digit of any script, undefined for any other character. Unicode lists the ten digits of a script
 * in order, and the sets of one script one after the other.
 */
function digitValue(character: string): number | undefined {
  const code = character.codePointAt(0) as number;
  if (code < 0x80) {
    return code >= 0x30 && code <= 0x39 ? code - 0x30 : undefined;
  }
  if (!/\p{Nd}/u.test(character)) {
    return undefined;
  }
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) {
    first--;
  }
  return (code - first) % 10;
}
