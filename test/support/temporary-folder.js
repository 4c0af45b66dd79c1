import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A process of Jest keeps all its temporary files in one folder, which is removed when the process ends, also the files of a
 * test that hangs. The runs of the watch mode share it.
 */
export function giveTemporaryFolder() {
  if (globalThis.temporaryFolder !== undefined) return;
  const folder = (globalThis.temporaryFolder = mkdtempSync(join(tmpdir(), 'gateway-tests-')));
  // The PostgreSQL of a test runs as another user, who must be able to reach its folders.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
}
