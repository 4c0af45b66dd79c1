import { mkdtempSync, readdirSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/persistence/package-root.js';
import { taggedBlocks } from '../support/documents.js';
import { freePort } from '../support/free-port.js';
import { Program, signal } from '../support/program.js';
import { freeStackPorts, portSettings } from './sandbox-stack.js';

export interface DocumentedCommands {
  /** Commands that the document leaves to its reader. */
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  readonly edit?: (commands: string) => string;
  readonly env?: NodeJS.ProcessEnv;
  /** Ports that the commands name, in addition to those of `npm start`. */
  readonly morePorts?: readonly string[];
}

/**
 * Runs the documents' commands with this tag in one shell, in an empty folder beneath a temporary one, with the project's
 * files as links. Each port is a free one in the place of that which the document names. `npm start` runs in the background
 * until the end, and the next command waits until it is ready.
 *
 * @returns the output
 * @throws Error with the output unless each command succeeds
 */
export async function runDocumented(
  tag: string,
  { before = [], after = [], edit = (same) => same, env = {}, morePorts = [] }: DocumentedCommands = {},
): Promise<string> {
  const commands = [...before, edit(taggedBlocks(tag).join('\n')), ...after];
  const parent = mkdtempSync(join(tmpdir(), 'walk-'));
  try {
    const folder = join(parent, 'gateway');
    await linkProject(folder);
    let script = ['set -eu', ...commands].join('\n').replaceAll(/^npm start$/gm, inBackground);
    if (script.includes(inBackground)) script += '\nkill $stack && wait $stack || true';
    const ports = await freeStackPorts();
    const replaced = Object.entries(portSettings).map(([name, port]) => [port, ports[name as keyof typeof ports]]);
    for (const port of morePorts) replaced.push([port, String(await freePort())]);
    for (const [port, free = ''] of replaced) script = script.replaceAll(new RegExp(`\\b${port}\\b`, 'g'), free);
    const environment = {
      PATH: `${join(packageRoot(), 'node_modules/.bin')}:${process.env['PATH']}`,
      HOME: process.env['HOME'],
      ...ports,
      ...env,
    };
    // Its processes are stopped together with it.
    const shell = new Program(['bash', '-c', script], environment, { cwd: folder, detached: true }).read();
    const code = await shell.ended.finally(() => signal(-(shell.child.pid ?? Number.NaN), 'SIGTERM'));
    if (code !== 0) throw new Error(`the commands test:${tag} ended with ${code}:\n${shell.faults}\n${shell.output}`);
    return shell.output + shell.faults;
  } finally {
    await rm(parent, { recursive: true });
  }
}

const inBackground = `npm start > stack.log 2>&1 & stack=$!
until curl -sSf "http://127.0.0.1:$CONSOLE_PORT/health" > /dev/null 2>&1; do
  kill -0 $stack || { cat stack.log; exit 1; }
  sleep 0.2
done`;

/** Links to all that lies in the project's folder, except for the folder that a walk writes. */
async function linkProject(folder: string): Promise<void> {
  await mkdir(folder);
  for (const name of readdirSync(packageRoot()))
    if (!['data', '.git'].includes(name)) await symlink(join(packageRoot(), name), join(folder, name));
}
