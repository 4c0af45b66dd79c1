import { MerkleTree } from '../../src/trail/merkle.js';
import type { SegmentRoot } from '../../src/trail/root-record.js';
import { numberIn, readEvent } from '../../src/trail/stored-event.js';
import { count } from '../../src/trail/words.js';
import type { TrailFault } from './chain.js';
import { segmentLines } from './segment-lines.js';

/** The content of a segment's file as it is now. */
export interface SegmentContent {
  readonly events: number;
  readonly root: string;
  /** Events that its process could not write, as later ones say. */
  readonly lost: number;
  /** The first place at which the numbers of the events are not one after the other. */
  readonly gap?: string;
  /** It ends with half a line. */
  readonly half: boolean;
}

export async function contentOf(path: string): Promise<SegmentContent> {
  const tree = new MerkleTree();
  let [events, lost, half] = [0, 0, false];
  let gap: string | undefined;
  for await (const { line, whole } of segmentLines(path)) {
    half = !whole;
    if (half) break;
    tree.add(line);
    const event = readEvent(line.toString());
    events++;
    const number = event && numberIn(event, 'seq');
    if (number !== events) gap ??= `line ${events} is ${number === undefined ? 'no event' : `event ${number}`}`;
    lost += (event && numberIn(event, 'lost')) ?? 0;
  }
  return { events, root: tree.root(), lost, half, ...(gap !== undefined && { gap }) };
}

/** Compares a segment with its root record. */
export function segmentFault(record: SegmentRoot, content: SegmentContent): TrailFault | undefined {
  const { segment, events, root } = record;
  const where = content.gap === undefined ? '' : `; ${content.gap}`;
  const difference = content.events - events + (content.half ? 1 : 0);
  if (difference > 0)
    return { kind: 'inserted', message: `${segment}: ${inserted(difference)} that its root does not cover${where}` };
  if (difference < 0)
    return {
      kind: 'cut',
      message: `${segment}: ${count(-difference, 'event')} of ${events} ${are(-difference)} missing${where}`,
    };
  if (content.root === root) return undefined;
  return { kind: 'changed', message: `${segment}: at least one of its ${count(events, 'event')} was changed${where}` };
}

function inserted(lines: number): string {
  return `${count(lines, 'line')} ${lines === 1 ? 'was' : 'were'} inserted`;
}

function are(number: number): string {
  return number === 1 ? 'is' : 'are';
}
