import { canary } from '../spoil.js';
import type { SecretWord } from '../secret-words.js';
import type { SignOnWorld } from './sign-on-world.js';

/** Words that no fault and no line of an adapter may have. Short ones, which may occur by chance, are omitted. */
export function secretsOf({ signOn, codes }: SignOnWorld): SecretWord[] {
  const { variables, customer, otherCustomer } = signOn;
  const settings = Object.entries(variables).filter(([name]) => /SECRET|PASSWORD|TOKEN|KEY|CREDENTIAL/.test(name));
  const words = [
    { word: canary, what: 'the sign-on’s words' },
    ...settings.map(([name, word]) => ({ word, what: `the value of ${name}` })),
    ...[customer, otherCustomer].flatMap(({ credentials }) => [
      { word: credentials?.loginName ?? '', what: 'a login name' },
      { word: credentials?.password ?? '', what: 'a password' },
    ]),
    ...codes.map((word) => ({ word, what: 'a code' })),
  ];
  return words.filter(({ word }) => word.length >= 5);
}
