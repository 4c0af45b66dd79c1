import { instantOf } from '../../../../packages/core-adapter/local-times.js';
import type { TransactionQuery } from '../../../../packages/core-adapter/core.records.js';
import { zoneOffsetMs } from '../../../../packages/core-adapter/zone-offsets.js';
import type { BankFile, BankRead } from './bank-file.js';
import type { Dialect, Parameters, Statement } from './dialect.js';
import type { As, Column, Source } from '../../record-mapping/mapping.js';
import { codesMeaning, columnNames, recordsOfAccount } from './statements.js';
import { localTimeLength } from '../../record-mapping/times.js';

/** A page of an account's transactions: its statement and the values of the parameters. */
export interface Search {
  readonly statement: Statement;
  readonly parameters: Parameters;
}

/** Where a search looks, and how. */
interface SearchTarget {
  readonly file: BankFile;
  readonly read: BankRead;
  readonly dialect: Dialect;
}

/**
 * The first rows that the query asks for, in the direction of reading. The conditions and the order are on the columns as
 * they are, so that an index on the account and the time serves them.
 *
 * @param rows how many to read at most
 */
export function transactionStatement(
  { file, read, dialect }: SearchTarget,
  query: TransactionQuery,
  rows: number,
): Search {
  const { id, at } = read.columns as { readonly id: Column; readonly at: Column };
  const time = `r.${at.column}`;
  const key = dialect.byCodeUnit(`r.${id.column}`);
  const parameters: Record<string, string | number> = { limit: rows };
  const bound = (parameter: string, ms: number): string => {
    parameters[parameter] = lowerBound(ms, at.as, file.timeZone);
    return `:${parameter}`;
  };
  const conditions = excludedRows(read, query, dialect).map(dialect.unless);
  if (query.from !== undefined) conditions.push(`${time} >= ${bound('from_time', query.from.getTime())}`);
  if (query.to !== undefined) conditions.push(`${time} < ${bound('to_time', query.to.getTime())}`);
  if (query.position !== undefined) {
    const { atMs, id: last } = query.position;
    const start = bound('start_of_position', atMs);
    const end = bound('end_of_position', atMs + 1);
    parameters.id = last;
    conditions.push(
      query.read === 'older'
        ? `${time} < ${end} AND (${time} < ${start} OR ${key} < :id)`
        : `${time} >= ${start} AND (${time} >= ${end} OR ${key} > :id)`,
    );
  }
  const columns = columnNames(read.columns);
  const where = conditions.length === 0 ? '' : `\nWHERE ${conditions.join('\n  AND ')}`;
  const direction = query.read === 'older' ? 'DESC' : 'ASC';
  const select = `SELECT 1 AS present, ${columns.map((column) => `r.${column}`).join(', ')} FROM (\n${read.query}\n) r${where}`;
  const records = dialect.first(`${select}\nORDER BY ${time} ${direction}, ${key} ${direction}`, ':limit');
  return { statement: { sql: recordsOfAccount(file, records, read.columns) }, parameters };
}

/** The rows that are known to be of the other side or status: a row that cannot be read has to be named. */
function excludedRows({ columns }: BankRead, { direction, status }: TransactionQuery, { literal }: Dialect): string[] {
  const listOf = (codes: readonly string[]): string => codes.map(literal).join(', ');
  const others: string[] = [];
  const { column, sign } = columns.amount as Column;
  const amount = `r.${column}`;
  if (direction === 'credit')
    others.push(sign === undefined ? `${amount} < 0` : `r.${sign.column} IN (${listOf(sign.debit)}) AND ${amount} > 0`);
  if (direction === 'debit')
    others.push(
      sign === undefined ? `${amount} >= 0` : `r.${sign.column} IN (${listOf(sign.credit)}) OR ${amount} = 0`,
    );
  const source = columns.status as Source;
  if (status === undefined) return others;
  if (!('column' in source)) return source.value === status ? others : [...others, '1 = 1'];
  const unbooked = (['pending', 'rejected'] as const).flatMap((meaning) => codesMeaning(source, meaning));
  return unbooked.length === 0 ? others : [...others, `r.${source.column} IN (${listOf(unbooked)})`];
}

/** Databases know fewer times than JavaScript. A time outside these limits is replaced by the limit. */
const [earliestMs, latestMs] = [Date.UTC(1000, 0, 2), Date.UTC(9999, 11, 30)];
const dayMs = 86_400_000;

/** The least value of the column that means `ms` or later, as the database takes it. */
function lowerBound(ms: number, as: As | undefined, timeZone = ''): string {
  const clamped = Math.min(Math.max(ms, earliestMs), latestMs);
  if (as === 'instant') return new Date(clamped).toISOString();
  if (as === 'local-time') return localText(firstLocalMs(clamped, timeZone));
  // A day counts as its 00:00 UTC.
  const day = new Date(Math.ceil(clamped / dayMs) * dayMs).toISOString().slice(0, 10);
  return as === 'day' ? day : day.replaceAll('-', '');
}

const localText = (localMs: number): string => new Date(localMs).toISOString().slice(0, localTimeLength);

/** Clocks are put back by quarters of an hour, and at their beginning. */
const quarterMs = 15 * 60_000;

/**
 * The least time of the zone's clocks, as if it were UTC, that means `ms` or later. A time that the clocks show twice means
 * the first: the second pass is as long as the clocks were put back, and the times after it are later.
 */
function firstLocalMs(ms: number, timeZone: string): number {
  const isOfSecondPass = (localMs: number, trueMs: number): boolean =>
    instantOf(localText(localMs), timeZone, 'at').getTime() < trueMs;
  let at = ms;
  let localMs = at + zoneOffsetMs(at, timeZone);
  while (isOfSecondPass(localMs, at)) {
    at = (Math.floor(at / quarterMs) + 1) * quarterMs;
    localMs = at + zoneOffsetMs(at, timeZone);
  }
  return localMs;
}
