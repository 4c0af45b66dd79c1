import { join } from 'node:path';
import { syncFolder } from './open-segment.js';
import { replaceFile } from './regular-file.js';
import { canonicalJson, type ChainRecord } from './root-record.js';

/** Keeps the records of segments that are not in the folder any more, for a verification without the database. */
export async function writeRecords(directory: string, file: string, records: readonly ChainRecord[]): Promise<void> {
  const lines = records.map((record) => `${canonicalJson(record)}\n`).join('');
  await replaceFile(join(directory, file), lines);
  await syncFolder(directory);
}
