import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { positioned } from '../../../src/core-banking/adapters/sql/named-parameters.js';
import { administer } from '../../support/fresh-database.js';
import type { Cells } from '../../support/expressed-records.js';

/** One statement of the bank's file that writes a record, and the values of its parameters. */
export interface Insertion {
  /** Its path in the file. */
  readonly place: string;
  readonly sql: string;
  readonly cells: Cells;
}

/** How many statements are sent at a time. */
const batch = 1_000;

/** A database of the test's PostgreSQL that holds a bank's tables. */
export class FilledDatabase {
  private constructor(
    private readonly server: string,
    private readonly name: string,
    private readonly client: pg.Client,
  ) {}

  /** @param schema makes the tables; it is not needed where `template` is a database that has them */
  static async create(
    server: string,
    { schema, template }: { schema?: string; template?: string },
  ): Promise<FilledDatabase> {
    const name = `core_${randomBytes(6).toString('hex')}`;
    await administer(server, `CREATE DATABASE ${name}${template === undefined ? '' : ` TEMPLATE ${template}`}`);
    const url = new URL(server);
    url.pathname = name;
    const client = new pg.Client(url.href);
    await client.connect();
    const database = new FilledDatabase(server, name, client);
    if (schema !== undefined) await database.orDrop(() => client.query(schema));
    return database;
  }

  /** `host:port/name`. */
  get address(): string {
    return `${new URL(this.server).host}/${this.name}`;
  }

  async insert(insertions: readonly Insertion[]): Promise<void> {
    for (let start = 0; start < insertions.length; start += batch) {
      const some = insertions.slice(start, start + batch);
      const statements = some.map(textOf);
      try {
        // The server runs them in one transaction.
        await this.client.query(statements.join(';\n'));
      } catch {
        // Once more, one after the other: the error of many does not say which of them failed.
        for (const [index, statement] of statements.entries())
          await this.client.query(statement).catch((error: unknown) => {
            const { code, message } = error as pg.DatabaseError;
            throw Object.assign(
              new Error(`${some[index]?.place} failed: ${message} (SQLSTATE ${code}): ${statement}`),
              { code },
            );
          });
      }
    }
    // The server would do so later; until then it plans as if the tables were empty.
    if (insertions.length > batch) await this.client.query('VACUUM ANALYZE');
  }

  async empty(): Promise<void> {
    const { rows } = await this.client.query<{ name: string }>(
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    await this.client.query(`TRUNCATE ${rows.map(({ name }) => `public.${name}`).join(', ')} CASCADE`);
  }

  async setTimeZone(timeZone: string): Promise<void> {
    await administer(this.server, `ALTER DATABASE ${this.name} SET timezone = '${timeZone}'`);
  }

  /** Ends this connection to it. It can be a template then. */
  async asTemplate(): Promise<string> {
    await this.client.end();
    return this.name;
  }

  /** A connection that stays open would keep the kit's process alive after its report. */
  async orDrop(fill: () => Promise<unknown>): Promise<void> {
    try {
      await fill();
    } catch (error) {
      await this.drop();
      throw error;
    }
  }

  async drop(): Promise<void> {
    await this.client.end();
    await administer(this.server, `DROP DATABASE ${this.name} WITH (FORCE)`);
  }
}

/** With literals, which take the types of their places, so that many statements can go in one text. */
function textOf({ place, sql, cells }: Insertion): string {
  return positioned(sql, (_, name) => {
    if (!Object.hasOwn(cells, name))
      throw new Error(
        `${place} writes :${name}, but the columns of its read are ${Object.keys(cells).sort().join(', ')}`,
      );
    const cell = cells[name];
    return cell === null || cell === undefined ? 'NULL' : `'${cell.replaceAll("'", "''")}'`;
  }).text;
}
