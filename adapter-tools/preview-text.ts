import type { Preview } from './preview.js';
import type { RecordPreview } from './record-preview.js';
import type { WithoutRecord } from './shown-reads.js';

export function previewText(shown: Preview | RecordPreview | WithoutRecord): string {
  if ('without' in shown) return `${shown.without}: no account has a record of it that becomes a resource`;
  return 'record' in shown ? oneBelowTheOther(shown) : sideBySide(shown);
}

function oneBelowTheOther({ read, accountRef, record, resource }: RecordPreview): string {
  const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
  return [
    `${read} of account ${accountRef}: a record of the adapter`,
    ...indented(record),
    `${read} of account ${accountRef}: the resource that it becomes`,
    ...indented(resource),
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
