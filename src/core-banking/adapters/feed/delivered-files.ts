import type { Hash } from 'node:crypto';
import { DeliveryRefused, type LoadProgress } from './delivery-loading.js';
import { csvRecords, FileBroken } from './csv-file.js';
import { tenThousandthsOf } from './delivered-record.js';
import { openDelivered, textsOf } from './delivered-texts.js';
import type { DeliveredFile, DeliveryManifest } from './delivery-manifest.js';
import type { FeedFile, Part, PartForm } from './feed-file.js';
import { mostNamed } from './replica-checks.js';
import type { Staging } from './staging.js';

interface Reading {
  readonly file: FeedFile;
  readonly folder: string;
  readonly manifest: DeliveryManifest;
  readonly staging: Staging;
  /** Takes the bytes of all files. */
  readonly hash: Hash;
  readonly progress: LoadProgress;
}

interface ReadFiles {
  /** The names of the files, by number. */
  readonly names: readonly string[];
  /** By the parts of the delivery. */
  readonly rows: Readonly<Record<string, number>>;
  /** How often each optional field could not be read, by part and field. */
  readonly unread: Readonly<Record<string, number>>;
}

/** Reads all files into `staging`. @throws DeliveryRefused */
export async function readFiles(reading: Reading): Promise<ReadFiles> {
  const { file, manifest } = reading;
  const names: string[] = [];
  const rows: Record<string, number> = {};
  const unread: Record<string, number> = {};
  for (const [part, form] of Object.entries(file.parts) as [Part, PartForm][]) {
    rows[part] = 0;
    for (const delivered of manifest.files[part] ?? []) {
      names.push(delivered.name);
      const fields = await readOne(reading, part, form, delivered, names.length - 1);
      for (const field of fields) unread[`${part}.${field}`] = (unread[`${part}.${field}`] ?? 0) + 1;
      rows[part] += delivered.rows;
    }
  }
  return { names, rows, unread };
}

/** @returns the optional fields that could not be read, each as often as that was */
async function readOne(
  { file, folder, staging, hash, progress }: Reading,
  part: Part,
  form: PartForm,
  stated: DeliveredFile,
  number: number,
): Promise<readonly string[]> {
  const opened = await openDelivered(folder, stated.name);
  progress.file(stated.name, stated.rows);
  const faults: string[] = [];
  const unread: string[] = [];
  let rows = 0;
  let sum = 0n;
  try {
    for await (const batch of csvRecords(textsOf(opened, file.csv.encoding, hash), part, form, file)) {
      for (const read of batch) {
        rows++;
        if (read.fault !== undefined) faults.push(`${stated.name}, line ${read.line}: ${read.fault}`);
        if (read.record === undefined) continue;
        for (const { field } of read.unread ?? []) unread.push(field);
        sum += tenThousandthsOf(read.record);
        staging.add(part, number, read.line, read.record);
      }
      if (faults.length >= mostNamed) break;
      progress.rows(rows);
    }
  } catch (error) {
    if (!(error instanceof FileBroken)) throw error;
    faults.push(`${stated.name}, line ${error.line}: ${error.fault}`);
  }
  if (faults.length > 0) throw new DeliveryRefused('broken', 'records cannot be read', faults.slice(0, mostNamed));
  compare(stated, rows, sum);
  return unread;
}

function compare(stated: DeliveredFile, rows: number, sum: bigint): void {
  if (rows !== stated.rows)
    throw new DeliveryRefused('partial', `${stated.name} has ${rows} rows, and the delivery states ${stated.rows}`);
  if (stated.sum !== undefined && sum !== stated.sum)
    throw new DeliveryRefused('partial', `the amounts of ${stated.name} do not make the sum that the delivery states`);
}
