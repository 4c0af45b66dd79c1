const longestName = 100;

/** The script of some languages needs a joiner or non-joiner between two letters (Unicode Standard Annex 31). */
const joinedLetters = /(?<=[\p{L}\p{M}])[\u200c\u200d](?=[\p{L}\p{M}])/gu;
/** Control and format characters, line breaks, half characters, and characters whose picture each font chooses. */
const unusable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/u;
/** Some letters have no picture at all. */
const visible = /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/u;

/**
 * Why customers cannot be shown this name of a TPP or its agent; for the end of a sentence that begins with its member.
 * @param bankName which no TPP may have
 */
export function nameFault(name: string, bankName?: string): string | undefined {
  if (name.length > longestName) return `must have at most ${longestName} characters`;
  if (unusable.test(name.replaceAll(joinedLetters, '')))
    return 'must have no control or format character but a joiner between letters';
  if (!visible.test(name)) return 'must have a letter or a digit';
  return isNameOf(bankName, name) ? 'must not be the name of the bank' : undefined;
}

/** Whether a customer could take the name for the bank's. */
export function isNameOf(bankName: string | undefined, name: string | undefined): boolean {
  return bankName !== undefined && name !== undefined && compared(name) === compared(bankName);
}

/** The letters and digits of the name, in one spelling and case. */
function compared(name: string): string {
  const folded = name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
  return folded.replaceAll(/[^\p{L}\p{M}\p{N}]|\p{Default_Ignorable_Code_Point}/gu, '');
}
