import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { coreHttp } from '../core-adapter/http-core.client.js';
import type { CoreLogFields, CoreLogger, CoreServices } from '../core-adapter/core-services.js';

const ignore = (): void => {};
const listeners = new Set<(line: string) => void>();

let folder: Promise<string> | undefined;

/** Removed when the process ends. */
async function makeFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'core-adapter-'));
  process.once('exit', () => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** The fields that the gateway would show, and the message. */
function write(fields: CoreLogFields, message: string): void {
  const shown = Object.entries(fields).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
  for (const listener of listeners) listener([...shown.map(([name, value]) => `${name}=${value}`), message].join(' '));
}

/** Gives each line that an adapter writes to its log to `listener`. @returns the function that ends it */
export function onLogLine(listener: (line: string) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const logger: CoreLogger = { debug: write, info: write, warn: write, error: write };

/** For an adapter without a gateway: its log lines go to the clause about them, and its metrics nowhere. */
export const kitServices: CoreServices = {
  logger,
  clock: { nowMs: () => Date.now() },
  metrics: { count: ignore, observe: ignore },
  http: coreHttp,
  dataFolder: () => (folder ??= makeFolder()),
};
