import { BootError } from '../../../config/boot-error.js';
import { contrastRatio, isHexColour, textContrast, type HexColour } from './contrast.js';
import { languagesWith, type BankLanguage } from '../texts/languages.js';
import type { Language } from '../texts/language.js';
import { darkPalette, lightPalette } from './palette.js';

/** How the bank looks on its customers' pages. Made by {@link checkedBrand} only. */
export interface Brand {
  /** As customers know the bank. */
  readonly name: string;
  readonly colours: BrandColours;
  /** Shown in the masthead, on `colours.primary`, in place of the name; at most 240 by 40 CSS pixels. */
  readonly logo?: BrandLogo;
  /** The customers' start page: a page without any other way on has a link to it. */
  readonly startPage?: string;
  /** The languages of its pages. A customer who prefers none of them gets the first. */
  readonly languages: readonly [Language, ...Language[]];
}

export interface BrandColours {
  /** Masthead and main buttons; and links, on the light pages. */
  readonly primary: HexColour;
  /** Text on `primary`. */
  readonly onPrimary: HexColour;
  /** Main buttons and links where the customer's device asks for dark pages. */
  readonly primaryInDark: HexColour;
  /** Text on `primaryInDark`. */
  readonly onPrimaryInDark: HexColour;
}

export interface BrandLogo {
  readonly contentType: LogoType;
  readonly body: Buffer;
}

/** The kinds of image that may be a logo, each with the ending of its file's name. */
export const logoTypes = { 'image/svg+xml': 'svg', 'image/png': 'png', 'image/webp': 'webp' } as const;
export type LogoType = keyof typeof logoTypes;

export interface BrandSettings {
  readonly name: string;
  /** A colour that is omitted has its default. */
  readonly colours?: Partial<Record<keyof BrandColours, string>>;
  readonly logo?: BrandLogo;
  readonly startPage?: string;
  /** The bank's texts, in addition to ours. */
  readonly languages?: readonly BankLanguage[];
}

const defaultColours: BrandColours = {
  primary: '#0c3a5b',
  onPrimary: '#ffffff',
  primaryInDark: '#9fcbf1',
  onPrimaryInDark: '#0c1a27',
};

/**
 * The brand, checked and frozen.
 *
 * @throws BootError with every fault, such as a text that cannot be read on its ground (WCAG 2.2 AA, 4.5:1).
 */
export function checkedBrand(settings: BrandSettings): Brand {
  const given = { ...defaultColours, ...settings.colours };
  const faults = Object.entries(given).flatMap(([name, colour]) =>
    !(name in defaultColours)
      ? `colours.${name} is not a colour of the brand`
      : !isHexColour(colour)
        ? `colours.${name} must be a colour such as ${defaultColours.primary}`
        : [],
  );
  const colours = given as BrandColours;
  if (faults.length === 0) faults.push(...unreadable(colours));
  // eslint-disable-next-line no-control-regex -- it refuses control characters
  if (!/^[^\x00-\x1f\x7f]{1,60}$/u.test(settings.name.trim())) faults.push('name must be 1 to 60 characters');
  const { startPage } = settings;
  if (startPage !== undefined && !isWebAddress(startPage)) faults.push('startPage must be an https URL');
  if (faults.length > 0) throw new BootError(`brand: ${faults.join('; ')}`);
  return Object.freeze<Brand>({
    name: settings.name.trim(),
    colours: Object.freeze(colours),
    ...(settings.logo && { logo: Object.freeze(settings.logo) }),
    ...(startPage !== undefined && { startPage }),
    languages: languagesWith(settings.languages ?? []),
  });
}

function isWebAddress(text: string): boolean {
  return text.startsWith('https://') && URL.canParse(text);
}

/** The pairs of text and ground whose contrast is too low. */
function unreadable({ primary, onPrimary, primaryInDark, onPrimaryInDark }: BrandColours): string[] {
  const pairs: readonly [string, HexColour, string, HexColour][] = [
    ['colours.onPrimary', onPrimary, 'colours.primary', primary],
    ['colours.primary', primary, 'the light page', lightPalette.page],
    ['colours.onPrimaryInDark', onPrimaryInDark, 'colours.primaryInDark', primaryInDark],
    ['colours.primaryInDark', primaryInDark, 'the dark page', darkPalette.inset],
  ];
  return pairs
    .filter(([, text, , ground]) => contrastRatio(text, ground) < textContrast)
    .map(
      ([textName, text, groundName, ground]) =>
        `${textName} ${text} on ${groundName} ${ground} has a contrast of ${roundedDown(contrastRatio(text, ground))}:1, ` +
        `and text needs ${textContrast}:1 (WCAG 2.2 AA): make one lighter or the other darker`,
    );
}

/** Rounds down, so that a contrast that fails never looks like one that passes. */
function roundedDown(ratio: number): string {
  return (Math.floor(ratio * 100) / 100).toFixed(2);
}
