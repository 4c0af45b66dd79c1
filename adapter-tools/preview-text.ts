import type { Preview } from './preview.js';
import type { RecordPreview, RowPreview } from './record-preview.js';
import type { WithoutRecord } from './shown-reads.js';

export function previewText(shown: Preview | RecordPreview | WithoutRecord): string {
  if ('without' in shown) return `${shown.without}: no account has a record of it that becomes a resource`;
  return 'rows' in shown ? rowByRow(shown) : sideBySide(shown);
}

function rowByRow({ read, accountRef, rows, more }: RecordPreview): string {
  const all = rows.length + more;
  const texts = rows.map((row, index) =>
    oneBelowTheOther(`${read} of account ${accountRef}, row ${index + 1} of ${all}`, row),
  );
  return [...texts, ...(more > 0 ? [`${more} more: --rows ${all} shows them`] : [])].join('\n');
}

function oneBelowTheOther(title: string, { row, fault, record = [], resource }: RowPreview): string {
  const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
  const ofCore = row === undefined ? [] : [`${title}: the core's row`, ...indented(row)];
  if (fault !== undefined) return [...ofCore, `${title}: no record, because ${fault}`].join('\n');
  return [
    ...ofCore,
    `${title}: the record of the adapter`,
    ...indented(record),
    ...(resource === undefined
      ? [`${title}: no resource, because the product does not show it or the standard cannot express a value`]
      : [`${title}: the resource that it becomes`, ...indented(resource)]),
  ].join('\n');
}

function sideBySide({ read, accountRef, lines, gateway }: Preview): string {
  const width = Math.min(60, Math.max(0, ...lines.map(({ core }) => core.length)));
  const rows = lines.flatMap(({ core, becomes, needed }) => {
    const [first = needed ? '(needed, but in no field by itself)' : '(not shown)', ...more] = becomes;
    return [`  ${core.padEnd(width)}  ${first}`, ...more.map((one) => `  ${' '.repeat(width)}  ${one}`)];
  });
  return [
    `${read} of account ${accountRef}`,
    ...rows,
    ...gateway.map((one) => `  ${'(the gateway)'.padEnd(width)}  ${one}`),
  ].join('\n');
}
