import { MerkleTree } from '../../src/trail/merkle.js';
import type { SegmentRoot } from '../../src/trail/root-record.js';
import type { SegmentFile } from '../../src/trail/segment-files.js';
import { linesOf } from '../../src/trail/segment-reader.js';
import { numberIn, readEvent, type StoredEvent } from '../../src/trail/stored-event.js';
import { count } from '../../src/trail/words.js';
import type { TrailFault } from './chain.js';

/** The content of a segment's file as it is now. */
export interface SegmentFacts {
  readonly events: number;
  readonly first?: StoredEvent;
  readonly root: string;
  /** Events that its process could not write, as later ones say. */
  readonly lost: number;
  /** The first place at which the numbers of the events are not one after the other. */
  readonly gap?: string;
  /** It ends with half a line. */
  readonly half: boolean;
}

/** The facts of a segment as it is now: its process may have closed it, and so renamed it, since it was listed. */
export async function factsOf({ path, closedPath }: Pick<SegmentFile, 'path' | 'closedPath'>): Promise<SegmentFacts> {
  return read(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || path === closedPath) throw error;
    return read(closedPath);
  });
}

async function read(path: string): Promise<SegmentFacts> {
  const tree = new MerkleTree();
  const lines = linesOf(path);
  let [events, lost] = [0, 0];
  let gap: string | undefined;
  let first: StoredEvent | undefined;
  for (;;) {
    const { value: line, done } = await lines.next();
    if (done === true)
      return {
        events,
        root: tree.root(),
        lost,
        half: line > 0,
        ...(first && { first }),
        ...(gap !== undefined && { gap }),
      };
    tree.add(line);
    const event = readEvent(line.toString());
    events++;
    if (events === 1) first = event;
    const number = event && numberIn(event, 'seq');
    if (number !== events) gap ??= `line ${events} is ${number === undefined ? 'not an event' : `event ${number}`}`;
    for (const member of ['lost', 'lostBefore']) lost += (event && numberIn(event, member)) ?? 0;
  }
}

/** Compares a segment with its root record. */
export function segmentFault(record: SegmentRoot, facts: SegmentFacts): TrailFault | undefined {
  const { segment, events, root } = record;
  const where = facts.gap === undefined ? '' : `; ${facts.gap}`;
  const difference = facts.events - events + (facts.half ? 1 : 0);
  if (difference > 0)
    return { kind: 'inserted', message: `${segment}: ${inserted(difference)} that its root does not cover${where}` };
  if (difference < 0)
    return {
      kind: 'cut',
      message: `${segment}: ${count(-difference, 'event')} of ${events} ${are(-difference)} missing${where}`,
    };
  if (facts.root === root) return undefined;
  return { kind: 'changed', message: `${segment}: at least one of its ${count(events, 'event')} was changed${where}` };
}

function inserted(lines: number): string {
  return `${count(lines, 'line')} ${lines === 1 ? 'was' : 'were'} inserted`;
}

function are(number: number): string {
  return number === 1 ? 'is' : 'are';
}
