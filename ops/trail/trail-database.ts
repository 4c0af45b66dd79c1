import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';

/** DuckDB in memory: no network, no code that was not installed, and a limit beyond which it writes to a folder. */
export const duckDbSettings = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  memory_limit: '512MB',
  // Each thread needs a part of the memory.
  threads: '2',
  // Rows are sorted explicitly; to keep the order of arrival would take memory.
  preserve_insertion_order: 'false',
};

/** Does the work with a DuckDB that lives for it only. */
export async function withDuckDb<Result>(work: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
  // A large library, which no other command needs.
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const folder = await mkdtemp(join(tmpdir(), 'trail-'));
  try {
    const instance = await DuckDBInstance.create(':memory:', { ...duckDbSettings, temp_directory: folder });
    try {
      const connection = await instance.connect();
      try {
        // A question reads an index several times, and no index changes.
        await connection.run('SET parquet_metadata_cache = true');
        return await work(connection);
      } finally {
        connection.closeSync();
      }
    } finally {
      instance.closeSync();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A text as a literal of SQL, where no parameter may stand. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function literals(texts: readonly string[]): string {
  return `[${texts.map(literal).join(', ')}]`;
}
