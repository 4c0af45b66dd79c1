import { canary } from './spoil.js';
import { settingsOf, type World } from './world.js';

export interface SecretWord {
  readonly word: string;
  /** As the object of a sentence. */
  readonly what: string;
}

/** Words that no message and no line of output may contain. Short ones, which may occur by chance, are omitted. */
export function secretWords({ core, proxy, subjects }: World): SecretWord[] {
  const { variables } = settingsOf(core, proxy.origin);
  const secrets = Object.entries(variables).filter(([name]) => /SECRET|PASSWORD|TOKEN|KEY|CREDENTIAL|USER/.test(name));
  const words = [
    { word: canary, what: 'text of the request or of the core’s answer' },
    ...secrets.map(([name, word]) => ({ word, what: `the value of ${name}` })),
    ...subjects.flatMap(({ customerRef, accountRef, truth }) => [
      { word: customerRef, what: 'a customer’s reference' },
      { word: accountRef, what: 'an account’s reference' },
      ...[truth.account.accountNumber, truth.account.iban].map((word) => ({
        word: word ?? '',
        what: 'an account number',
      })),
      ...[...(truth.party ?? []).map(({ name }) => name), ...(truth.holderNames ?? [])].map((name) => ({
        word: name ?? '',
        what: 'a name',
      })),
    ]),
  ];
  return words.filter(({ word }) => word.length >= 5);
}
