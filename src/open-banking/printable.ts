/**
 * Characters that change how a terminal or a page shows the text around them: the controls of ASCII and of ISO 6429 (C0, C1),
 * and the marks of writing direction (Unicode, UAX 9).
 */
const unprintable = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const eachUnprintable = new RegExp(unprintable, 'gu');

/** The text with a sign in place of each such character. */
export function printable(text: string): string {
  return text.replaceAll(eachUnprintable, '\ufffd');
}

/** The same for a text of several lines, which stay. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** JSON of the value, in which such characters are escaped: a program reads them as they are. */
export function printableJson(value: unknown, indent = 0): string {
  const controls = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
  return JSON.stringify(value, undefined, indent).replaceAll(controls, escaped);
}

/** JSON of the value with a sign in place of each such character, for a file that people will read. */
export function cleanJson(value: unknown): string {
  const json = JSON.stringify(value);
  // Nearly every value has none; JSON writes those of ASCII as an escape.
  if (!unprintable.test(json) && !/\\[bfnrtu]/.test(json)) return json;
  return JSON.stringify(value, (_, member: unknown) => (typeof member === 'string' ? printable(member) : member));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
