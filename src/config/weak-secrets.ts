import { howToMakeSecret } from './secrets.js';
import { listOf } from './setting-kinds.js';
import { isSecretSetting, secretSettings } from './setting-names.js';

/** The secrets on which the gateway's own protection rests. The core and the database decide how strong their passwords are. */
const ours = secretSettings.filter((name) => name !== 'DATABASE_URL');

/** 32 random digits of 16 kinds have fewer than this in one case of ten million. */
const fewestCharacters = 8;
const placeholder = /^(change[-_ ]?me|replace[-_ ]?me|secret|passw|default|example|placeholder|your[-_ ])/i;

/** Adds a line to `faults` for each secret that can be guessed, and for each two secrets that are equal. */
export function refuseWeakSecrets(given: Readonly<Record<string, string>>, faults: string[]): void {
  for (const name of ours)
    for (const value of listOf(given[name] ?? '')) {
      const weakness = weaknessOf(value);
      if (weakness !== undefined) faults.push(`${name} ${weakness}: ${howToMakeSecret}`);
    }
  const secrets = Object.keys(given)
    .filter((name) => isSecretSetting(name) && name !== 'DATABASE_URL')
    .sort()
    .flatMap((name) => listOf(given[name] ?? '').map((value) => ({ name, value })))
    .filter(({ value }) => value !== '');
  secrets.forEach(({ name, value }, index) => {
    const twin = secrets.slice(0, index).find((other) => other.value === value);
    if (twin !== undefined)
      faults.push(
        twin.name === name
          ? `${name} has one secret twice: remove one of them`
          : `${twin.name} and ${name} are equal: a person who learns one would have both; ${howToMakeSecret}`,
      );
  });
}

/** The middle of a sentence, without the value; `undefined` for a secret that is absent or strong. */
export function weaknessOf(value: string): string | undefined {
  if (value === '') return undefined;
  if (placeholder.test(value)) return 'is a placeholder';
  if (new Set(value).size < fewestCharacters) return `has fewer than ${fewestCharacters} different characters`;
  return repeats(value) ? 'repeats itself' : undefined;
}

/** Whether the text repeats one beginning, such as `0123456789abcdef0123456789abcdef`. */
function repeats(value: string): boolean {
  for (let length = 1; length <= value.length / 2; length++) if (value.startsWith(value.slice(length))) return true;
  return false;
}
