import { LRUCache } from 'lru-cache';

/**
 * Keeps at most so many values, and drops the one that was not used for longest. It grows with its content: for an option
 * `max` the library would reserve all its memory at once, so that a gateway would start with 2 MB of empty lists.
 */
export const recentlyUsed = <Value extends object | true>(most: number): LRUCache<string, Value> =>
  new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
