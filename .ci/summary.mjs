// `node .ci/summary.mjs <folder>`: lists the failures of all parts of a run once more, and prints the counts in the last line.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const [, , folder] = process.argv;
const failedParts = existsSync(join(folder, 'failed-parts'))
  ? readFileSync(join(folder, 'failed-parts'), 'utf8').trimEnd().split('\n')
  : [];
const reports = readdirSync(join(folder, 'json')).map((file) =>
  JSON.parse(readFileSync(join(folder, 'json', file), 'utf8')),
);
const sum = (...keys) => reports.reduce((total, report) => keys.reduce((all, key) => all + report[key], total), 0);

const skipped = sum('numPendingTests', 'numTodoTests');
if (skipped > 0) console.log(`${skipped} skipped`);
for (const part of failedParts) console.log(`FAILED part: ${part}`);
for (const { name, message, assertionResults } of reports.flatMap(({ testResults }) => testResults)) {
  const failed = assertionResults
    .filter(({ status }) => status === 'failed')
    .map((test) => [test.fullName, test.failureMessages.join('\n')]);
  if (assertionResults.length === 0 && message) failed.push(['the file could not be run', message]);
  for (const [test, reason] of failed) {
    const lines = stripVTControlCharacters(reason)
      .split('\n')
      .filter((line) => line.trim() !== '' && !line.includes('node_modules'));
    console.log(`FAILED ${relative('.', name)}: ${test}\n  ${lines.slice(0, 6).join('\n  ')}`);
  }
}
// A suite that could not be run counts as one failure, and so does a part that failed where no test did.
const failedTests = sum('numFailedTests', 'numRuntimeErrorTestSuites');
const failedRuns = reports.filter(({ success }) => !success).length;
const failed = failedTests + Math.max(0, failedParts.length - failedRuns);
console.log(`${sum('numPassedTests')} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
