import { join } from 'node:path';
import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api';
import { CoreError } from '../../../../packages/core-adapter/core-error.js';
import { openForReading } from './duckdb.js';
import { factsOf, type ReplicaFacts } from './replica-tables.js';

/** One replica file, open for reading. It closes when it is retired and its last read has ended. */
export class Replica {
  private readonly idle: DuckDBConnection[] = [];
  private users = 0;
  private isRetired = false;

  private constructor(
    private readonly instance: DuckDBInstance,
    readonly facts: ReplicaFacts,
  ) {}

  static async open(folder: string, name: string): Promise<Replica> {
    const instance = await openForReading(join(folder, name));
    try {
      const connection = await instance.connect();
      const replica = new Replica(instance, await factsOf(connection));
      replica.idle.push(connection);
      return replica;
    } catch (error) {
      instance.closeSync();
      throw error;
    }
  }

  /** Reads of one use see one replica. Ends when the signal fires. */
  async use<T>(signal: AbortSignal, read: (ask: RunQuery) => Promise<T>): Promise<T> {
    this.users++;
    const connection = this.idle.pop() ?? (await this.instance.connect());
    const onAbort = (): void => connection.interrupt();
    signal.addEventListener('abort', onAbort);
    try {
      return await read(async (sql, values) => {
        if (signal.aborted) throw late();
        return (await connection.runAndReadAll(sql, [...values])).getRows();
      });
    } catch (error) {
      throw signal.aborted ? late() : error;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.idle.push(connection);
      this.users--;
      this.closeIfDone();
    }
  }

  /** No read begins here any more. */
  retire(): void {
    this.isRetired = true;
    this.closeIfDone();
  }

  private closeIfDone(): void {
    if (!this.isRetired || this.users > 0) return;
    for (const connection of this.idle) connection.closeSync();
    this.instance.closeSync();
  }
}

/** The rows of one statement. */
export type RunQuery = (sql: string, values: readonly DuckDBValue[]) => Promise<readonly (readonly DuckDBValue[])[]>;

export function late(): CoreError {
  return new CoreError('timeout', 'the replica did not answer before the deadline');
}
