import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FaultyStart, codeOf, unusable } from '../faulty-start.js';
import { replaceFile } from '../kept-file.js';
import { SandboxClock } from './sandbox-clock.js';

/** The farthest that the time can be moved: ten years. Beyond, no certificate and no date of the sandbox makes sense. */
export const farthestMs = 3_650 * 86_400_000;

export function keptTimeFile(dataDir: string): string {
  return join(dataDir, 'sandbox', 'time.json');
}

/** The sandbox's time as it was left. A restart keeps it, because the database holds consents of that time. */
export async function keptClock(dataDir: string): Promise<SandboxClock> {
  const file = keptTimeFile(dataDir);
  try {
    const { aheadMs } = JSON.parse(await readFile(file, 'utf8')) as { aheadMs?: unknown };
    if (isPossible(aheadMs)) return new SandboxClock(aheadMs);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return new SandboxClock();
    if (!(error instanceof SyntaxError)) throw unusable(file, error);
  }
  throw new FaultyStart(`${file} does not hold a time: remove the folder of DATA_DIR to start again`);
}

/** Whether the time can be so far ahead of the machine's. */
export function isPossible(aheadMs: unknown): aheadMs is number {
  return typeof aheadMs === 'number' && Number.isSafeInteger(aheadMs) && aheadMs >= 0 && aheadMs <= farthestMs;
}

export async function keepTime(dataDir: string, aheadMs: number): Promise<void> {
  const file = keptTimeFile(dataDir);
  try {
    await replaceFile(file, JSON.stringify({ aheadMs }));
  } catch (error) {
    throw unusable(file, error);
  }
}
