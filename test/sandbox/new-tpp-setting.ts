import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlink } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { approve } from '../../sandbox/actions/customer.js';
import { newTpp, type NewTpp } from '../../sandbox/actions/new-tpp.js';
import { readableOf, type Readable } from '../../sandbox/actions/program-settings.js';
import type { TppFolder } from '../../sandbox/new-tpps/tpp-folder.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';
import { firstPersona } from './first-persona.js';
import { TppSetting } from './tpp-setting.js';

/** The sandbox with the TPPs of developers, whose programs run as they are. */
export class NewTppSetting {
  private constructor(
    readonly sandbox: TppSetting,
    readonly readable: Readable,
  ) {}

  static async start(): Promise<NewTppSetting> {
    const sandbox = await TppSetting.start();
    const { running } = sandbox;
    // As under ./data, above which the project's packages lie.
    await symlink(join(packageRoot(), 'node_modules'), join(running.config.dataDir, 'node_modules'));
    return new NewTppSetting(sandbox, await readableOf(running));
  }

  get dataDir(): string {
    return this.sandbox.running.config.dataDir;
  }

  close(): Promise<void> {
    return this.sandbox.close();
  }

  async make(name: string, wanted: Partial<NewTpp> = {}): Promise<TppFolder> {
    const redirectUri = wanted.redirectUri ?? `http://localhost:${await freePort()}/callback`;
    return newTpp(this.sandbox.running, { name, fapi: '1', ...wanted, redirectUri });
  }

  /** Runs a program in the folder; `customer` goes to each address that it prints. */
  async run(
    { folder }: TppFolder,
    [command, ...words]: readonly [string, ...string[]],
    customer: (address: URL, answer: (line: string) => void) => Promise<void>,
  ): Promise<{ readonly code: number; readonly said: string }> {
    // The programs of the project's packages, and the Node that runs the tests.
    const programs = ['node_modules/.bin', 'tools/ci/node_modules/.bin'].map((folder) => join(packageRoot(), folder));
    const folders = [...programs, dirname(process.execPath), process.env['PATH']];
    const env = { PATH: folders.join(delimiter) };
    const program = spawn(command, words, { cwd: folder, stdio: 'pipe', env });
    let said = '';
    for (const stream of [program.stdout, program.stderr]) stream.on('data', (chunk) => (said += chunk));
    const ended = once(program, 'close').then(([code]) => code as number);
    try {
      const addresses = (): string[] => [...said.matchAll(/(http\S+\/authorize\?\S+)\n/g)].map(([, url = '']) => url);
      for (let answered = 0; ; answered++) {
        await until(() => addresses().length > answered || program.exitCode !== null);
        const address = addresses()[answered];
        if (address === undefined) break;
        await customer(new URL(address), (line) => void program.stdin.write(`${line}\n`));
      }
      return { code: await ended, said };
    } finally {
      program.kill('SIGKILL');
    }
  }

  /** The first persona approves everything. Gives the address to which the bank sends the browser back. */
  async approve(address: URL, { redirectUri }: TppFolder): Promise<URL> {
    return (await approve(this.sandbox.running, address, redirectUri, firstPersona)).back;
  }
}
