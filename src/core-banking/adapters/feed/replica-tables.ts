import type { DuckDBConnection } from '@duckdb/node-api';
import type { AccountRead } from '../../../../packages/core-adapter/core.adapter.js';
import { literal } from './duckdb.js';
import type { FeedFile, Part } from './feed-file.js';

/** The reads whose records are kept in the table `record`, a few for each account. */
export type FewRead = Exclude<AccountRead, 'transactions' | 'party'>;

/** The facts that a replica keeps about itself. */
export interface ReplicaFacts {
  readonly id: string;
  readonly asOfMs: number;
  /** SHA-256 of all files of the delivery. */
  readonly contentHash: string;
  readonly parts: readonly Part[];
}

/**
 * Makes the tables of the attached database `replica` from `staged`. Each is sorted as it is read, so that the engine
 * reads only the blocks of one account. (An index over ten million rows would have to fit into the memory.)
 */
export async function makeReplica(connection: DuckDBConnection, file: FeedFile, facts: ReplicaFacts): Promise<void> {
  const { parts } = file;
  await connection.run(
    `CREATE TABLE replica.account AS SELECT CAST(row_number() OVER (ORDER BY owner) AS INTEGER) AS number, owner AS ref,
      body FROM staged WHERE part = 'accounts' ORDER BY owner`,
  );
  await connection.run(
    `CREATE TABLE replica.holder AS SELECT record.id AS customer, account.number AS account FROM staged record
      JOIN replica.account account ON account.ref = record.owner WHERE record.part = 'holders' ORDER BY 1, 2`,
  );
  await connection.run(
    `CREATE TABLE replica.party AS SELECT owner AS customer, body FROM staged WHERE part = 'party' ORDER BY 1`,
  );
  await connection.run(
    `CREATE TABLE replica.transaction (account INTEGER, at_ms BIGINT, id VARCHAR, booked BOOLEAN, credit BOOLEAN, body VARCHAR)`,
  );
  await connection.run(`CREATE TABLE replica.record (account INTEGER, read VARCHAR, place INTEGER, body VARCHAR)`);
  for (const part of Object.keys(parts) as Part[]) await fill(connection, part, file.history);
  await connection.run(`CREATE TABLE replica.facts AS SELECT ${literal(JSON.stringify(facts))} AS facts`);
}

async function fill(connection: DuckDBConnection, part: Part, history: FeedFile['history']): Promise<void> {
  if (part === 'accounts' || part === 'holders' || part === 'party') return;
  const from = `staged record JOIN replica.account account ON account.ref = record.owner WHERE record.part = ${literal(part)}`;
  if (part === 'transactions') {
    const own = `SELECT account.number AS account, at_ms, record.id, booked, credit, record.body FROM ${from}`;
    const all = history === 'added' ? `${own} UNION ALL ${previousRows}` : own;
    await connection.run(`INSERT INTO replica.transaction ${all} ORDER BY account, at_ms, id`);
  } else if (part === 'balances') {
    await connection.run(
      `INSERT INTO replica.record SELECT account.number, 'balances', 0, arg_max(record.body, at_ms) FROM ${from}
        GROUP BY account.number, record.id ORDER BY account.number, record.id`,
    );
  } else {
    await connection.run(
      `INSERT INTO replica.record SELECT account.number, ${literal(part)}, row_number() OVER (PARTITION BY account.number
        ORDER BY at_ms DESC NULLS LAST, file, line), record.body FROM ${from} ORDER BY 1, 3`,
    );
  }
}

/** The booked history of the replica in use, but for the transactions that come again. */
const previousRows = `SELECT account.number AS account, old.at_ms, old.id, old.booked, old.credit, old.body FROM previous.transaction old
    JOIN previous.account old_account ON old_account.number = old.account
    JOIN replica.account account ON account.ref = old_account.ref
    WHERE old.booked AND NOT EXISTS (SELECT 1 FROM staged record
      WHERE record.part = 'transactions' AND record.owner = account.ref AND record.id = old.id)`;

/** @throws where the database is not a replica */
export async function factsOf(connection: DuckDBConnection): Promise<ReplicaFacts> {
  const [row] = (await connection.runAndReadAll('SELECT facts FROM facts')).getRows();
  return JSON.parse(String(row?.[0])) as ReplicaFacts;
}
