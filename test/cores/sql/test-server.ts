import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { packageRoot } from '../../../src/persistence/package-root.js';

const script = join(packageRoot(), 'scripts/with-postgres.sh');
let started: Promise<string> | undefined;

/** The PostgreSQL that DATABASE_URL names, or else one that is thrown away when this process ends. */
export function postgresServer(): Promise<string> {
  // Jest's set-up has moved it: no gateway of a test may find it.
  const named = process.env['TEST_POSTGRES_URL'] ?? process.env['DATABASE_URL'];
  return named === undefined || named === '' ? (started ??= throwAwayServer()) : Promise.resolve(named);
}

/** It lives as long as the standard input of its command is open, and so no longer than this process. */
async function throwAwayServer(): Promise<string> {
  const child = spawn(script, ['sh', '-c', 'echo "$DATABASE_URL"; exec cat'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const failed = once(child, 'exit').then(() => Promise.reject(new Error(`${script} started no PostgreSQL`)));
  const [line] = (await Promise.race([once(child.stdout, 'data'), failed])) as [Buffer];
  failed.catch(() => undefined);
  // Only the kit's own work keeps this process alive.
  child.unref();
  for (const stream of [child.stdin, child.stdout]) (stream as unknown as { unref(): void }).unref();
  return line.toString('utf8').trim();
}
