import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** PostgreSQL counts the statements, and holds the indexes of a million consents in memory, as a bank's server does. */
const options = '-c shared_preload_libraries=pg_stat_statements -c shared_buffers=2GB -c max_wal_size=4GB';

export interface Postgres {
  readonly url: string;
  stop(): Promise<void>;
}

/** The PostgreSQL that DATABASE_URL names, or else a throw-away one; `undefined` if none is installed. */
export async function findPostgres(): Promise<Postgres | undefined> {
  const given = process.env.DATABASE_URL;
  if (given) return { url: given, stop: () => Promise.resolve() };
  // The script keeps its server for as long as the command runs, and `cat` runs until we close its input or are gone.
  const script = spawn('sh', ['scripts/with-postgres.sh', 'sh', '-c', 'echo "$DATABASE_URL"; cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, POSTGRES_OPTIONS: options },
  });
  const ended = new Promise<undefined>((resolve) => {
    script.once('error', () => resolve(undefined));
    script.once('close', () => resolve(undefined));
  });
  const told = new Promise<string>((resolve) => createInterface(script.stdout).once('line', resolve));
  const url = await Promise.race([told, ended]);
  if (url === undefined) return undefined;
  return {
    url,
    stop: async () => {
      script.stdin.end();
      await ended;
    },
  };
}
