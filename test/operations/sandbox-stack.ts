import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port.js';
import { Program, statusAt } from '../support/program.js';
import { compileCache } from './gateway-process.js';

/** The settings of the ports on which `npm start` listens, and their defaults, which the documents name. */
export const portSettings = {
  PORT: '3000',
  BANK_PORT: '3001',
  SANDBOX_PORT: '3002',
  BROWSER_PORT: '3003',
  MTLS_PORT: '3004',
  TPP_PORT: '3005',
  CONSOLE_PORT: '3006',
} as const;
export type StackPorts = Record<keyof typeof portSettings, string>;

export async function freeStackPorts(): Promise<StackPorts> {
  const ports = { ...portSettings } as StackPorts;
  for (const name of Object.keys(ports)) ports[name as keyof StackPorts] = String(await freePort());
  return ports;
}

/** The whole stack as `npm start` starts it, on free ports and in a temporary folder. */
export class SandboxStack {
  private program: Program | undefined;

  private constructor(
    readonly ports: StackPorts,
    readonly dataDir: string,
    private readonly settings: NodeJS.ProcessEnv,
  ) {}

  /** @param settings in addition to the ports and the folder */
  static async start(settings: NodeJS.ProcessEnv = {}): Promise<SandboxStack> {
    const dataDir = await mkdtemp(join(tmpdir(), 'sandbox-stack-'));
    const stack = new SandboxStack(await freeStackPorts(), dataDir, settings);
    await stack.run();
    return stack;
  }

  get consoleUrl(): string {
    return `http://localhost:${this.ports.CONSOLE_PORT}`;
  }

  get environment(): NodeJS.ProcessEnv {
    const { PATH, HOME } = process.env;
    return { PATH, HOME, ...compileCache(), DATA_DIR: this.dataDir, ...this.ports, ...this.settings };
  }

  /** The words of the stack since its last start. */
  get output(): string {
    return `${this.program?.faults}${this.program?.output}`;
  }

  /** Starts it, for the first time or again. */
  async run(): Promise<void> {
    this.program = new Program([process.execPath, 'dist/sandbox/start.js'], this.environment).read();
    await this.program.becomes(async () => (await statusAt(`${this.consoleUrl}/health`)) === 200);
  }

  async stop(): Promise<void> {
    await this.program?.stop();
  }

  async close(): Promise<void> {
    await this.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
