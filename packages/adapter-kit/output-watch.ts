import type { SecretWord } from './secret-words.js';

/** Looks for words in the output of this process, which also goes through a test runner's own console. */
export class OutputWatch {
  private readonly restore: (() => void)[] = [];
  /** The kind of the first word that was found. */
  found: string | undefined;

  /** @param words asked at each line: more may become known */
  constructor(private readonly words: () => readonly SecretWord[]) {
    this.wrap(process.stdout, 'write');
    this.wrap(process.stderr, 'write');
    for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const) this.wrap(console, name);
  }

  end(): void {
    for (const restore of this.restore) restore();
  }

  private wrap<K extends string>(target: Record<K, (...given: never[]) => unknown>, name: K): void {
    const original = target[name];
    target[name] = (...given: never[]) => {
      const text = given.map(String).join(' ');
      const leak = this.words().find(({ word }) => text.includes(word));
      this.found ??= leak?.what;
      return original.apply(target, leak === undefined ? given : (['(withheld by the adapter kit)\n'] as never[]));
    };
    this.restore.push(() => (target[name] = original));
  }
}
