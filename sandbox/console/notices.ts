import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Html } from '../web/html.js';

/** The results of actions. The page after a form shows its result, so each browser sees only its own. */
export class Notices {
  private readonly words = new LRUCache<string, Html>({ max: 100 });

  /** @returns the id under which the next page finds it */
  add(words: Html): string {
    const id = randomUUID();
    this.words.set(id, words);
    return id;
  }

  find(id: string | undefined): Html | undefined {
    return this.words.get(id ?? '');
  }
}
