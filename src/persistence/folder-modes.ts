import { closeSync, constants, fchmodSync, fstatSync, lstatSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BootError } from '../config/boot-error.js';

export interface Modes {
  readonly folder: number;
  readonly file: number;
}

/** For a database: no other user of the machine can open any of it. */
export const privateModes: Modes = { folder: 0o700, file: 0o600 };
/** For the template in the package: like the code next to it, every user can read it, and only its owner can write it. */
export const readableModes: Modes = { folder: 0o755, file: 0o644 };

/**
 * Gives a folder, and all folders and files in it, these modes. Each folder comes before its content, so that another user
 * cannot exchange a file before its turn. Symbolic links and their targets stay unchanged.
 *
 * `process.umask` is not enough: PGlite sets the mode of each file after it makes the file. Later PGlite makes files of
 * mode 0600, and two caches of mode 0644, all in these folders.
 * @throws BootError when a file in it belongs to another user, or when the file system keeps other modes
 */
export function setModes(folder: string, modes: Modes): void {
  // Windows has no such modes, and no such users.
  if (process.geteuid === undefined) return;
  if (!lstatSync(folder).isDirectory())
    throw new BootError(`${folder} is not a folder: move it, or name in DATA_DIR the folder that it links to`);
  setModesBelow(folder, modes, process.geteuid());
}

function setModesBelow(folder: string, modes: Modes, user: number): void {
  setMode(folder, modes.folder, user);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) setModesBelow(path, modes, user);
    else if (entry.isFile()) setMode(path, modes.file, user);
  }
}

/** Uses one descriptor, which follows no symbolic link, so that the file that is checked is the file that is changed. */
function setMode(path: string, mode: number, user: number): void {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { uid } = fstatSync(descriptor);
    if (uid !== user)
      throw new BootError(
        `${path} belongs to the user ${uid}, who can change the database, and this process is of the user ${user}: ` +
          `give it to this user with chown -R, or set another DATA_DIR`,
      );
    fchmodSync(descriptor, mode);
    if ((fstatSync(descriptor).mode & 0o777) !== mode)
      throw new BootError(
        `${path} does not keep the mode ${mode.toString(8)}, so that other users can open the database: ` +
          'set DATA_DIR to a file system with modes',
      );
  } finally {
    closeSync(descriptor);
  }
}
