import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { approve } from '../../sandbox/cli/visit-bank.js';
import { DirectoryClient } from '../../sandbox/directory/directory.client.js';
import {
  newTpp,
  readableOf,
  type NewTpp,
  type PublishedFacts,
  type Readable,
  type SandboxParts,
} from '../../sandbox/new-tpps/new-tpp.js';
import type { ServedDocument } from '../../sandbox/new-tpps/served-document.js';
import type { TppFolder } from '../../sandbox/new-tpps/tpp-folder.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';
import { firstPersona } from './first-persona.js';
import { TppSetting } from './tpp-setting.js';

/** The sandbox with a data directory for the TPPs of developers, whose programs run as they are. */
export class NewTppSetting {
  private constructor(
    readonly sandbox: TppSetting,
    readonly parts: SandboxParts,
    readonly readable: Readable,
  ) {}

  static async start(): Promise<NewTppSetting> {
    const sandbox = await TppSetting.start();
    const dataDir = await mkdtemp(join(tmpdir(), 'new-tpps-'));
    // As under ./data, above which the project's packages lie.
    await symlink(join(packageRoot(), 'node_modules'), join(dataDir, 'node_modules'));
    const { endpoint, pki, directoryUrl, directoryCredential } = sandbox.parts;
    const directory = new DirectoryClient(directoryUrl, directoryCredential);
    const { server } = sandbox.stack.gateway;
    const [facts, document] = [
      await server.inject('/.well-known/account-information'),
      await server.inject('/openapi.json'),
    ];
    return new NewTppSetting(
      sandbox,
      { endpoint, pki, directory, dataDir, clock: sandbox.clock },
      readableOf(facts.json<PublishedFacts>(), document.json<ServedDocument>()),
    );
  }

  async close(): Promise<void> {
    await this.sandbox.close();
    await rm(this.parts.dataDir, { recursive: true });
  }

  async make(name: string, wanted: Partial<NewTpp> = {}): Promise<TppFolder> {
    const redirectUri = wanted.redirectUri ?? `http://localhost:${await freePort()}/callback`;
    return newTpp({ name, fapi: '1', ...wanted, redirectUri }, this.readable, this.parts);
  }

  /** Runs a program in the folder; `customer` goes to the address that it prints. */
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
      const address = (): string | undefined => /(http\S+\/authorize\?\S+)\n/.exec(said)?.[1];
      await until(() => address() !== undefined || program.exitCode !== null);
      if (address() !== undefined)
        await customer(new URL(address() ?? ''), (line) => void program.stdin.write(`${line}\n`));
      return { code: await ended, said };
    } finally {
      program.kill('SIGKILL');
    }
  }

  /** The first persona approves everything. Gives the address to which the bank sends the browser back. */
  async approve(address: URL, { redirectUri }: TppFolder): Promise<URL> {
    const { inboxUrl } = this.sandbox.bank;
    return (await approve(address, { persona: firstPersona, redirectUri, inboxUrl })).back;
  }
}
