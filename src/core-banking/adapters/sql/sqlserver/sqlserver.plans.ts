/** Reading or sorting fewer rows takes no noticeable time. */
const manyRows = 10_000;
const scans = ['Table Scan', 'Clustered Index Scan', 'Index Scan'];

interface Step {
  readonly attributes: Readonly<Record<string, string>>;
  /** The first table that it or a step below it names. */
  readonly table: string;
}

/** Why a plan is slow. @param plan as `SET SHOWPLAN_XML ON` shows it */
export function planWarnings(plan: string): string[] {
  const steps = stepsOf(plan);
  const warnings = steps.flatMap(({ attributes, table }) => {
    const size = Number(attributes.TableCardinality ?? 0);
    return scans.includes(attributes.PhysicalOp ?? '') && size >= manyRows
      ? [`it reads the whole table ${table} of about ${Math.round(size)} rows: an index is missing`]
      : [];
  });
  // The first step below a sort is its input.
  const sortsMany = steps.some(
    ({ attributes }, index) =>
      attributes.PhysicalOp === 'Sort' && Number(steps[index + 1]?.attributes.EstimateRows ?? 0) >= manyRows,
  );
  return [...new Set(warnings), ...(sortsMany ? ['it sorts many rows: an index in their order is missing'] : [])];
}

/** The steps in the order of the document: each before those below it. */
function stepsOf(plan: string): Step[] {
  return [...plan.matchAll(/<RelOp\s([^>]*)>/g)].map(({ 1: attributes = '', index }) => ({
    attributes: Object.fromEntries(
      [...attributes.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
    ),
    table: /<Object\s[^>]*\bTable="\[([^"]*)\]"/.exec(plan.slice(index))?.[1] ?? '',
  }));
}
