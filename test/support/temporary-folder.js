import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * All that a run puts into the temporary folder is in one of its own, which goes with the run: also what a test leaves
 * that hangs.
 */
export function giveTemporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-tests-'));
  // A PostgreSQL of a test's own runs as another user, who must come through to the folders that are given to him.
  chmodSync(folder, 0o711);
  globalThis.temporaryFolder = { folder, before: process.env.TMPDIR };
  process.env.TMPDIR = folder;
}
