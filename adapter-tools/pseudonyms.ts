import { createHmac } from 'node:crypto';

/** A date or time with its separators: it identifies no person, and is useless in another form. */
const dated = /^\d{4}-\d{2}(-\d{2}([T ][\d:.]+(Z|[+-]\d\d:?\d\d)?)?)?$/;

/**
 * Replaces the words and numbers of a core by others of the same shape, equal ones by equal ones, under a key that is
 * thrown away. Every value that `keep` does not name is replaced, so the engineer does not have to find all secrets.
 */
export class Pseudonyms {
  private readonly seen = new Set<string>();

  constructor(
    private readonly key: Buffer,
    /** Fields that keep their values: code words, and dates without separators. `sort`, or `payees.sort` for that alone. */
    private readonly keep: ReadonlySet<string>,
  ) {}

  /** A JSON value with each of its strings and numbers replaced; so are names of members that hold a number. */
  json(value: unknown, path: readonly string[] = []): unknown {
    if (Array.isArray(value)) return value.map((item) => this.json(item, path));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          /\d{3}/.test(name) ? this.text(name) : name,
          this.json(inner, [...path, name]),
        ]),
      );
    if (this.isKept(path)) return value;
    if (typeof value === 'number') return this.number(value);
    if (typeof value !== 'string' || dated.test(value)) return value;
    this.seen.add(value);
    return this.text(value);
  }

  /** Whether the text has been replaced as a value: then it is personal wherever it stands. */
  knows(text: string): boolean {
    return this.seen.has(text);
  }

  /** Word by word, so that a name or number is replaced alike wherever it stands. */
  text(text: string): string {
    return text.replaceAll(/[\p{L}\p{M}\p{N}]+/gu, (word) => this.word(word));
  }

  private isKept(path: readonly string[]): boolean {
    return path.some((_, index) => this.keep.has(path.slice(index).join('.')));
  }

  private number(value: number): number {
    if (value === 0 || !Number.isFinite(value)) return value;
    const digits = this.text(String(Math.abs(value)).replace(/e.*$/, ''));
    return Math.sign(value) * Number(digits);
  }

  private word(word: string): string {
    let stream = Buffer.alloc(0);
    const letters = [...word];
    while (stream.length < letters.length)
      stream = Buffer.concat([stream, createHmac('sha256', this.key).update(`${stream.length}|${word}`).digest()]);
    return letters.map((letter, index) => shifted(letter, stream[index] ?? 0, index === 0)).join('');
  }
}

/** Another character of the same kind, never the same one; the first digit of a number stays above zero. */
function shifted(letter: string, by: number, first: boolean): string {
  if (/[0-9]/.test(letter)) {
    const others = (first && letter !== '0' ? '123456789' : '0123456789').replace(letter, '');
    return others[by % others.length] ?? letter;
  }
  for (const alphabet of alphabets)
    if (alphabet.includes(letter)) return alphabet.replace(letter, '')[by % (alphabet.length - 1)] ?? 'x';
  // From another script, so that the character stays outside ASCII.
  const others = 'ÅÉΩЖשصक中'.replace(letter, '');
  return others[by % others.length] ?? 'Ж';
}

const alphabets = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
