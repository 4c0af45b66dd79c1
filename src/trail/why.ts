import { explain, type Explanation } from './explain.js';
import { numberIn, textIn, type StoredEvent } from './stored-event.js';
import { lookedWords, type Looked, type TrailSearch } from './trail-search.js';

/** The answer to "why": each event with this id, by time. A TPP may use one interaction id for several requests. */
export interface Why {
  readonly id: string;
  readonly explanations: readonly Explanation[];
  readonly looked: Looked;
}

/** @param id an interaction id, or the id of an error that a caller received */
export async function why(search: TrailSearch, id: string): Promise<Why> {
  const { events, looked } = await search.find({ members: ['id', 'interactionId', 'errorId'], values: [id] });
  return { id, explanations: withTheirEnds(events).map(explain), looked };
}

/** One sentence on an id that no event has. */
export function notFound({ id, looked }: Why): string {
  return (
    `No event has the id ${id}. The search looked in ${lookedWords(looked)}. ` +
    'A gateway writes an event at most a second after its answer.'
  );
}

/**
 * A gateway that writes the event before the answer states the end of the answer in a second event, `sent`: its members
 * belong to the request.
 */
export function withTheirEnds(events: readonly StoredEvent[]): readonly StoredEvent[] {
  const whole: StoredEvent[] = [];
  for (const event of events) {
    const begun = textIn(event, 'kind') === 'sent' ? whole.findIndex((each) => isEndOf(event, each)) : -1;
    if (begun < 0) whole.push(event);
    else {
      const { lastByteMs, bytes, status } = event;
      whole[begun] = { ...whole[begun], lastByteMs, bytes, ...(status !== undefined && { status }) };
    }
  }
  return whole;
}

function isEndOf(sent: StoredEvent, event: StoredEvent): boolean {
  return (
    textIn(event, 'kind') === 'request' &&
    numberIn(event, 'lastByteMs') === undefined &&
    textIn(event, 'id') === textIn(sent, 'id') &&
    textIn(event, 'instance') === textIn(sent, 'instance')
  );
}
