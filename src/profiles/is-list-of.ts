import { ValidateBy } from 'class-validator';

/** A list of different words of the given ones. Its fault names the word that is wrong. */
export function IsListOf(words: readonly string[]): PropertyDecorator {
  return ValidateBy({
    name: 'isListOf',
    validator: {
      validate: (value: unknown) => faultOf(value, words) === undefined,
      defaultMessage: (given) => faultOf(given?.value, words) ?? '',
    },
  });
}

function faultOf(value: unknown, words: readonly string[]): string | undefined {
  if (!Array.isArray(value)) return 'must be a list';
  const listed: readonly unknown[] = value;
  const unknown = listed.find((one) => !(words as readonly unknown[]).includes(one));
  if (unknown !== undefined) return `must not hold ${JSON.stringify(unknown)}, but only ${words.join(', ')}`;
  return new Set(listed).size === listed.length ? undefined : 'must not hold a word twice';
}
