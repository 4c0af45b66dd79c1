import { rmSync } from 'node:fs';

/**
 * Removes the folder that this run's setup has made, and no other: Jest hands its globals on. The watch mode's next run
 * makes its own, where this one's was.
 */
export default function removeTemporaryFolder() {
  if (globalThis.temporaryFolder === undefined) return;
  const { folder, before } = globalThis.temporaryFolder;
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
}
