import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { until } from './until.js';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const loader = new URL('./typescript-loader.mjs', import.meta.url).href;

/** A gateway in a separate process with its own settings, and all its output. */
export class RunningGateway {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';

  /** @param entry the file that Node runs; by default the gateway's sources */
  constructor(
    environment: Readonly<Record<string, string>>,
    nodeOptions: readonly string[] = [],
    entry: readonly string[] = ['--import', loader, main],
  ) {
    this.child = spawn(process.execPath, [...nodeOptions, ...entry], {
      env: { PATH: process.env['PATH'] ?? '', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
  }

  /** Its log records so far whose message fits. */
  records(message: RegExp): { level: number; fault?: string; msg: string }[] {
    return this.stdout
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as { level: number; fault?: string; msg: string })
      .filter(({ msg }) => message.test(msg));
  }

  async ready(): Promise<void> {
    await until(() => this.records(/^ready$/).length > 0 || this.child.exitCode !== null, 300_000);
    if (this.child.exitCode !== null) throw new Error(`the gateway ended: ${this.stderr}`);
  }

  /** Sends SIGHUP and waits for the gateway's record of it. */
  async hangUp(): Promise<{ level: number; fault?: string; msg: string }> {
    const told = /were read again|SIGHUP changed nothing/;
    const before = this.records(told).length;
    this.child.kill('SIGHUP');
    await until(() => this.records(told).length > before, 300_000);
    return this.records(told)[before] as { level: number; fault?: string; msg: string };
  }

  async ended(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    return this.child.exitCode;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGKILL');
    await this.ended();
  }
}
