import type { CoreSettings } from '../../../../packages/core-adapter/core-settings.js';
import { createHash } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { DeliveryRefused, type LoadCounts, type LoadOutcome, type LoadProgress } from './delivery-loading.js';
import { readFiles } from './delivered-files.js';
import { type DeliveryManifest, readManifest } from './delivery-manifest.js';
import { literal, openForReading, openForWriting, withConnection } from './duckdb.js';
import type { FeedFile, Part } from './feed-file.js';
import { readFeedSettings } from './feed.settings.js';
import { contradictions } from './replica-checks.js';
import { currentReplica, nextReplica, tidy, use } from './replica-folder.js';
import { factsOf, makeReplica, type ReplicaFacts } from './replica-tables.js';
import { Staging } from './staging.js';

/**
 * Loads the delivery in a folder into a new replica, and puts it into use when every file was read and every check passed.
 * Until then, and after every fault, the replica in use stays.
 *
 * @throws CoreSettingFault
 */
export async function loadDelivery(
  settings: CoreSettings,
  delivery: string,
  progress: LoadProgress,
  nowMs: number,
): Promise<LoadOutcome> {
  const { folder, file } = readFeedSettings(settings);
  try {
    return { taken: true, ...(await load(folder, file, delivery, progress, nowMs)) };
  } catch (error) {
    if (!(error instanceof DeliveryRefused))
      return { taken: false, reason: 'failed', message: kindOf(error), faults: [] };
    const { reason, message, faults } = error;
    return { taken: false, reason, message, faults };
  }
}

/** The error's code, or the words before its colon, such as `Out of Memory Error`: the rest may quote a record. */
function kindOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code === 'string') return code;
  return /^[A-Z][A-Za-z ]{2,40}(?=:)/.exec(String(message))?.[0] ?? 'a fault in the program';
}

async function load(
  folder: string,
  file: FeedFile,
  delivery: string,
  progress: LoadProgress,
  nowMs: number,
): Promise<LoadCounts> {
  await mkdir(folder, { recursive: true });
  const lock = await lockOf(folder);
  try {
    const current = await currentReplica(folder);
    await tidy(folder, current);
    const manifest = await readManifest(delivery, file);
    const previous =
      current === undefined ? undefined : await withConnection(openForReading(join(folder, current)), factsOf);
    refuseWrongOrder(manifest, previous, file, nowMs);
    const replica = await nextReplica(folder);
    try {
      const counts = await build({ folder, file, delivery, manifest, previous, current, replica, progress });
      await use(folder, replica);
      await tidy(folder, replica);
      return counts;
    } catch (error) {
      await tidy(folder, current);
      throw error;
    }
  } finally {
    lock.closeSync();
  }
}

/** DuckDB lets one process open a file for writing, and frees it when that process ends in any way. */
async function lockOf(folder: string): Promise<DuckDBInstance> {
  try {
    return await openForWriting(join(folder, 'lock.duckdb'), folder);
  } catch {
    throw new DeliveryRefused(
      'busy',
      'another delivery is being loaded, or the folder of the replica cannot be written',
    );
  }
}

/** How far the clock of the bank's job may be ahead of the clock of this machine. */
const mostAheadMs = 5 * 60_000;

function refuseWrongOrder(
  { id, asOf, follows }: DeliveryManifest,
  previous: ReplicaFacts | undefined,
  { history }: FeedFile,
  nowMs: number,
): void {
  // Such data would count as fresh for too long, and each delivery after them as older.
  if (asOf.getTime() > nowMs + mostAheadMs)
    throw new DeliveryRefused('broken', `delivery.yaml: asOf is in the future (${asOf.toISOString()})`);
  if (previous?.id === id) throw new DeliveryRefused('repeated', 'the delivery with this id is in use already');
  if (previous !== undefined && asOf.getTime() <= previous.asOfMs)
    throw new DeliveryRefused(
      'older',
      `the data are of ${asOf.toISOString()}, and those in use of ${new Date(previous.asOfMs).toISOString()}`,
    );
  if (history === 'added' && follows !== (previous?.id ?? 'none'))
    throw new DeliveryRefused(
      'partial',
      'it follows another delivery than the one in use: one between them is missing',
    );
}

interface Building {
  readonly folder: string;
  readonly file: FeedFile;
  readonly delivery: string;
  readonly manifest: DeliveryManifest;
  readonly previous: ReplicaFacts | undefined;
  readonly current: string | undefined;
  readonly replica: string;
  readonly progress: LoadProgress;
}

function build(building: Building): Promise<LoadCounts> {
  const { folder, progress } = building;
  const opening = openForWriting(join(folder, 'loading.duckdb'), join(folder, 'loading.tmp'));
  return withConnection(opening, (connection) => fill(connection, building)).finally(() => progress.end());
}

async function fill(connection: DuckDBConnection, building: Building): Promise<LoadCounts> {
  const { folder, file, delivery, manifest, previous, current, replica, progress } = building;
  const staging = await Staging.create(connection);
  const hash = createHash('sha256');
  const { names, rows, unread } = await readFiles({ file, folder: delivery, manifest, staging, hash, progress });
  staging.end();
  const contentHash = hash.digest('hex');
  if (contentHash === previous?.contentHash)
    throw new DeliveryRefused('repeated', 'its files are those of the delivery in use');
  progress.step('checking');
  const faults = await contradictions(connection, file, names);
  if (faults.length > 0) throw new DeliveryRefused('broken', 'records contradict each other', faults);
  progress.step('sorting');
  await connection.run(`ATTACH ${literal(join(folder, replica))} AS replica`);
  if (current !== undefined) await connection.run(`ATTACH ${literal(join(folder, current))} AS previous (READ_ONLY)`);
  const parts = Object.keys(file.parts) as Part[];
  // The first delivery of an added history has none before it.
  const fullFile: FeedFile = current === undefined ? { ...file, history: 'whole' } : file;
  await makeReplica(connection, fullFile, { id: manifest.id, asOfMs: manifest.asOf.getTime(), contentHash, parts });
  await connection.run('CHECKPOINT replica');
  await connection.run('DETACH replica');
  const { size } = await stat(join(folder, replica));
  return { delivery: manifest.id, asOf: manifest.asOf, rows, unread, bytes: size };
}
