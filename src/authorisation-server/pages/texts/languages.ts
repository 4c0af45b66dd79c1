import Negotiator from 'negotiator';
import { english } from './english.js';
import { checkedLanguage, type Language } from './language.js';
import { welsh } from './welsh.js';

/** A language file of the bank: other words for some texts of a language of ours, or every text of a new language. */
export interface BankLanguage {
  /** Names the file in a fault. */
  readonly source: string;
  readonly locale: string;
  readonly texts: Readonly<Record<string, unknown>>;
}

const ours: readonly [Language, ...Language[]] = [
  checkedLanguage('english', 'en-GB', english),
  checkedLanguage('welsh', 'cy-GB', welsh),
];

/**
 * English comes first: a customer who prefers none of the languages gets it. Each language occurs once, whatever its country.
 *
 * @throws BootError when one is not usable
 */
export function languagesWith(languages: readonly BankLanguage[]): readonly [Language, ...Language[]] {
  return languages.reduce((all, { source, locale, texts }) => {
    const at = all.findIndex((language) => primaryTag(language) === primaryTag({ locale }));
    const language = checkedLanguage(source, locale, { ...all[at]?.texts, ...texts });
    const [first, ...others] = at < 0 ? [...all, language] : all.with(at, language);
    return [first ?? language, ...others];
  }, ours);
}

/** The one that the browser likes best: RFC 9110, section 12.5.4. */
export function preferredOf<L extends Pick<Language, 'locale'>>(
  languages: readonly [L, ...L[]],
  headers: Readonly<Record<string, string | string[] | undefined>>,
): L {
  const preferred = new Negotiator({ headers }).language(languages.map(primaryTag));
  return languages.find((language) => primaryTag(language) === preferred) ?? languages[0];
}

/** RFC 5646, section 2.2.1: the part that names the language itself. */
function primaryTag({ locale }: Pick<Language, 'locale'>): string {
  return locale.split('-', 1).join('').toLowerCase();
}
