import type { Preview } from './preview.js';

/** Side by side, as a person reads it. */
export function previewText({ read, accountRef, lines, gateway }: Preview): string {
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
