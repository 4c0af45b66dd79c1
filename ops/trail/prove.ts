import { CommandFailed } from '../../src/command-line/command.js';
import { inclusionProof, leafHash } from '../../src/trail/merkle.js';
import { RefusedFile } from '../../src/trail/regular-file.js';
import type { ChainRecord, SegmentRoot } from '../../src/trail/root-record.js';
import { linesOf } from '../../src/trail/segment-reader.js';
import { readEvent, textIn } from '../../src/trail/stored-event.js';
import { idForms } from '../../src/trail/why.js';
import { publicKeyText, type PublicKeys } from './public-keys.js';
import type { RootRecords } from './root-records.js';
import type { SearchedTrail } from './searched-trail.js';
import { literal } from './trail-database.js';

/** A proof that these events are in the trail, for `verify-proof.mjs`. */
export interface Proof {
  readonly v: 1;
  readonly publicKey: string;
  readonly events: readonly ProvenEvent[];
}

interface ProvenEvent {
  /** The event's line, byte for byte. */
  readonly line: string;
  /** Its place in the segment; the first line is 0. */
  readonly index: number;
  /** The hashes that lead from the line to the root, the lowest first. */
  readonly path: readonly string[];
  readonly record: ChainRecord;
}

/** Proves the events with this id. @throws CommandFailed where no event has the id, or one is not under a root */
export async function prove(id: string, trail: SearchedTrail, roots: RootRecords, keys: PublicKeys): Promise<Proof> {
  const names = `SELECT DISTINCT segment FROM events WHERE "id" IN (${idForms(id).map(literal).join(', ')}) ORDER BY segment`;
  const found = (await trail.connection.runAndReadAll(names)).getRows().map(([segment]) => String(segment));
  if (found.length === 0)
    throw new CommandFailed(`no event has the id ${id}: \`trail why ${id}\` names the searched days`);
  const proven = found.map(async (segment) => {
    const record = roots.records.find((each) => 'segment' in each && each.segment === segment);
    if (record === undefined)
      throw new CommandFailed(
        `an event with the id ${id} is in the segment ${segment}, which has no root yet: a segment closes after an hour at most`,
      );
    const path = trail.segments.find((each) => each.segment === segment)?.path ?? '';
    return provenEvents(idForms(id), path, record as ChainRecord & SegmentRoot);
  });
  const events = (await Promise.all(proven)).flat();
  const [keyId = '', ...others] = new Set(events.map(({ record }) => record.keyId));
  const key = keys.get(keyId);
  if (key === undefined || others.length > 0)
    throw new CommandFailed(
      `the roots are signed by ${[keyId, ...others].join(' and ')}: name one public key with --key`,
    );
  return { v: 1, publicKey: publicKeyText(key), events };
}

/** The events of a segment with this id. */
async function provenEvents(
  ids: readonly string[],
  path: string,
  record: ChainRecord & SegmentRoot,
): Promise<ProvenEvent[]> {
  const leaves: string[] = [];
  const found: { line: string; index: number }[] = [];
  try {
    for await (const line of linesOf(path)) {
      // Reading each line as JSON would take longer than the rest.
      if (ids.some((id) => line.includes(id)) && ids.includes(textIn(readEvent(line.toString()) ?? {}, 'id')))
        found.push({ line: line.toString(), index: leaves.length });
      leaves.push(leafHash(line));
    }
  } catch (error) {
    if (error instanceof RefusedFile) throw new CommandFailed(`${path}: ${error.message}`);
    throw error;
  }
  if (found.length === 0 || leaves.length !== record.events)
    throw new CommandFailed(`${record.segment} does not match its root: \`trail verify\` names the fault`);
  return found.map(({ line, index }) => ({ line, index, path: inclusionProof(leaves, index), record }));
}
