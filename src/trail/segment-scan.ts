import { RequestAbandoned } from '../core-banking/guarded-reads.js';
import { RefusedFile } from './regular-file.js';
import { segmentFiles, type SegmentFile } from './segment-files.js';
import { linesOf } from './segment-reader.js';
import { readEvent, textIn, type StoredEvent } from './stored-event.js';
import type { SearchResult, TrailQuestion, TrailSearch } from './trail-search.js';

/** How much of its trail a gateway looks through for one question: about half a million events. */
const mostBytes = 256 * 1_024 * 1_024;
const mostEvents = 10_000;

/**
 * Looks through the latest segments in a gateway's own folder, line by line, with no index and no engine. It ends at a limit
 * and says so: `npm run ops -- trail` searches the whole trail, of every machine. One look goes on at a time, so that several
 * questions do not take the processor from the TPPs' requests.
 */
export class SegmentScan {
  private before: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly folder: string,
    private readonly limits = { mostBytes, mostEvents },
  ) {}

  /**
   * The search for one caller.
   * @param caller ends its questions where the caller leaves, also those that wait for others
   */
  by(caller: AbortSignal): TrailSearch {
    return {
      find: (question) => {
        const found = this.before.then(() => this.look(question, caller));
        this.before = found.catch(() => undefined);
        return found.catch((error: unknown) => {
          throw caller.aborted ? new RequestAbandoned() : error;
        });
      },
    };
  }

  private async look(question: TrailQuestion, caller: AbortSignal): Promise<SearchResult> {
    caller.throwIfAborted();
    const { limits } = this;
    const latestFirst = (await this.segments()).filter((segment) => mayHold(segment, question)).reverse();
    const events: StoredEvent[] = [];
    const searchedSegments: SegmentFile[] = [];
    let [bytes, openEvents, limited] = [0, 0, 0];
    let limit: string | undefined;
    for (const segment of latestFirst) {
      bytes += segment.bytes;
      // The latest segment is always seen.
      if (searchedSegments.length > 0 && bytes > limits.mostBytes)
        limit = `it ends after ${limits.mostBytes >> 20} MiB`;
      if (limit !== undefined) break;
      searchedSegments.push(segment);
      const { found, lines } = await searchSegment(segment, question, limits.mostEvents - limited, caller);
      events.push(...found);
      limited += found.filter(isLimited).length;
      if (segment.state === 'open') openEvents += lines;
    }
    // From then on it took the changes of consents alone: requests push none of them out.
    if (limited >= limits.mostEvents) limit ??= `it ends after ${limits.mostEvents} events`;
    const distinct = (member: 'instance' | 'day') =>
      [...new Set(searchedSegments.map((segment) => segment[member]))].sort();
    const searched = { instances: distinct('instance'), days: distinct('day'), openEvents };
    return {
      events: events.sort((one, other) => (textIn(one, 'at') < textIn(other, 'at') ? -1 : 1)),
      searched: { ...searched, ...(limit !== undefined && { limit }) },
    };
  }

  /** None, before the first event of all opens a segment. */
  private async segments(): Promise<readonly SegmentFile[]> {
    const listed = segmentFiles(this.folder).then(({ segments }) => segments);
    return listed.catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
  }
}

type SegmentMatches = { readonly found: readonly StoredEvent[]; readonly lines: number };

/** Its process may close the segment between listing and reading, and so rename it; or its day may be dropped. */
async function searchSegment(
  segment: SegmentFile,
  question: TrailQuestion,
  most: number,
  caller: AbortSignal,
): Promise<SegmentMatches> {
  for (const path of [segment.path, segment.closedPath])
    try {
      return await searchFile(path, question, most, caller);
    } catch (error) {
      // The log has named the file, which no gateway wrote.
      if (error instanceof RefusedFile) break;
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  return { found: [], lines: 0 };
}

async function searchFile(
  path: string,
  question: TrailQuestion,
  most: number,
  caller: AbortSignal,
): Promise<SegmentMatches> {
  const { values, kind } = question;
  // Only lines with one of these are read as JSON.
  const needles = (kind === undefined ? values : [`"kind":"${kind}"`]).map((text) => Buffer.from(text));
  const found: StoredEvent[] = [];
  let [lines, limited] = [0, 0];
  for await (const line of linesOf(path, caller)) {
    lines++;
    if (!needles.some((needle) => line.includes(needle))) continue;
    if (limited >= most && !line.includes('"kind":"consent"')) continue;
    const event = readEvent(line.toString());
    if (event === undefined || !answers(event, question)) continue;
    found.push(event);
    if (isLimited(event)) limited++;
  }
  return { found, lines };
}

function isLimited(event: StoredEvent): boolean {
  return textIn(event, 'kind') !== 'consent';
}

function answers(event: StoredEvent, { members, values, kind, from, to }: TrailQuestion): boolean {
  const at = textIn(event, 'at');
  if (kind !== undefined && textIn(event, 'kind') !== kind) return false;
  if ((from !== undefined && at < from) || (to !== undefined && at >= to)) return false;
  return members.some((member) => values.includes(textIn(event, member)));
}

/** A segment lasts an hour at most, and a request that it holds was received a little before its end. */
function mayHold({ startedAt }: SegmentFile, { from, to }: TrailQuestion): boolean {
  if (from !== undefined && startedAt.getTime() < Date.parse(from) - hourMs - marginMs) return false;
  return to === undefined || startedAt.getTime() < Date.parse(to) + marginMs;
}
const hourMs = 3_600_000;
const marginMs = 15 * 60_000;
