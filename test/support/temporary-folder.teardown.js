import { rmSync } from 'node:fs';

/** Removes the folder that this run's setup has made, and no other: Jest hands its globals on. */
export default function removeTemporaryFolder() {
  const folder = globalThis.temporaryFolder;
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
