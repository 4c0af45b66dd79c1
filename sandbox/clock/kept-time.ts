import { join } from 'node:path';
import { FaultyStart } from '../faulty-start.js';
import { readKeptJson, replaceFile } from '../kept-file.js';
import { SandboxClock } from './sandbox-clock.js';

/** The farthest that the time can be moved: ten years. Beyond, no certificate and no date of the sandbox makes sense. */
export const farthestMs = 3_650 * 86_400_000;

export function keptTimeFile(dataDir: string): string {
  return join(dataDir, 'sandbox', 'time.json');
}

/** The sandbox's time as it was left. A restart keeps it, because the database holds consents of that time. */
export async function keptClock(dataDir: string): Promise<SandboxClock> {
  const file = keptTimeFile(dataDir);
  const remedy = 'remove the folder of DATA_DIR to start again';
  const kept = await readKeptJson<{ readonly aheadMs?: unknown } | null>(file, `as a time: ${remedy}`);
  if (kept === undefined) return new SandboxClock();
  if (isPossible(kept?.aheadMs)) return new SandboxClock(kept.aheadMs);
  throw new FaultyStart(`${file} does not hold a time: ${remedy}`);
}

/** Whether the time can be so far ahead of the machine's. */
export function isPossible(aheadMs: unknown): aheadMs is number {
  return typeof aheadMs === 'number' && Number.isSafeInteger(aheadMs) && aheadMs >= 0 && aheadMs <= farthestMs;
}

export function keepTime(dataDir: string, aheadMs: number): Promise<void> {
  return replaceFile(keptTimeFile(dataDir), JSON.stringify({ aheadMs }));
}
