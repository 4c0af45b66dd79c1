import type { AdapterUnderTest } from './adapter-under-test.js';
import { checkCoreAdapter, type ClauseResult } from './clause-results.js';

export const marks = { kept: '✓', broken: '✗', 'left-out': '–' } as const;

/** Judges the adapter without a test runner, and prints one line for each clause. @returns how many are broken */
export async function printCoreAdapterCheck(kit: AdapterUnderTest): Promise<number> {
  let broken = 0;
  for await (const result of checkCoreAdapter(kit)) {
    process.stdout.write(`${resultLine(result)}\n`);
    if (result.outcome === 'broken') broken++;
  }
  return broken;
}

function resultLine({ clause, outcome, reason }: ClauseResult): string {
  const line = `${marks[outcome]} ${clause.id} ${clause.sentence}`;
  if (reason === undefined) return line;
  return outcome === 'broken' ? `${line}\n    ${reason.replaceAll('\n', '\n    ')}` : `${line} (left out: ${reason})`;
}
