import { CommandFailed } from '../../src/command-line/command.js';
import { databaseLimits } from '../../src/config/database-config.js';
import { readDatabaseUrl } from '../../src/config/database-url.js';
import { PostgresConnections } from '../../src/persistence/postgres-connections.js';
import { refusal } from '../../src/persistence/postgres-refusal.js';

type Client = Awaited<ReturnType<PostgresConnections['connect']>>;

/** Does the work with a connection to the gateways' database that lives for it only. @param url DATABASE_URL */
export async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const connections = new PostgresConnections(readDatabaseUrl(url), databaseLimits);
  try {
    const client = await connections.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    throw refusal(error, connections.target);
  }
}
