import { randomBytes } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BootError } from '../config/boot-error.js';
import { privateModes, setModes } from './folder-modes.js';
import { makeFolder } from './make-folder.js';
import { isRunning, startOf } from './process-mark.js';

/**
 * How long a starting process tries: the previous process can finish closing, and one of two simultaneous starters gives
 * way.
 */
const patienceMs = 1500;

/**
 * Reserves a directory for one process, because PGlite opens a directory twice without complaint and then destroys it.
 *
 * Node has no file locks. So each process writes a claim, a file in the directory with the name of the process, and holds
 * the directory once it sees no claim of another living process. Two simultaneous starters cannot both miss each other,
 * because each writes before it looks. A starter that sees another claim withdraws and tries again. No process removes the
 * claim of a process that may live, so any process may remove the claim of a dead process at any time.
 *
 * It compares the processes of one machine (one container). It cannot separate two machines that share a directory over a
 * volume.
 */
export class DirectoryLock {
  private constructor(private readonly claim: string) {}

  /** @throws BootError when another process holds the directory. */
  static async acquire(claimsFolder: string): Promise<DirectoryLock> {
    await makeFolder(claimsFolder);
    // If another user could remove a claim, two processes could open the same database.
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
            `(if process ${owner.pid} is not a gateway, delete ${owner.claim}).`,
        );
      }
      // A random time, so that two starters that met do not meet again.
      const pauseMs = 20 + Math.random() * 100;
      await sleep(pauseMs);
      waitedMs += pauseMs;
    }
  }

  async release(): Promise<void> {
    await rm(this.claim, { force: true });
  }
}

/** Finds a living process with another claim in the folder, and removes the claims of dead processes. */
async function anotherOwner(claim: string, folder: string): Promise<{ pid: number; claim: string } | undefined> {
  for (const name of await readdir(folder)) {
    if (name === basename(claim)) continue;
    const [pid, start] = name.split('.');
    if (isRunning(Number(pid), start)) return { pid: Number(pid), claim: join(folder, name) };
    await rm(join(folder, name), { force: true });
  }
  return undefined;
}
