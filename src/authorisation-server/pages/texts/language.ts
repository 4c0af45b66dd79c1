import { BootError } from '../../../config/boot-error.js';
import { html, type Html, type HtmlValue } from '../html.js';
import { english } from './english.js';

export type Text = keyof typeof english;
/** A language has every text: one that is missing does not compile. */
export type Texts = Readonly<Record<Text, string>>;

/** A language of the pages. Made by {@link checkedLanguage} only. */
export interface Language {
  /** BCP 47: of the document, and of its dates and lists. */
  readonly locale: string;
  readonly texts: Texts;
}

/** The words in braces of a text. */
type Braced<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Braced<Rest> : never;
/** The words for which the page must give a value. */
type Wanted<T extends Text> = Exclude<Braced<(typeof english)[T]>, 'bank'>;

/** The text in the page's language, with its values; they are escaped like every value of {@link html}. */
export type Say = <T extends Text>(
  text: T,
  ...values: [Wanted<T>] extends [never] ? [] : [values: Readonly<Record<Wanted<T>, HtmlValue>>]
) => Html;

export function sayIn({ texts }: Language, bank: string): Say {
  return (text, ...[values]) => filled(texts[text], { bank, ...values });
}

const braces = /\{([^{}]*)\}/;

function filled(text: string, values: Readonly<Record<string, HtmlValue>>): Html {
  // Split by a pattern with a group: every second part is a word in braces.
  return html`${text.split(braces).map((part, index) => (index % 2 === 0 ? part : values[part]))}`;
}

/**
 * The language, checked against English: it has the same texts, and in each the same words in braces.
 *
 * @throws BootError with every fault
 */
export function checkedLanguage(source: string, locale: string, texts: Readonly<Record<string, unknown>>): Language {
  const faults = [
    ...localeFaults(locale),
    ...Object.keys(english).flatMap((text) => (text in texts ? [] : `${text} is missing`)),
    ...Object.entries(texts).flatMap(([text, words]) => textFaults(text, words)),
  ];
  if (faults.length > 0) throw new BootError(`${source}: ${faults.join('; ')}`);
  return Object.freeze({ locale, texts: Object.freeze(texts as Texts) });
}

function localeFaults(locale: string): string[] {
  try {
    if (Intl.DateTimeFormat.supportedLocalesOf(locale).length > 0) return [];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return [`language must be a BCP 47 tag whose dates Node.js knows, such as pl-PL, and is ${JSON.stringify(locale)}`];
}

function textFaults(text: string, words: unknown): string[] {
  if (!Object.hasOwn(english, text)) return [`${text} is not a text of the pages`];
  if (typeof words !== 'string' || words.trim() === '') return [`${text} must be words`];
  const [given, wanted] = [bracedIn(words), bracedIn(english[text as Text])];
  return given === wanted ? [] : [`${text} must have ${wanted || 'no words in braces'}, and has ${given || 'none'}`];
}

/** Each once, in alphabetical order. */
function bracedIn(words: string): string {
  return [...new Set(words.match(new RegExp(braces, 'g')))].sort().join(' ');
}
