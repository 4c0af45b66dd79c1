import type { AdapterUnderTest } from './adapter-under-test.js';
import { checkCoreAdapter, type ClauseResult } from './clause-results.js';
import type { ClauseId } from './clauses.js';
import { KitFault } from './kit-fault.js';

const marks = { kept: '✓', broken: '✗', skipped: '–' } as const;

/**
 * Checks the adapter without a test runner, and prints one line for each clause; or the reason why the kit cannot begin.
 *
 * @returns how many clauses the adapter does not keep; infinitely many where the kit cannot begin
 */
export function printCoreAdapterCheck(kit: AdapterUnderTest): Promise<number> {
  return printCheck(checkCoreAdapter(kit, undefined, progressLines()));
}

/** Prints the results of any kit. @returns how many clauses are broken; infinitely many where the kit cannot begin */
export async function printCheck(results: AsyncIterable<ClauseResult<string>>): Promise<number> {
  let broken = 0;
  try {
    for await (const result of results) {
      process.stdout.write(`${resultLine(result)}\n`);
      if (result.outcome === 'broken') broken++;
    }
    return broken;
  } catch (error) {
    if (!(error instanceof KitFault)) throw error;
    process.stdout.write(`The adapter cannot be checked: ${error.message}\n`);
    return Number.POSITIVE_INFINITY;
  }
}

const progressEveryMs = 5_000;

/** On standard error, because the results alone are on standard output. */
function progressLines(): (clause: ClauseId, text: string) => void {
  let lastMs = Date.now();
  return (clause, text) => {
    if (Date.now() - lastMs < progressEveryMs) return;
    lastMs = Date.now();
    process.stderr.write(`… ${clause}: ${text}\n`);
  };
}

/** One clause of any kit, as a line. */
function resultLine({ clause, outcome, reason }: ClauseResult<string>): string {
  const line = `${marks[outcome]} ${clause.id} ${clause.sentence}`;
  if (reason === undefined) return line;
  return outcome === 'broken' ? `${line}\n    ${reason.replaceAll('\n', '\n    ')}` : `${line} (skipped: ${reason})`;
}
