// Runs once, before the workers start.
import { spawnSync } from 'node:child_process';
import postgres from './postgres.setup.js';

export default function setup() {
  postgres();
  // The tests start the gateway as it is shipped. A repeated build does only the steps whose input changed.
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build.mjs'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the build ended with ${status}: ${stderr}`);
}
