import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/persistence/package-root.js';
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

/** A page of the documents, and its blocks of code. */
export class Walk {
  readonly text: string;

  constructor(readonly name: string) {
    this.text = readFileSync(join(packageRoot(), 'docs', 'bank', `${name}.md`), 'utf8');
  }

  /** The blocks of a language, in their order; the empty one is that of printed lines. */
  blocks(language: string): string[] {
    return [...this.text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)]
      .filter(([, found]) => found === language)
      .map(([, , block]) => block ?? '');
  }
}

export interface WalkEnd {
  readonly code: number | null;
  readonly said: string;
  readonly faults: string;
}

/**
 * Runs the commands of a walk in one shell, in an empty folder beneath a temporary one, with the project's files as links.
 * Each port is a free one in the place of that which the walk names. `npm start` runs in the background until the end of the
 * walk, and the next command waits until it is ready.
 *
 * @param morePorts that the walk names, in addition to those of `npm start`
 */
export async function runWalk(
  commands: readonly string[],
  { env = {}, morePorts = [] }: { readonly env?: NodeJS.ProcessEnv; readonly morePorts?: readonly string[] } = {},
): Promise<WalkEnd> {
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
    return await runShell(script, folder, { ...settings, ...env });
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

async function runShell(script: string, cwd: string, settings: NodeJS.ProcessEnv): Promise<WalkEnd> {
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
