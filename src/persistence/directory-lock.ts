import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BootError } from '../config/boot-error.js';
import { privateModes, setModes } from './folder-modes.js';
import { makeFolder } from './make-folder.js';

/** How long a starter tries: long enough for a predecessor to finish closing, and for two starters to part. */
const patienceMs = 1500;

/**
 * Keeps a directory to one process, because PGlite opens one twice without complaint and then destroys it.
 *
 * Node has no file locks, so each process claims the directory with a file of its own, named after the process, and holds
 * it once it sees no other living process's file. Of two starters at least one sees the other, for each writes before
 * it looks; whoever sees another withdraws and tries again. Nobody ever removes a file that a living process may own, so
 * a killed process's claim can be cleared away by anybody at any time.
 *
 * It judges the processes of one machine (one container): two that share a directory over a volume are not kept apart.
 */
export class DirectoryLock {
  private constructor(private readonly claim: string) {}

  /** @throws BootError when another process keeps the directory. */
  static async acquire(claimsFolder: string): Promise<DirectoryLock> {
    await makeFolder(claimsFolder);
    // Another user who removes a claim has two processes open the same database.
    setModes(claimsFolder, privateModes);
    const claim = join(claimsFolder, [process.pid, startOf(process.pid), randomBytes(4).toString('hex')].join('.'));
    for (let waitedMs = 0; ;) {
      await writeFile(claim, '', { flag: 'wx', mode: privateModes.file });
      const owner = await anotherOwner(claim, claimsFolder);
      if (owner === undefined) return new DirectoryLock(claim);
      await rm(claim);
      if (waitedMs >= patienceMs) {
        throw new BootError(
          `The data directory is in use by process ${owner.pid}: stop that process or set another DATA_DIR ` +
            `(if process ${owner.pid} is no gateway, delete ${owner.claim}).`,
        );
      }
      // Of random length, so that two starters that saw each other do not meet again.
      const pauseMs = 20 + Math.random() * 100;
      await sleep(pauseMs);
      waitedMs += pauseMs;
    }
  }

  async release(): Promise<void> {
    await rm(this.claim, { force: true });
  }
}

/** A living process that claims the folder besides `claim`; the claims of dead ones are cleared away. */
async function anotherOwner(claim: string, folder: string): Promise<{ pid: number; claim: string } | undefined> {
  for (const name of await readdir(folder)) {
    if (name === basename(claim)) continue;
    const [pid, start] = name.split('.');
    if (isRunning(Number(pid), start)) return { pid: Number(pid), claim: join(folder, name) };
    await rm(join(folder, name), { force: true });
  }
  return undefined;
}

function isRunning(pid: number, start: string | undefined): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Any other error (EPERM) means that it runs and is not ours to signal.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const found = startOf(pid);
  return found === 'unknown' || found === start;
}

/**
 * Tells a process from an earlier one with the same id. A container that was killed gets the same id again and again.
 * Only Linux says it of other processes.
 */
function startOf(pid: number): string {
  if (process.platform !== 'linux') return pid === process.pid ? String(Math.round(performance.timeOrigin)) : 'unknown';
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return 'unknown'; // ended since it was asked for, or hidden: the caller takes it for running.
  }
  // See proc(5): the name, in parentheses, may hold anything; state is the first field after it, start time the 20th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return 'ended';
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}-${fields[19]}`;
}
