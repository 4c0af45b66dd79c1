import type { KeyObject } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readRegular } from './regular-file.js';
import { isSignedBy, type ChainRecord, type TrailKey } from './root-record.js';
import { segmentFiles } from './segment-files.js';
import { isDay, isRecordsFile, parseSegmentFile } from './segment-names.js';
import { SegmentPass, type StoredWithdrawal } from './segment-pass.js';
import { count } from './words.js';

export interface WithdrawalsInTrail {
  /** By time. Each was written by a gateway with the key. */
  readonly withdrawals: readonly StoredWithdrawal[];
  readonly segments: number;
  /** Changed, moved and missing lines and files, as far as the trail shows them, and unreadable files. */
  readonly faults: readonly string[];
  /** Files and half lines that the reader omitted, because they have no withdrawal. */
  readonly notes: readonly string[];
}

const hourMs = 3_600_000;

/**
 * The withdrawals in the folders of a trail from a time on. It goes on after a fault: an authentic line counts wherever it stands,
 * because a withdrawal only takes access away.
 * @throws NodeJS.ErrnoException where a folder cannot be read
 */
export async function readWithdrawals(
  folders: readonly string[],
  sinceMs: number,
  key: TrailKey,
): Promise<WithdrawalsInTrail> {
  // An event is never in a segment that was over before it happened.
  const firstDay = new Date(sinceMs - hourMs).toISOString().slice(0, 10);
  const listed = await Promise.all(folders.map((folder) => filesOf(folder, firstDay)));
  const recordFiles = listed.flatMap((folder) => folder.recordFiles);
  const { records, faults } = await recordsIn(recordFiles, key.publicKey);
  const notes = listed.flatMap((folder) => folder.notes);
  const roots = new Map(
    records.flatMap((record) => ('segment' in record && record.day >= firstDay ? [[record.segment, record]] : [])),
  );
  const found = new Map<string, StoredWithdrawal>();
  const read = new Set<string>();
  for (const { path, why } of listed.flatMap(({ segments }) => segments)) {
    if (why !== undefined) faults.push(`${path}: ${why}`);
    const { segment = '', instance = '' } = parseSegmentFile(basename(path)) ?? {};
    read.add(segment);
    const part = await new SegmentPass({ path, instance, root: roots.get(segment) }, key.macKey).read();
    faults.push(...part.faults);
    notes.push(...part.notes);
    for (const withdrawal of part.withdrawals)
      if (withdrawal.at.getTime() >= sinceMs) found.set(withdrawal.id, withdrawal);
  }
  for (const { segment, events } of roots.values())
    if (!read.has(segment)) faults.push(`${segment}: the segment is missing, with ${count(events, 'event')}`);
  faults.push(...missingRecords(records, [...roots.values()]));
  return {
    withdrawals: [...found.values()].sort((one, other) => one.at.getTime() - other.at.getTime()),
    segments: read.size,
    faults: [...new Set(faults)],
    notes: notes.sort(),
  };
}

interface TrailFiles {
  /** Also those that are not where a gateway put them, with the reason. */
  readonly segments: readonly { readonly path: string; readonly why?: string }[];
  /** From all days, because a segment may get its root days later. */
  readonly recordFiles: readonly string[];
  readonly notes: readonly string[];
}

async function filesOf(folder: string, firstDay: string): Promise<TrailFiles> {
  const names = await readdir(folder);
  const days = names.filter(isDay);
  const content = await Promise.all(
    days.map(async (day) =>
      (await readdir(join(folder, day))).map((name) => ({ day, name, path: join(folder, day, name) })),
    ),
  );
  const { segments, refused } = await segmentFiles(folder, firstDay);
  const isOther = (name: string) => parseSegmentFile(name) === undefined && !/^index\.[0-9a-f]+\.parquet$/.test(name);
  const others = [
    ...names.filter((name) => !isDay(name) && !isRecordsFile(name)).map((name) => join(folder, name)),
    ...content.flat().flatMap(({ day, name, path }) => (day >= firstDay && isOther(name) ? [path] : [])),
  ];
  return {
    segments: [...segments.map(({ path }) => ({ path })), ...refused],
    recordFiles: [
      ...names.filter(isRecordsFile).map((name) => join(folder, name)),
      ...content.flat().flatMap(({ name, path }) => (parseSegmentFile(name)?.state === 'root' ? [path] : [])),
    ],
    notes: others.map((path) => `${path}: not a file of the trail, not read`),
  };
}

/** The records in the files, and a fault for each file that is not as a gateway with the key wrote it. */
async function recordsIn(
  paths: readonly string[],
  publicKey: KeyObject,
): Promise<{ records: ChainRecord[]; faults: string[] }> {
  const [records, faults]: [ChainRecord[], string[]] = [[], []];
  // One after the other, because years of a trail have more files than a process may open.
  for (const path of paths) {
    const inFile = await signedRecords(path, publicKey);
    if (inFile === undefined) faults.push(`${path}: not the record that a gateway with this TRAIL_KEY signed`);
    else records.push(...inFile);
  }
  return { records, faults };
}

/** The records of a file, a line each; `undefined` where the key has not signed all of them, or the file cannot be read. */
async function signedRecords(path: string, publicKey: KeyObject): Promise<readonly ChainRecord[] | undefined> {
  try {
    const lines = (await readRegular(path)).trimEnd().split('\n');
    const records = lines.map((line) => JSON.parse(line) as ChainRecord);
    return records.every((record) => isSignedBy(record, publicKey)) ? records : undefined;
  } catch {
    return undefined;
  }
}

/** The records of the chain that are in no folder, from the first of the roots to the last record. */
function missingRecords(records: readonly ChainRecord[], roots: readonly ChainRecord[]): string[] {
  const sequences = [...new Set(records.map(({ sequence }) => sequence))].sort((one, other) => one - other);
  const first = Math.min(...roots.map(({ sequence }) => sequence));
  return sequences
    .filter((sequence) => sequence >= first)
    .flatMap((sequence, index, from) => {
      const next = from[index + 1] ?? sequence + 1;
      if (next === sequence + 1) return [];
      const missing = next - sequence === 2 ? `record ${next - 1}` : `records ${sequence + 1} to ${next - 1}`;
      return [
        `${missing} of the chain: in no folder. Name the TRAIL_DIR of every instance with --trail; otherwise files were removed`,
      ];
    });
}
