import type { ParameterKind } from '../dialect.js';
import { positioned } from '../named-parameters.js';
import type { OracleConnection } from './oracle.driver.js';

/** Reading or sorting fewer rows takes no noticeable time. */
const manyRows = 10_000;
const id = 'account-information-gateway';

const stepsQuery = `SELECT p.operation, p.options, p.object_name, p.cardinality, t.num_rows, p.access_predicates, p.filter_predicates
FROM plan_table p LEFT JOIN all_tables t ON t.owner = p.object_owner AND t.table_name = p.object_name
WHERE p.statement_id = '${id}' ORDER BY p.id`;

interface Step {
  readonly operation: string;
  readonly options: string | null;
  readonly table: string | null;
  readonly rows: number;
  readonly tableRows: number;
  readonly predicates: string;
}

/** The findings in a plan. */
interface Plan {
  readonly kinds: readonly ParameterKind[];
  readonly warnings: readonly string[];
}

/** The parameters are calls of a function in it, because no value is bound to a statement that is only explained. */
const standIn = (position: number): string => `SYS_CONTEXT('GATEWAY', 'P${position}')`;

/** @param sql with `:name` for each parameter */
export async function planOf(connection: OracleConnection, sql: string): Promise<Plan> {
  const { text, names } = positioned(sql, standIn);
  await connection.execute(`EXPLAIN PLAN SET STATEMENT_ID = '${id}' FOR ${text}`, {}, {});
  try {
    const { rows = [] } = await connection.execute(stepsQuery, {}, {});
    const steps = rows.map(stepOf);
    const predicates = steps.map((step) => step.predicates).join('\n');
    return { kinds: names.map((_, index) => kindIn(predicates, index + 1)), warnings: warningsOf(steps) };
  } finally {
    // The rows of the plan are written.
    await connection.rollback();
  }
}

/** The database compares a text with a column of numbers by a conversion, which the plan shows. */
function kindIn(predicates: string, position: number): ParameterKind {
  return predicates.includes(`TO_NUMBER(${standIn(position)})`) ? { greatest: 10n ** 100n } : 'text';
}

function stepOf(row: readonly unknown[]): Step {
  const [operation, options, table, rows, tableRows, access, filter] = row as (string | number | null)[];
  return {
    operation: String(operation),
    options: options as string | null,
    table: table as string | null,
    rows: Number(rows ?? 0),
    tableRows: Number(tableRows ?? 0),
    predicates: `${access ?? ''}\n${filter ?? ''}`,
  };
}

function warningsOf(steps: readonly Step[]): string[] {
  const tables = steps.flatMap(({ operation, options, table, tableRows }) =>
    operation === 'TABLE ACCESS' && options === 'FULL' && tableRows >= manyRows
      ? [`it reads the whole table ${table} of about ${tableRows} rows: an index is missing`]
      : [],
  );
  // The step after a sort is its input.
  const sortsMany = steps.some(
    ({ operation, options }, index) =>
      operation === 'SORT' && options?.startsWith('ORDER BY') === true && (steps[index + 1]?.rows ?? 0) >= manyRows,
  );
  return [...new Set(tables), ...(sortsMany ? ['it sorts many rows: an index in their order is missing'] : [])];
}
