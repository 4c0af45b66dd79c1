import { randomUUID } from 'node:crypto';
import type { Html } from '../web/html.js';

const kept = 100;

/** The results of actions. The page after a form shows its result, so each browser sees only its own. */
export class Notices {
  private readonly words = new Map<string, Html>();

  /** @returns the id under which the next page finds it */
  add(words: Html): string {
    const [oldest] = this.words.keys();
    if (this.words.size >= kept && oldest !== undefined) this.words.delete(oldest);
    const id = randomUUID();
    this.words.set(id, words);
    return id;
  }

  find(id: string | undefined): Html | undefined {
    return id === undefined ? undefined : this.words.get(id);
  }
}
