import { describe, expect, it } from '@jest/globals';
import { html } from '../html.js';
import { english } from './english.js';
import { checkedLanguage, sayIn } from './language.js';
import { languagesWith, preferredOf } from './languages.js';

const source = 'brand: language own.json';
const every = languagesWith([]);

function chosen(acceptLanguage?: string, languages = every): string {
  return preferredOf(languages, { ...(acceptLanguage !== undefined && { 'accept-language': acceptLanguage }) }).locale;
}

describe('the language of a page', () => {
  it.each([
    ['cy', 'cy-GB'],
    ['cy-GB,cy;q=0.9,en;q=0.8', 'cy-GB'],
    ['fr;q=1,CY;q=0.5', 'cy-GB'],
    ['en-US,cy;q=0.8', 'en-GB'],
    ['cy;q=0.3,en;q=0.4', 'en-GB'],
    ['cy;q=0', 'en-GB'],
  ])('is the one of ours that the browser likes best: %s', (header, locale) => {
    expect(chosen(header)).toBe(locale);
  });

  it.each([undefined, '', '*', 'fr-FR,fr', ';;q=x', `${'a'.repeat(70_000)}`])(
    'is English where the browser prefers none of ours: %.20s',
    (header) => {
      expect(chosen(header)).toBe('en-GB');
    },
  );
});

describe('a text', () => {
  const say = sayIn(checkedLanguage('english', 'en-GB', english), 'Hartwell & Rye');

  it('has the bank’s name and the page’s values in place of the words in braces', () => {
    expect(say('sign-in.form').toString()).toBe('Sign in to Hartwell &amp; Rye');
    expect(say('code.introduction', { tpp: html`<bdi>${'A<b>'}</bdi>` }).toString()).toBe(
      'This makes sure that it is you who answers <bdi>A&lt;b&gt;</bdi>.',
    );
  });

  it('keeps braces in a value', () => {
    expect(say('code.introduction', { tpp: '{bank}' }).toString()).toBe(
      'This makes sure that it is you who answers {bank}.',
    );
  });
});

describe('a bank’s own language', () => {
  it('replaces single texts of one that we have, and leaves the others', () => {
    const [own, welsh] = languagesWith([{ source, locale: 'en-IE', texts: { 'sign-in.title': 'Log on' } }]);
    expect([own.locale, own.texts['sign-in.title'], own.texts['code.title']]).toEqual([
      'en-IE',
      'Log on',
      english['code.title'],
    ]);
    expect(welsh?.locale).toBe('cy-GB');
  });

  it('can be a new language when it has every text', () => {
    const languages = languagesWith([{ source, locale: 'pl-PL', texts: { ...english, 'sign-in.title': 'Zaloguj' } }]);
    expect(chosen('pl', languages)).toBe('pl-PL');
    expect(chosen('de', languages)).toBe('en-GB');
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['pl-PL', { ...english, 'sign-in.title': undefined }, 'sign-in.title must be words'],
    ['pl-PL', withoutTitle(), 'sign-in.title is missing'],
    ['en-GB', { 'sign-in.titel': 'Log on' }, 'sign-in.titel is not a text of the pages'],
    ['en-GB', { constructor: 'x' }, 'constructor is not a text of the pages'],
    ['en-GB', { 'sign-in.title': ' ' }, 'sign-in.title must be words'],
    ['en-GB', { 'code.introduction': 'For {app}' }, 'code.introduction must have {tpp}, and has {app}'],
    ['en-GB', { 'code.introduction': 'For it' }, 'code.introduction must have {tpp}, and has none'],
    ['en-GB', { 'sign-in.title': 'For {tpp}' }, 'sign-in.title must have no words in braces, and has {tpp}'],
    ['english', {}, 'language must be a BCP 47 tag whose dates Node.js knows, such as pl-PL, and is "english"'],
    ['e n', {}, 'language must be a BCP 47 tag whose dates Node.js knows, such as pl-PL, and is "e n"'],
  ])('is refused with the fault: %s %j', (locale, texts, fault) => {
    expect(() => languagesWith([{ source, locale, texts }])).toThrow(
      expect.objectContaining({ name: 'BootError', message: expect.stringContaining(fault) }),
    );
  });
});

function withoutTitle(): Record<string, unknown> {
  const { 'sign-in.title': _title, ...others } = english;
  return others;
}
