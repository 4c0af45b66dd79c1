import type { DuckDBConnection } from '@duckdb/node-api';
import { literal } from './duckdb.js';
import type { FeedFile, Part } from './feed-file.js';

/** A rule about several records of a delivery, and the query for the positions of the records that break it. */
interface Rule {
  readonly fault: string;
  readonly query: string;
}

/** How many bad records are named. */
export const mostNamed = 10;

/** One line for each record that contradicts another, at most {@link mostNamed}. @param files the names by their numbers */
export async function contradictions(
  connection: DuckDBConnection,
  file: FeedFile,
  files: readonly string[],
): Promise<string[]> {
  const faults: string[] = [];
  for (const { fault, query } of rulesOf(file)) {
    if (faults.length >= mostNamed) break;
    const rows = (
      await connection.runAndReadAll(`${query} ORDER BY 1, 2 LIMIT ${mostNamed - faults.length}`)
    ).getRows();
    for (const [number, line] of rows) faults.push(`${files[Number(number)]}, line ${Number(line)}: ${fault}`);
  }
  return faults;
}

function rulesOf({ parts }: FeedFile): Rule[] {
  const rules: Rule[] = [
    twice('accounts', 'owner', 'it has the reference of another account'),
    { fault: 'it has the IBAN of another account', query: repeated(`part = 'accounts' AND id IS NOT NULL`, 'id') },
    twice('holders', 'owner, id', 'it names a holder of the account for a second time'),
  ];
  for (const part of Object.keys(parts) as Part[]) {
    if (part === 'accounts') continue;
    if (part === 'party') rules.push(twice(part, 'owner', 'it names the customer for a second time'));
    else rules.push(orphan(part), ...(part === 'holders' ? [] : [ambiguous(part)]));
    if (['balances', 'transactions', 'statements'].includes(part)) rules.push(foreign(part));
  }
  if (parts.balances !== undefined)
    rules.push({
      fault: 'the account has no booked balance',
      query: `SELECT account.file, account.line FROM staged account WHERE account.part = 'accounts' AND NOT EXISTS (SELECT 1
        FROM staged balance WHERE balance.part = 'balances' AND balance.id = 'booked'
        AND balance.owner = account.owner)`,
    });
  return rules;
}

function twice(part: Part, columns: string, fault: string): Rule {
  return { fault, query: repeated(`part = ${literal(part)}`, columns) };
}

/** All but the first of the records that agree in the columns. */
function repeated(condition: string, columns: string): string {
  return `SELECT file, line FROM (SELECT file, line, row_number() OVER (PARTITION BY ${columns} ORDER BY file, line) AS n
    FROM staged WHERE ${condition}) WHERE n > 1`;
}

/** The latest of several balances of one kind counts, so two of the same time contradict each other. */
function ambiguous(part: Part): Rule {
  const columns = part === 'balances' ? 'owner, id, at_ms' : 'owner, id';
  return {
    fault:
      part === 'balances'
        ? 'the account has another balance of this kind and time'
        : 'it has the id of another record of the account',
    query: repeated(`part = ${literal(part)} AND id IS NOT NULL`, columns),
  };
}

function orphan(part: Part): Rule {
  return {
    fault: 'its account is not among the accounts',
    query: `SELECT record.file, record.line FROM staged record WHERE record.part = ${literal(part)} AND NOT EXISTS (SELECT 1
      FROM staged account WHERE account.part = 'accounts' AND account.owner = record.owner)`,
  };
}

function foreign(part: Part): Rule {
  return {
    fault: 'its amount is in another currency than the account',
    query: `SELECT record.file, record.line FROM staged record JOIN staged account
      ON account.part = 'accounts' AND account.owner = record.owner
      WHERE record.part = ${literal(part)} AND record.currency <> account.currency`,
  };
}
