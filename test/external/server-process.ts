import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServerSettings } from './authorization-server.js';

const script = fileURLToPath(new URL('./authorization-server.ts', import.meta.url));
const loader = new URL('../support/typescript-loader.mjs', import.meta.url).href;

/** The bank's own authorization server, as a process that can be stopped and started again with other settings. */
export class ServerProcess {
  private child: ChildProcess | undefined;
  /** Its standard error, to find the cause of a failed test. */
  faults = '';

  constructor(
    private readonly folder: string,
    private readonly settings: ServerSettings,
  ) {}

  get issuer(): string {
    return `https://127.0.0.1:${this.settings.port}`;
  }

  async start(changed: Partial<ServerSettings> = {}): Promise<void> {
    const file = join(this.folder, `authorization-server-${this.settings.port}.json`);
    await writeFile(file, JSON.stringify({ ...this.settings, ...changed }));
    const child = fork(script, [file], { execArgv: ['--import', loader], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    child.stderr?.on('data', (chunk: Buffer) => (this.faults += chunk.toString()));
    const ended = once(child, 'exit').then(() => {
      throw new Error(`the authorization server ended: ${this.faults}`);
    });
    await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => undefined);
    this.child = child;
  }

  async stop(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}
