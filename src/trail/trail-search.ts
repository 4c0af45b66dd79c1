import type { StoredEvent } from './stored-event.js';
import { count } from './words.js';

/** The members of events by which a trail is searched. */
export type SearchedMember = 'id' | 'interactionId' | 'errorId' | 'customer' | 'consent';

/** The events that have one of the values in one of the members. */
export interface TrailQuestion {
  readonly members: readonly SearchedMember[];
  readonly values: readonly string[];
  /** Only events of this kind. */
  readonly kind?: string;
  /** ISO 8601, UTC: the first instant of the time that is asked for. */
  readonly from?: string;
  /** The first instant after it. */
  readonly to?: string;
}

export interface SearchResult {
  /** By time. */
  readonly events: readonly StoredEvent[];
  readonly searched: SearchScope;
}

/** The instances, days and events that a search read. */
export interface SearchScope {
  readonly instances: readonly string[];
  readonly days: readonly string[];
  /** Events of segments that their processes still write. */
  readonly openEvents: number;
  /** Days of the asked time of which not all events could be searched, each `dropped` or `incomplete`. */
  readonly unsearched?: readonly { readonly day: string; readonly state: string }[];
  /** The database did not say which segments there are. */
  readonly rootsUnread?: true;
  /** The limit at which the search stopped; absent where it read every event of the time. */
  readonly limit?: string;
}

/** A way to find events: an index of the tools, or a scan of the latest segments of a gateway. */
export interface TrailSearch {
  find(question: TrailQuestion): Promise<SearchResult>;
}

/** `3 instances (a, b, c), on 12 days from 2026-11-12 to 2026-11-24, with 4,211 events of open segments`. */
export function searchedWords({ instances, days, openEvents, limit }: SearchScope): string {
  const sorted = [...days].sort();
  const [first, last] = [sorted[0], sorted.at(-1)];
  const span = first === last ? `on ${first}` : `on ${count(sorted.length, 'day')} from ${first} to ${last}`;
  if (first === undefined) return `no segment${limit === undefined ? '' : `, ${limit}`}`;
  const open = openEvents === 0 ? 'no event of an open segment' : `${count(openEvents, 'event')} of open segments`;
  return (
    `${count(instances.length, 'instance')} (${instances.join(', ')}), ${span}, with ${open}` +
    (limit === undefined ? '' : `, and not further: ${limit}`)
  );
}
