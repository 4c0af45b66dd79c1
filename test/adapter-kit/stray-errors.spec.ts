import { expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const loader = new URL('../support/typescript-loader.mjs', import.meta.url).href;
const program = fileURLToPath(new URL('./stray-errors.ts', import.meta.url));

// In a process of its own: a test runner takes such errors for the test's.
it('an error that the adapter lets nobody handle breaks the clause in which it comes, and the others are judged', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', loader, program]);
  expect(stdout.split('\n')).toEqual([
    'thrown: kept ',
    'thrown: broken an error that nobody handles would end the gateway: Error: a connection was reset',
    'rejected: kept ',
    'rejected: broken an error that nobody handles would end the gateway: Error: a promise that nobody awaits',
    '',
  ]);
});
