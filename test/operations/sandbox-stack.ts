import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/persistence/package-root.js';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';
import { compileCache } from './gateway-process.js';

const portSettings = [
  'PORT',
  'BANK_PORT',
  'SANDBOX_PORT',
  'BROWSER_PORT',
  'MTLS_PORT',
  'TPP_PORT',
  'CONSOLE_PORT',
] as const;

type PortSetting = (typeof portSettings)[number];

/** The whole stack as `npm start` starts it, on free ports and in a temporary folder. */
export class SandboxStack {
  private child: ChildProcess | undefined;
  /** The output and the faults of the stack. */
  output = '';

  private constructor(
    readonly ports: Readonly<Record<PortSetting, number>>,
    readonly dataDir: string,
    private readonly settings: NodeJS.ProcessEnv,
  ) {}

  /** @param settings in addition to the ports and the folder */
  static async start(settings: NodeJS.ProcessEnv = {}): Promise<SandboxStack> {
    const numbers: [string, number][] = [];
    for (const name of portSettings) numbers.push([name, await freePort()]);
    const dataDir = await mkdtemp(join(tmpdir(), 'sandbox-stack-'));
    const stack = new SandboxStack(Object.fromEntries(numbers) as SandboxStack['ports'], dataDir, settings);
    await stack.run();
    return stack;
  }

  get consoleUrl(): string {
    return `http://localhost:${this.ports.CONSOLE_PORT}`;
  }

  get environment(): NodeJS.ProcessEnv {
    const set = Object.fromEntries(Object.entries(this.ports).map(([name, port]) => [name, String(port)]));
    const { PATH, HOME } = process.env;
    return { PATH, HOME, ...compileCache(), DATA_DIR: this.dataDir, ...set, ...this.settings };
  }

  /** Starts it, for the first time or again. */
  async run(): Promise<void> {
    const child = spawn(process.execPath, ['dist/sandbox/start.js'], { cwd: packageRoot(), env: this.environment });
    this.child = child;
    let ended = false;
    child.once('exit', () => (ended = true));
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (this.output += text.toString()));
    const answers = (): Promise<boolean> =>
      fetch(`${this.consoleUrl}/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(async () => ended || (await answers()));
    if (ended) throw new Error(`the stack ended: ${this.output}`);
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }

  async close(): Promise<void> {
    await this.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
