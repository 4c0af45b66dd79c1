import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/persistence/package-root.js';

const run = promisify(execFile);

export interface RolesOptions {
  readonly schema: string;
  readonly prefix: string;
}

/** Runs deploy/postgresql/roles.sql with psql, as docs/operate/database.md has it. @param url of a database, without parameters */
export async function runRoles(url: string, { schema, prefix }: RolesOptions): Promise<void> {
  const file = join(packageRoot(), 'deploy/postgresql/roles.sql');
  await run('psql', [
    url,
    '--quiet',
    '--no-psqlrc',
    `--set=schema=${schema}`,
    `--set=prefix=${prefix}`,
    `--file=${file}`,
  ]);
}
