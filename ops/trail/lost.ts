import { randomUUID } from 'node:crypto';
import { CommandFailed } from '../../src/command-line/command.js';
import { readDatabaseSettings } from '../../src/config/database-settings.js';
import { writeRecords } from '../../src/trail/record-file.js';
import { linkAfter, signRecord, type LostSegments, type TrailKey } from '../../src/trail/root-record.js';
import { lostFile } from '../../src/trail/segment-names.js';
import { appendRecord, rootRecords } from './root-records.js';
import { listSegments } from './searched-trail.js';
import { missingRoots } from './verify.js';

/**
 * Records in the chain that the segments which no folder has are lost, so that a verification distinguishes them from removed ones. The
 * folder of a trail cannot say so: who may write it could then remove evidence.
 * @param folders all that are left: a segment of a folder that is not named would be recorded as lost
 * @param days the first and the last day
 */
export async function recordLoss(
  folders: readonly string[],
  reason: string,
  days: { readonly from: string; readonly to: string },
  { key, nowMs, note }: { readonly key: TrailKey; readonly nowMs: number; readonly note: (line: string) => void },
): Promise<LostSegments> {
  const { url } = readDatabaseSettings();
  if (url === undefined)
    throw new CommandFailed('DATABASE_URL is not set: a loss is recorded in the database, by its maintenance role');
  const { records } = await rootRecords(folders);
  const listed = await Promise.all(folders.map((folder) => listSegments(folder)));
  const present = listed.flatMap(({ segments }) => segments);
  const missing = missingRoots(records, present).filter(({ day }) => day >= days.from && day <= days.to);
  if (missing.length === 0) throw new CommandFailed('no segment of these days is missing: nothing was recorded');
  const content: LostSegments = {
    v: 1,
    lost: missing.map(({ segment }) => segment),
    reason,
    at: new Date(nowMs).toISOString(),
  };
  const record = await appendRecord(url, `lost.${randomUUID()}`, (before) =>
    signRecord(content, linkAfter(before), key),
  );
  const [folder = ''] = folders;
  await writeRecords(folder, lostFile(record.sequence), [...missing, record]).catch((error: NodeJS.ErrnoException) =>
    note(
      `${folder} cannot be written (${error.code}): the loss is recorded in the database only, and \`trail verify\` needs the database to know of it`,
    ),
  );
  return content;
}
