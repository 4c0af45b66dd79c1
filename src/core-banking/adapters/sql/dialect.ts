import { CoreError } from '../../../../packages/core-adapter/core-error.js';
import type { TlsTerms } from '../../../../packages/core-adapter/tls-files.js';
import type { SqlSettings } from './sql.settings.js';

/** The parts of SQL in which databases differ. Each is a text of a statement, with `:name` for a parameter. */
export interface Dialect {
  /** A statement that reads nothing. */
  readonly ping: string;
  /** The first rows of a `SELECT`; their number is a literal or a parameter. */
  readonly first: (select: string, rows: number | ':limit') => string;
  /** A column as text that the database orders and compares by code unit. */
  readonly byCodeUnit: (column: string) => string;
  /** True where the condition is false or unknown, in a form whose share of the rows the planner can estimate. */
  readonly unless: (condition: string) => string;
  /** A code of the file as a text that the database compares with the column of the code, whatever its type. */
  readonly literal: (code: string) => string;
  /** Opens no connection yet. */
  readonly open: (settings: SqlSettings) => SqlDatabase;
}

/** `'…'`, in which standard SQL doubles the quotes. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * One value of a row, in one form whatever the database: a number in its digits, a day as `2026-11-20`, a time without a zone
 * as `2026-11-20T12:00:17.250`, an instant as the same in UTC with a `Z`, a boolean as `true` or `false`. Times have three
 * digits of the second or, where further ones are not zero, more.
 */
export type Cell = string | null;

/** The values of a statement's parameters, by their names. */
export type Parameters = Readonly<Record<string, string | number | null>>;

export interface Statement {
  /** With `:name` for each parameter. */
  readonly sql: string;
  /** Absent where each call is planned with its own values. */
  readonly name?: string;
}

/** The connections to a database. Each fault of a call is a `CoreError` without the database's words. */
export interface SqlDatabase {
  /** The rows of a statement. When the signal fires, the call ends at once, and the statement at the server soon after. */
  rows(statement: Statement, parameters: Parameters, signal: AbortSignal): Promise<Cell[][]>;
  /** Has the database check a statement without running it. @throws StatementFault where it refuses the statement */
  describe(sql: string, signal: AbortSignal): Promise<Description>;
  /** Statements under way end on their connections; the next ones open new ones, with these certificates. */
  useCertificates(terms: TlsTerms): void;
  close(): Promise<void>;
}

/** How the database understands a statement. */
export interface Description {
  readonly columns: readonly DescribedColumn[];
  /** By the order of the parameters in the statement. */
  readonly parameters: readonly { readonly name: string; readonly kind: ParameterKind }[];
}

export interface DescribedColumn {
  readonly name: string;
  readonly kind: CellKind;
}

export type CellKind = 'text' | 'number' | 'boolean' | 'day' | 'local-time' | 'instant' | 'other';

/** `number`: with the greatest number of it, because the database fails on a larger one. */
export type ParameterKind = 'text' | 'uuid' | 'other' | { readonly greatest: bigint };

/** The fault of a call whose signal fires. */
export function late(): CoreError {
  return new CoreError('timeout', 'the database did not answer before the deadline');
}

/** A statement of the bank's file that the database refuses. */
export class StatementFault extends Error {
  override readonly name = 'StatementFault';

  constructor(
    /** In our own words. */
    readonly fault: string,
    /** The number of the line of the statement, from 1, where the database names one. */
    readonly line?: number,
  ) {
    super(fault);
  }
}
