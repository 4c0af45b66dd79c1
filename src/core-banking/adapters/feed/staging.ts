import {
  BIGINT,
  BOOLEAN,
  type DuckDBAppender,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBValue,
  INTEGER,
  VARCHAR,
} from '@duckdb/node-api';
import type { DeliveredRecord } from './delivered-record.js';
import type { Part } from './feed-file.js';

/** The columns of the table `staged`, in the order of {@link Staging.add}. */
const columns = [
  ['part', VARCHAR],
  ['owner', VARCHAR],
  ['id', VARCHAR],
  ['at_ms', BIGINT],
  ['booked', BOOLEAN],
  ['credit', BOOLEAN],
  ['currency', VARCHAR],
  ['file', INTEGER],
  ['line', INTEGER],
  ['body', VARCHAR],
] as const;
const types = columns.map(([, type]) => type);
/** DuckDB takes at most this many rows at a time. */
const chunkRows = 2048;
/** After this number of rows they go to the file. */
const flushRows = 50 * chunkRows;

/** Takes the records of a delivery as they are read, in the order of their files. */
export class Staging {
  private rows: DuckDBValue[][] = [];
  private unflushed = 0;

  private constructor(private readonly appender: DuckDBAppender) {}

  static async create(connection: DuckDBConnection): Promise<Staging> {
    await connection.run(
      `CREATE TABLE staged (${columns.map(([name, type]) => `${name} ${type.toString()}`).join(', ')})`,
    );
    return new Staging(await connection.createAppender('staged'));
  }

  add(part: Part, file: number, line: number, record: DeliveredRecord): void {
    const { owner, id, atMs, booked, currency, minorUnits, body } = record;
    const credit = minorUnits === null ? null : minorUnits >= 0n;
    const at = atMs === null ? null : BigInt(atMs);
    if (this.rows.push([part, owner, id, at, booked, credit, currency, file, line, body]) === chunkRows) this.append();
  }

  end(): void {
    this.append();
    this.appender.closeSync();
  }

  private append(): void {
    if (this.rows.length === 0) return;
    const chunk = DuckDBDataChunk.create(types, this.rows.length);
    chunk.setRows(this.rows);
    this.appender.appendDataChunk(chunk);
    this.unflushed += this.rows.length;
    this.rows = [];
    if (this.unflushed < flushRows) return;
    this.appender.flushSync();
    this.unflushed = 0;
  }
}
