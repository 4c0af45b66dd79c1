import type { Preview, RowPreview } from './preview.js';
import type { WithoutRecord } from './shown-reads.js';

export function previewText(shown: Preview | WithoutRecord): string {
  if ('without' in shown) return `${shown.without}: no account has a record of it that becomes a resource`;
  return rowByRow(shown);
}

function rowByRow({ read, accountRef, rows, more }: Preview): string {
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
