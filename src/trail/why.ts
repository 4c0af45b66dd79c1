import { explain, type Explanation } from './explain.js';
import { searchedWords, type SearchScope, type TrailSearch } from './trail-search.js';

/** The answer to "why": each event with this id, by time. A TPP may use one interaction id for several requests. */
export interface Why {
  readonly id: string;
  readonly explanations: readonly Explanation[];
  readonly searched: SearchScope;
}

/** @param id an interaction id, or the id of an error that a caller received */
export async function why(search: TrailSearch, id: string): Promise<Why> {
  const { events, searched } = await search.find({ members: ['id', 'interactionId', 'errorId'], values: idForms(id) });
  return { id, explanations: events.map(explain), searched };
}

/** A UUID is the same in capitals (RFC 9562, section 4); the trail has the small letters. */
export function idForms(id: string): readonly string[] {
  return [...new Set([id, id.toLowerCase()])];
}

/** One sentence on an id that no event has. */
export function notFound({ id, searched }: Why): string {
  return (
    `No event has the id ${id}. Searched: ${searchedWords(searched)}. ` +
    'A gateway writes an event at most a second after its answer.'
  );
}
