// How the scripts start one of the project's tools: the same Node, no shell, so that it works on every system.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Runs `node <args>` in the project's folder with our own output; ends this process with its exit code if it fails. */
export function runNode(args, env = process.env) {
  const { status, signal, error } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env });
  if (error) throw error;
  if (signal) process.kill(process.pid, signal);
  if (status !== 0) process.exit(status ?? 1);
}

/** Runs the command line `name` in this process: the file `entry` of dist/, where there is one. */
export async function runBuilt(name, entry) {
  const url = new URL(`../dist/${entry}`, import.meta.url);
  if (existsSync(url)) {
    await import(url.href);
    return;
  }
  console.error(
    `${name}: nothing is built yet. Start the stack with \`npm start\` first (or build it with \`npm run build\`).`,
  );
  process.exitCode = 1;
}

/** Whether the file `made` is not there, or older than one of those that it is made from. */
export function isOlder(made, sources) {
  const modifiedAtMs = (path) => statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return modifiedAtMs(made) < Math.max(...sources.map(modifiedAtMs));
}
