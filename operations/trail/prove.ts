import { CommandFailed } from '../../src/commands/command.js';
import { inclusionProof, leafHash } from '../../src/trail/merkle.js';
import type { ChainRecord, SegmentRoot } from '../../src/trail/root-record.js';
import { publicKeyText, type PublicKeys } from './public-keys.js';
import type { RootRecords } from './root-records.js';
import { listSegments, type SearchedTrail } from './searched-trail.js';
import { segmentLines } from './segment-lines.js';
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

/** Proves the requests with this interaction id. @throws CommandFailed where there is none, or none under a root */
export async function prove(
  id: string,
  { connection }: SearchedTrail,
  folders: readonly string[],
  { records }: RootRecords,
  keys: PublicKeys,
): Promise<Proof> {
  const sql = `SELECT segment, line FROM events WHERE "id" = ${literal(id)} ORDER BY "at", "seq"`;
  const found = (await connection.runAndReadAll(sql))
    .getRows()
    .map(([segment, line]) => [String(segment), String(line)]);
  if (found.length === 0)
    throw new CommandFailed(`no event has the id ${id}: \`trail -- why ${id}\` says where it looked`);
  const paths = new Map(
    (await Promise.all(folders.map(listSegments))).flat().map(({ segment, path }) => [segment, path]),
  );
  const events = await Promise.all(
    found.map(async ([segment = '', line = '']) => {
      const record = records.find((each) => 'segment' in each && each.segment === segment);
      if (record === undefined)
        throw new CommandFailed(
          `an event with the id ${id} is in the segment ${segment}, which has no root yet: a segment closes after an hour at most`,
        );
      return provenEvent(line, paths.get(segment) ?? '', record as ChainRecord & SegmentRoot);
    }),
  );
  const [keyId] = new Set(events.map(({ record }) => record.keyId));
  const key = keys.get(keyId ?? '');
  if (key === undefined || events.some(({ record }) => record.keyId !== keyId))
    throw new CommandFailed(`the roots are signed by the key ${keyId}: name its public key with --key`);
  return { v: 1, publicKey: publicKeyText(key), events };
}

async function provenEvent(line: string, path: string, record: ChainRecord & SegmentRoot): Promise<ProvenEvent> {
  const leaves: Buffer[] = [];
  let index = -1;
  for await (const { line: bytes } of segmentLines(path)) {
    if (index < 0 && bytes.toString() === line) index = leaves.length;
    leaves.push(leafHash(bytes));
  }
  if (index < 0 || leaves.length !== record.events)
    throw new CommandFailed(`${record.segment} is not as its root says: \`trail -- verify\` names the fault`);
  return { line, index, path: inclusionProof(leaves, index), record };
}
