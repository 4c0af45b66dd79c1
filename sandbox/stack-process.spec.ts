import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StackProcess } from './stack-process.js';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'stack-process-'))));
afterEach(() => rm(folder, { recursive: true }));

/** Its program counts the signals in `asked`, and reports that it is ready for them. */
async function started(onSignal: string): Promise<StackProcess> {
  const modulePath = join(folder, 'program.cjs');
  const count = `let asked = 0; process.on('SIGTERM', () => { asked++; ${onSignal} });`;
  await writeFile(modulePath, `${count} setInterval(() => undefined, 1000); process.send({ ready: true });`);
  const made = new StackProcess('the process', { modulePath }, process.env, 'inherit');
  await new Promise<void>((resolve) => made.onReport(() => resolve()));
  return made;
}

it('asks a process again that forgot to end', async () => {
  const forgetful = await started('if (asked === 2) process.exit(7);');
  expect(await forgetful.stop()).toBe(7);
});

it('gives the exit code of a process that ended before it was asked', async () => {
  const ready = await started('process.exit(3);');
  expect([await ready.stop(), await ready.stop()]).toEqual([3, 3]);
});
