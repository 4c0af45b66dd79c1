import { open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Holds the name of the replica in use. */
const pointer = 'current';
const replicaForm = /^replica-\d+\.duckdb$/;
/** Everything else that a load makes: it must be there for one load only. */
const leftoverForm = /^(loading\.|replica-\d+\.duckdb\.wal$|current\.new$|duckdb_temp)/;

/** The path of the file that changes when another replica is in use. */
export function pointerPath(folder: string): string {
  return join(folder, pointer);
}

/** The name of the replica in use; `undefined` before the first delivery. */
export async function currentReplica(folder: string): Promise<string | undefined> {
  let name: string;
  try {
    name = (await readFile(pointerPath(folder), 'utf8')).trim();
  } catch (error) {
    if ((error as { readonly code?: string }).code === 'ENOENT') return undefined;
    throw error;
  }
  if (!replicaForm.test(name)) throw new Error('the pointer names no replica');
  return name;
}

/** The name of the next replica. Its number is higher than every earlier one. */
export async function nextReplica(folder: string): Promise<string> {
  const numbers = (await readdir(folder)).flatMap((name) =>
    replicaForm.test(name) ? [Number(/\d+/.exec(name)?.[0])] : [],
  );
  return `replica-${Math.max(0, ...numbers) + 1}.duckdb`;
}

/** From here on every reader has the replica, after a power cut too. */
export async function use(folder: string, replica: string): Promise<void> {
  await sync(join(folder, replica));
  const next = join(folder, `${pointer}.new`);
  await writeFile(next, `${replica}\n`);
  await sync(next);
  await rename(next, pointerPath(folder));
  await sync(folder);
}

/**
 * Removes everything that an interrupted load has left, and all replicas but the one in use and the one before it, which a
 * gateway may just be opening.
 */
export async function tidy(folder: string, current: string | undefined): Promise<void> {
  const names = await readdir(folder);
  const numberOf = (name: string): number => Number(/\d+/.exec(name)?.[0]);
  const newest = current === undefined ? -1 : numberOf(current);
  const replicas = names.filter((name) => replicaForm.test(name)).sort((a, b) => numberOf(b) - numberOf(a));
  const kept = replicas.filter((name) => numberOf(name) <= newest).slice(0, 2);
  const removed = names.filter((name) => leftoverForm.test(name) || (replicaForm.test(name) && !kept.includes(name)));
  for (const name of removed) await rm(join(folder, name), { recursive: true, force: true });
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
