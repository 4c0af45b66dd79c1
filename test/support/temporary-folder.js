import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A run keeps all its temporary files in one folder, which is removed at the end of the run, also the files of a test that
 * hangs.
 */
export function giveTemporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-tests-'));
  // The PostgreSQL of a test runs as another user, who must be able to reach its folders.
  chmodSync(folder, 0o711);
  globalThis.temporaryFolder = { folder, before: process.env.TMPDIR };
  process.env.TMPDIR = folder;
}
