import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/persistence/package-root.js';
import { taggedBlocks } from '../support/documents.js';
import { freePort } from '../support/free-port.js';

/** The settings of the ports on which `npm start` listens, and their defaults, which the walks name. */
const portSettings = {
  PORT: '3000',
  BANK_PORT: '3001',
  SANDBOX_PORT: '3002',
  BROWSER_PORT: '3003',
  MTLS_PORT: '3004',
  TPP_PORT: '3005',
  CONSOLE_PORT: '3006',
} as const;

interface ShellEnd {
  readonly code: number | null;
  readonly said: string;
  readonly faults: string;
}

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
    const settings: NodeJS.ProcessEnv = {};
    for (const port of [...Object.values(portSettings), ...morePorts]) {
      const free = String(await freePort());
      script = script.replaceAll(new RegExp(`\\b${port}\\b`, 'g'), free);
      for (const [name, value] of Object.entries(portSettings)) if (value === port) settings[name] = free;
    }
    const { code, said, faults } = await runShell(script, folder, { ...settings, ...env });
    if (code !== 0) throw new Error(`the commands test:${tag} ended with ${code}:\n${faults}\n${said}`);
    return said + faults;
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

async function runShell(script: string, cwd: string, settings: NodeJS.ProcessEnv): Promise<ShellEnd> {
  const shell = spawn('bash', ['-c', script], {
    cwd,
    env: {
      PATH: `${join(packageRoot(), 'node_modules/.bin')}:${process.env['PATH']}`,
      HOME: process.env['HOME'],
      ...settings,
    },
    // Its processes are stopped together with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [said, faults] = ['', ''];
  shell.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  shell.stderr.on('data', (chunk: Buffer) => (faults += chunk.toString()));
  try {
    const [code] = (await once(shell, 'exit')) as [number | null];
    return { code, said, faults };
  } finally {
    try {
      process.kill(-(shell.pid ?? Number.NaN), 'SIGTERM');
    } catch {
      // They ended by themselves.
    }
  }
}
