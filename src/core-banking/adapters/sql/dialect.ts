import type { TlsTerms } from '../../../../packages/core-adapter/tls-files.js';
import type { As } from '../../record-mapping/mapping.js';
import type { SqlSettings } from './sql.settings.js';

/** The parts of SQL in which databases differ. Each is a text of a statement, with `:name` for a parameter. */
export interface Dialect {
  /** A statement that reads nothing. */
  readonly ping: string;
  /** At most this number of rows of a `SELECT` without an order. */
  readonly atMost: (select: string, rows: number) => string;
  /** The first rows of a `SELECT` that ends with its order; their number is the parameter `:limit`. */
  readonly first: (ordered: string) => string;
  /** A column as text that the database orders and compares by code unit. */
  readonly byCodeUnit: (column: string) => string;
  /** True where the condition is false or cannot be judged, in a form whose share of the rows the planner can estimate. */
  readonly unless: (condition: string) => string;
  /** A code of the file as a text that the database compares with the column of the code, whatever its type. */
  readonly literal: (code: string) => string;
  /** A column of the answer, in a form that the driver reads without loss. */
  readonly shown: (column: string, as: As | undefined) => string;
  /**
   * A bound of a column of times.
   * @param time the least one that is meant; the bound is the least value of the column that is not before it
   * @param type of the column, by the name that {@link Description} has
   */
  readonly bound: (parameter: string, time: string, type: string | undefined) => Bound;
  /** Opens no connection yet. @throws CoreSettingFault for a setting that the database or its driver cannot follow */
  readonly open: (settings: SqlSettings) => SqlDatabase;
}

/** The other side of a comparison with a column of times: its SQL, and the value of the parameter in it. */
export interface Bound {
  readonly sql: string;
  readonly value: string;
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
export type Parameters = Readonly<Record<string, string | number>>;

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
  /** Has the database judge a statement without running it. @throws StatementFault where it refuses the statement */
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
  /** Why its plan will be slow, by the size of the tables; one sentence each. */
  readonly warnings: readonly string[];
}

export interface DescribedColumn {
  readonly name: string;
  readonly kind: CellKind;
  /** Its type by the database's name, where {@link Dialect.bound} depends on it. */
  readonly type?: string;
}

/**
 * `date-and-time`: a day, or a time without a zone, as the mapping says; `too-fine`: a number of more digits after the point
 * than the driver reads exactly.
 */
export type CellKind =
  'text' | 'number' | 'too-fine' | 'boolean' | 'day' | 'local-time' | 'date-and-time' | 'instant' | 'other';

/** `number`: with the greatest number of it, because the database fails on a larger one. */
export type ParameterKind = 'text' | 'uuid' | 'other' | { readonly greatest: bigint };

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
