// Pieces of SQL on tables of intervals, each with `begin_ms` and `end_ms`, of which the end does not belong to it.

/**
 * Joins the intervals of a table that meet or overlap.
 * @param by columns within whose values intervals are joined
 * @param carried a column of which the joined interval has the value of its first part
 */
export function joined(table: string, by: readonly string[] = [], carried?: string): string {
  const columns = by.map((column) => `${column}, `).join('');
  const partition = by.length === 0 ? '' : `PARTITION BY ${by.join(', ')} `;
  const window = `OVER (${partition}ORDER BY begin_ms, end_ms`;
  return `SELECT ${columns}min(begin_ms) AS begin_ms, max(end_ms) AS end_ms
      ${carried === undefined ? '' : `, arg_min(${carried}, begin_ms) AS ${carried}`}
    FROM (
      SELECT *, count_if(begins) ${window}, begins DESC ROWS UNBOUNDED PRECEDING) AS island
      FROM (
        SELECT *, begin_ms > coalesce(max(end_ms) ${window} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), begin_ms - 1) AS begins
        FROM ${table}
      )
    ) GROUP BY ${columns}island`;
}

/** The common parts of the intervals of two tables; a row has the columns of the first. */
export function common(one: string, other: string): string {
  return `SELECT one.* REPLACE (greatest(one.begin_ms, other.begin_ms) AS begin_ms, least(one.end_ms, other.end_ms) AS end_ms)
    FROM ${one} one JOIN ${other} other ON one.begin_ms < other.end_ms AND other.begin_ms < one.end_ms`;
}
