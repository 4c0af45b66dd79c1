import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

/** No network, and no code that the bank did not install. */
const offline = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
};

/** For the gateway: several processes may read one file. */
export function openForReading(path: string): Promise<DuckDBInstance> {
  return DuckDBInstance.create(path, {
    ...offline,
    access_mode: 'READ_ONLY',
    enable_external_access: 'false',
    memory_limit: '256MB',
    threads: '1',
  });
}

/** For `feed load`: records that do not fit into the memory go to files in `folder`. Only one process may have a file open. */
export function openForWriting(path: string, folder: string): Promise<DuckDBInstance> {
  return DuckDBInstance.create(path, {
    ...offline,
    memory_limit: '256MB',
    threads: '2',
    temp_directory: folder,
    // Rows are sorted explicitly; to keep the order of arrival would take memory.
    preserve_insertion_order: 'false',
  });
}

/** Does the work on a connection to the database, and closes both. */
export async function withConnection<Result>(
  opening: Promise<DuckDBInstance>,
  work: (connection: DuckDBConnection) => Promise<Result>,
): Promise<Result> {
  const instance = await opening;
  try {
    const connection = await instance.connect();
    try {
      return await work(connection);
    } finally {
      connection.closeSync();
    }
  } finally {
    instance.closeSync();
  }
}

/** A path or a word as a literal of SQL, where no parameter may stand. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
