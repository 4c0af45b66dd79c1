/**
 * Whether a TPP knows the name of an account: that of a holder, or those of all holders in the bank's order. Case, spaces and
 * punctuation do not count.
 */
export function isNameOfAccount(stated: string, holderNames: readonly string[]): boolean {
  const name = folded(stated);
  return name !== '' && [...holderNames, holderNames.join('')].some((holder) => folded(holder) === name);
}

function folded(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '');
}
