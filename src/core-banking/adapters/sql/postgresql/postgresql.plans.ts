import type pg from 'pg';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Plan Rows': number;
  readonly Plans?: readonly PlanNode[];
}

/** Reading or sorting fewer rows takes no noticeable time. */
const manyRows = 10_000;

/** Why the plan of a prepared statement is slow, whatever the values of its parameters. */
export async function planWarnings(client: pg.Client, execution: string): Promise<string[]> {
  await client.query('SET plan_cache_mode = force_generic_plan');
  const nodes = nodesOf(await planOf(client, execution).finally(() => client.query('RESET plan_cache_mode')));
  const sizes = await sizesOf(client, nodes);
  const warnings = [...sizes].map(
    ([table, size]) => `it reads the whole table ${table} of about ${size} rows: an index is missing`,
  );
  const sortsMany = nodes.some(
    (node) => node['Node Type'] === 'Sort' && (node.Plans?.[0]?.['Plan Rows'] ?? 0) >= manyRows,
  );
  return sortsMany ? [...warnings, 'it sorts many rows: an index in their order is missing'] : warnings;
}

async function planOf(client: pg.Client, execution: string): Promise<PlanNode> {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (FORMAT JSON) EXECUTE ${execution}`);
  const [{ Plan: plan }] = JSON.parse(rows[0]?.['QUERY PLAN'] as string) as [{ readonly Plan: PlanNode }];
  return plan;
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** The large tables that are read as a whole, with their rows. */
async function sizesOf(client: pg.Client, nodes: readonly PlanNode[]): Promise<ReadonlyMap<string, number>> {
  const names = nodes.flatMap((node) => (node['Node Type'] === 'Seq Scan' ? (node['Relation Name'] ?? []) : []));
  if (names.length === 0) return new Map();
  const { rows } = await client.query<{ relname: string; size: string }>(
    'SELECT relname, max(reltuples)::bigint AS size FROM pg_class WHERE relname = ANY ($1) GROUP BY relname',
    [names],
  );
  return new Map(
    rows.map(({ relname, size }) => [relname, Number(size)] as const).filter(([, size]) => size >= manyRows),
  );
}
