import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { MerkleTree } from './merkle.js';
import { readRegular, RefusedFile } from './regular-file.js';
import { isSignedBy, type ChainRecord, type SegmentRoot, type TrailKey } from './root-record.js';
import { segmentFiles } from './segment-files.js';
import { isDay, isRecordsFile, parseSegmentFile } from './segment-names.js';
import { linesOf } from './segment-reader.js';
import { numberIn, readEvent, type StoredEvent } from './stored-event.js';
import { withdrawals, type Withdrawal } from './withdrawal-event.js';
import { hasMac } from './withdrawal-line.js';
import { count } from './words.js';

/** A withdrawal that a gateway wrote. */
export interface StoredWithdrawal {
  /** One that was written twice has the same id. */
  readonly id: string;
  readonly at: Date;
  readonly event: Withdrawal;
  readonly by: 'customer' | 'bank';
  /** The id of the consent or of the authorisation, or the client id of the TPP. */
  readonly subject: string;
  /** The TPP's issuer; empty where the withdrawal is of no TPP. */
  readonly issuer: string;
}

export interface WithdrawalsInTrail {
  /** By time. Each was written by a gateway with the key. */
  readonly withdrawals: readonly StoredWithdrawal[];
  readonly segments: number;
  /** Changed, moved and missing lines and files, as far as the trail shows them, and unreadable files. */
  readonly faults: readonly string[];
  /** Files and half lines that the reader left out, because they have no withdrawal. */
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
  const [faults, notes]: [string[], string[]] = [[], []];
  const listed = await Promise.all(folders.map((folder) => filesOf(folder, firstDay)));
  const records = (
    await Promise.all(listed.flatMap(({ recordFiles }) => recordFiles).map(recordsIn(key, faults)))
  ).flat();
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
    notes: [...listed.flatMap((folder) => folder.notes), ...notes].sort(),
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

/** Reads the records of a file, a line each. One that is not signed by the key does not count. */
function recordsIn({ publicKey }: TrailKey, faults: string[]) {
  return async (path: string): Promise<ChainRecord[]> => {
    try {
      const records = (await readRegular(path))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as ChainRecord);
      if (records.every((record) => isSignedBy(record, publicKey))) return records;
    } catch {
      // Another hand wrote it, or the disk does not give it.
    }
    faults.push(`${path}: not the record that a gateway with this TRAIL_KEY signed`);
    return [];
  };
}

interface SegmentPart {
  readonly path: string;
  readonly instance: string;
  /** Absent where the segment has none. */
  readonly root: SegmentRoot | undefined;
}

type Content = Pick<WithdrawalsInTrail, 'withdrawals' | 'faults' | 'notes'>;

/** Reads one segment, line by line. */
class SegmentPass {
  private readonly withdrawals: StoredWithdrawal[] = [];
  private readonly faults: string[] = [];
  private readonly notes: string[] = [];
  private readonly forged: number[] = [];
  private readonly tree = new MerkleTree();
  private line = 0;
  /** The number that the last authentic withdrawal has in its line. */
  private number = 0;

  constructor(
    private readonly part: SegmentPart,
    private readonly macKey: Buffer,
  ) {}

  async read(): Promise<Content> {
    const { withdrawals, faults, notes, forged, part } = this;
    try {
      await this.readLines();
    } catch (error) {
      faults.push(
        `${part.path}: ${error instanceof RefusedFile ? error.message : `it cannot be read (${codeOf(error)})`}`,
      );
    }
    if (forged.length > 0)
      faults.push(
        `${part.path}: no gateway with this TRAIL_KEY wrote the withdrawals in ${forged.length === 1 ? 'line' : 'lines'} ` +
          `${forged.join(', ')} (the MAC is wrong or missing): refused`,
      );
    return { withdrawals, faults, notes };
  }

  private async readLines(): Promise<void> {
    const { path, root } = this.part;
    const lines = linesOf(path);
    for (;;) {
      const { value, done } = await lines.next();
      if (done !== true) {
        this.add(value);
        continue;
      }
      if (value > 0) this.notes.push(`${path}: half a line at its end, which was never acknowledged`);
      if (root !== undefined && this.tree.root() !== root.root)
        this.faults.push(
          `${path}: its ${count(this.line, 'line')} are not the ${count(root.events, 'event')} of its signed root`,
        );
      return;
    }
  }

  private add(line: Buffer): void {
    this.tree.add(line);
    this.line++;
    if (!line.includes('"kind":"withdrawal"')) return;
    const text = line.toString();
    const event = readEvent(text);
    if (event?.['kind'] !== 'withdrawal') return;
    if (hasMac(text, this.macKey)) this.addAuthentic(event);
    else this.forged.push(this.line);
  }

  private addAuthentic(event: StoredEvent): void {
    const place = `${this.part.path}: line ${this.line}`;
    const expected = this.number + 1;
    this.number = numberIn(event, 'number') ?? 0;
    if (this.number !== expected || event['instance'] !== this.part.instance)
      this.faults.push(`${place} is not where the gateway wrote it: lines were removed, repeated or moved`);
    const withdrawal = withdrawalOf(event);
    if (withdrawal === undefined) this.faults.push(`${place} is a withdrawal that this release does not know`);
    else this.withdrawals.push(withdrawal);
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? (error as Error).name;
}

/** `undefined` where the event names no withdrawal of this release. */
function withdrawalOf(event: StoredEvent): StoredWithdrawal | undefined {
  // As the gateway wrote them: `textIn` would replace characters.
  const text = (member: string): string => (typeof event[member] === 'string' ? event[member] : '');
  const kind = withdrawals.find((one) => one === event['event']);
  const isOfTpp = kind?.startsWith('tpp-') === true;
  const subject = text(isOfTpp ? 'tpp' : kind === 'authorisation-ended' ? 'authorisation' : 'consent');
  const [id, at, issuer] = [text('id'), new Date(text('at')), isOfTpp ? text('issuer') : ''];
  if (kind === undefined || subject === '' || Number.isNaN(at.getTime()) || (isOfTpp && issuer === ''))
    return undefined;
  return { id, at, event: kind, by: event['by'] === 'customer' ? 'customer' : 'bank', subject, issuer };
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
