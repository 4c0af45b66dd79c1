import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { BootError } from '../../../config/boot-error.js';
import { checkedBrand, type BrandSettings } from './brand.js';
import { readBrandFile } from './brand-file.js';
import { contrastRatio } from './contrast.js';

function fault(settings: BrandSettings): string {
  try {
    checkedBrand(settings);
  } catch (error) {
    if (error instanceof BootError) return error.message;
    throw error;
  }
  return 'none';
}

describe('the contrast of two colours', () => {
  it('is that of WCAG 2.2, whichever of them is the text', () => {
    expect(contrastRatio('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrastRatio('#ffffff', '#777777')).toBeCloseTo(4.48, 2);
    expect(contrastRatio('#123456', '#123456')).toBe(1);
  });
});

describe('a brand', () => {
  it('needs a name only, and cannot be changed afterwards', () => {
    const brand = checkedBrand({ name: ' Hartwell & Rye ' });
    expect(brand.name).toBe('Hartwell & Rye');
    expect([Object.isFrozen(brand), Object.isFrozen(brand.colours)]).toEqual([true, true]);
  });

  it('is refused when the text of a button could not be read on it, with both colours and a remedy', () => {
    expect(fault({ name: 'Bank', colours: { primary: '#0c3a5b', onPrimary: '#5a7fa0' } })).toBe(
      'brand: colours.onPrimary #5a7fa0 on colours.primary #0c3a5b has a contrast of 2.80:1, and text needs 4.5:1 ' +
        '(WCAG 2.2 AA): make one lighter or the other darker',
    );
  });

  it.each([
    [{ primary: '#e8a200', onPrimary: '#000000' }, 'colours.primary #e8a200 on the light page'],
    [{ primaryInDark: '#0c3a5b', onPrimaryInDark: '#ffffff' }, 'colours.primaryInDark #0c3a5b on the dark page'],
    [{ primaryInDark: '#9fcbf1', onPrimaryInDark: '#ffffff' }, 'colours.onPrimaryInDark #ffffff on'],
  ])('is refused when links or buttons could not be read: %j', (colours, message) => {
    expect(fault({ name: 'Bank', colours })).toContain(message);
  });

  it('is refused with every fault at once when a colour is malformed or the name is missing', () => {
    expect(fault({ name: ' ', colours: { primary: 'red', onPrimary: '#fff' } })).toBe(
      'brand: colours.primary must be a colour such as #0c3a5b; colours.onPrimary must be a colour such as #0c3a5b; ' +
        'name must be 1 to 60 characters',
    );
  });

  it('refuses a colour with an unknown name', () => {
    expect(fault({ name: 'Bank', colours: { secondary: '#000000' } as BrandSettings['colours'] })).toBe(
      'brand: colours.secondary is not a colour of the brand',
    );
  });
});

describe('the file of a brand', () => {
  const folder = mkdtempSync(join(tmpdir(), 'brand-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (content: unknown): string => {
    const path = join(folder, 'brand.json');
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };

  it('gives name, colours, and the logo from the same folder', () => {
    writeFileSync(join(folder, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    const brand = readBrandFile(file({ name: 'Bank', colours: { primary: '#3d1152' }, logo: 'logo.svg' }));
    expect([brand.name, brand.colours.primary, brand.logo?.contentType]).toEqual(['Bank', '#3d1152', 'image/svg+xml']);
    expect(brand.logo?.body.toString()).toContain('<svg');
  });

  it('gives the languages from files in the same folder, each checked', () => {
    writeFileSync(
      join(folder, 'own.json'),
      JSON.stringify({ language: 'en-GB', texts: { 'sign-in.title': 'Log on' } }),
    );
    const { languages } = readBrandFile(file({ name: 'Bank', languages: ['own.json'] }));
    expect(languages.map(({ locale, texts }) => [locale, texts['sign-in.title']])).toEqual([
      ['en-GB', 'Log on'],
      ['cy-GB', 'Mewngofnodi'],
    ]);
  });

  it.each([
    ['{', 'brand: language own.json: the file is not valid JSON'],
    ['[]', 'brand: language own.json: the file must hold a JSON object'],
    ['{"language":"pl"}', 'brand: language own.json: the file must hold "language" and "texts", and nothing else'],
    ['{"language":"pl","texts":{},"name":""}', 'must hold "language" and "texts", and nothing else'],
    ['{"language":"en","texts":{"sign-in.name":"x"}}', 'own.json: sign-in.name is not a text of the pages'],
    ['{"language":"en","texts":{"__proto__":"x"}}', 'own.json: __proto__ is not a text of the pages'],
  ])('is refused with the name of a language file that cannot be used: %s', (content, message) => {
    writeFileSync(join(folder, 'own.json'), content);
    expect(() => readBrandFile(file({ name: 'Bank', languages: ['own.json'] }))).toThrow(message);
  });

  it.each<[unknown, string]>([
    ['{', 'brand: its file is not valid JSON'],
    [[], 'brand: its file must hold a JSON object'],
    [{ name: 'Bank', font: 'Arial' }, 'brand: font is not a setting of the brand’s file'],
    [{ colours: {} }, 'brand: name must be a text'],
    [{ name: 'Bank', startPage: 1 }, 'brand: startPage must be a URL'],
    [{ name: 'Bank', startPage: 'http://bank.example' }, 'brand: startPage must be an https URL'],
    [{ name: 'Bank', startPage: 'https://' }, 'brand: startPage must be an https URL'],
    [{ name: 'Bank', languages: 'own.json' }, 'brand: languages must be a list of paths'],
    [{ name: 'Bank', languages: ['absent.json'] }, 'brand: language absent.json: the file is not readable'],
    [{ name: 'Bank', logo: 'logo.exe' }, 'brand: logo must be one of svg, png, webp'],
    [{ name: 'Bank', logo: 'absent.svg' }, 'brand: logo is not a readable file'],
  ])('is refused, saying why: %j', (content, message) => {
    expect(() => readBrandFile(file(content))).toThrow(expect.objectContaining({ name: 'BootError', message }));
  });

  it('is refused when it is not there', () => {
    expect(() => readBrandFile(join(folder, 'absent.json'))).toThrow('brand: its file is not readable');
  });
});

describe('docs/operate/customers-pages.md', () => {
  const document = readFileSync(join(import.meta.dirname, '../../../../docs/operate/customers-pages.md'), 'utf8');
  const [brandExample = '', languageExample = ''] = [...document.matchAll(/```json\n(.*?)```/gs)].map(
    ([, example]) => example ?? '',
  );

  it('has examples of a brand and of a language that are usable', () => {
    const folder = mkdtempSync(join(tmpdir(), 'brand-'));
    writeFileSync(join(folder, 'brand.json'), brandExample);
    writeFileSync(join(folder, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    writeFileSync(join(folder, 'english.json'), languageExample);
    const { name, languages } = readBrandFile(join(folder, 'brand.json'));
    rmSync(folder, { recursive: true });
    expect([name, languages[0].texts['sign-in.form']]).toEqual(['Hartwell & Rye', 'Log on to {bank}']);
  });
});
