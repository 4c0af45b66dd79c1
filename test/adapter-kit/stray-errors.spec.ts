import { expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const loader = new URL('../support/typescript-loader.mjs', import.meta.url).href;
const program = fileURLToPath(new URL('./stray-errors.ts', import.meta.url));

// In a separate process: a test runner would take such errors for errors of the test.
it('an unhandled error of the adapter breaks the clause in which it occurs, and the other clauses are checked', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', loader, program]);
  expect(stdout.split('\n')).toEqual([
    'thrown: kept ',
    'thrown: broken an unhandled error would end the gateway: Error: a connection was reset',
    'rejected: kept ',
    'rejected: broken an unhandled error would end the gateway: Error: an unawaited promise',
    '',
  ]);
});
