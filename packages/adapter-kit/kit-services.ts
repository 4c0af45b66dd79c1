import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { coreHttp } from '../core-adapter/http-core.client.js';
import type { CoreServices } from '../core-adapter/core-services.js';

const ignore = (): void => {};

let folder: Promise<string> | undefined;

/** Removed when the process ends. */
async function makeFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'core-adapter-'));
  process.once('exit', () => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** For an adapter without a gateway: its log lines and metrics go nowhere. */
export const kitServices: CoreServices = {
  logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  clock: { nowMs: () => Date.now() },
  metrics: { count: ignore, observe: ignore },
  http: coreHttp,
  dataFolder: () => (folder ??= makeFolder()),
};
