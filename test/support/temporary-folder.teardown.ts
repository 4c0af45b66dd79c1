import { rmSync } from 'node:fs';

/** The folder that this run's setup has made, and no other: Jest hands its globals on. */
export default function removeTemporaryFolder(): void {
  const { temporaryFolder } = globalThis as { temporaryFolder?: string };
  if (temporaryFolder !== undefined) rmSync(temporaryFolder, { recursive: true, force: true, maxRetries: 5 });
}
