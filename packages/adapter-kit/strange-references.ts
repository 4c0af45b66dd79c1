export const strangeRefs = [
  'no-such-account',
  '999999999',
  '..',
  '../..',
  '%2e%2e',
  '?x=1',
  '#',
  'Ä '.repeat(60),
  '0',
  '-1',
  '1e3',
];

/** References that become this one where blanks are trimmed, percent signs decoded, letters folded or paths resolved. */
export function alike(ref: string): string[] {
  const coded = [...ref].map((character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
  const wide = [...ref].map((character) => (/[!-~]/.test(character) ? wideForm(character) : character)).join('');
  return [
    ref === ref.toUpperCase() ? ref.toLowerCase() : ref.toUpperCase(),
    `${ref} `,
    ` ${ref}`,
    coded,
    wide,
    `0${ref}`,
    `${ref}?x=1`,
    `${ref}/../${ref}`,
  ];
}

/** The full-width form, which Unicode's compatible normalisation (NFKC) folds into the character. */
function wideForm(character: string): string {
  return String.fromCharCode(character.charCodeAt(0) + 0xfee0);
}
