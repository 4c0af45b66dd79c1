import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { approve } from '../../sandbox/cli/visit-bank.js';
import { DirectoryClient } from '../../sandbox/directory/directory.client.js';
import {
  newTpp,
  readableOf,
  removeTpp,
  type NewTpp,
  type PublishedFacts,
  type SandboxParts,
} from '../../sandbox/new-tpps/new-tpp.js';
import { tppFolders, type TppFolder } from '../../sandbox/new-tpps/tpp-folder.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';
import { firstPersona } from './first-persona.js';
import { TppSetting } from './tpp-setting.js';

const resources = [
  ...['balances', 'transactions', 'party', 'scheduled-payments', 'beneficiaries', 'direct-debits'],
  ...['standing-orders', 'product', 'offers'],
];

describe('a TPP of a developer’s own', () => {
  let setting: TppSetting;
  let parts: SandboxParts;
  let readable: ReturnType<typeof readableOf>;
  beforeAll(async () => {
    setting = await TppSetting.start();
    const dataDir = await mkdtemp(join(tmpdir(), 'new-tpps-'));
    // As under ./data, above which the project's packages lie.
    await symlink(join(packageRoot(), 'node_modules'), join(dataDir, 'node_modules'));
    const { endpoint, pki, directoryUrl, directoryCredential } = setting.parts;
    const directory = new DirectoryClient(directoryUrl, directoryCredential);
    parts = { endpoint, pki, directory, dataDir, clock: setting.clock };
    const facts = await setting.stack.gateway.server.inject('/.well-known/account-information');
    readable = readableOf(facts.json<PublishedFacts>());
  });
  afterAll(async () => {
    await setting.close();
    await rm(parts.dataDir, { recursive: true });
  });

  async function make(name: string, wanted: Partial<NewTpp> = {}): Promise<TppFolder> {
    const redirectUri = `http://localhost:${await freePort()}/callback`;
    return newTpp({ name, redirectUri, fapi: '1', ...wanted }, readable, parts);
  }

  const registered = async () => (await setting.server.tpps.list()).map(({ name }) => name);

  /** Runs the program of the folder as it is; `customer` goes to the address that it prints. */
  async function run({ folder }: TppFolder, customer: (address: URL, answer: (line: string) => void) => Promise<void>) {
    const words = ['--env-file=.env', 'read-accounts.js'];
    const program = spawn(process.execPath, words, { cwd: folder, stdio: 'pipe', env: { PATH: process.env.PATH } });
    let said = '';
    for (const stream of [program.stdout, program.stderr]) stream.on('data', (chunk) => (said += chunk));
    const ended = once(program, 'close').then(([code]) => code as number);
    try {
      const address = () => /^ {2}(http\S+)\n/m.exec(said)?.[1];
      await until(() => address() !== undefined || program.exitCode !== null);
      if (address() !== undefined)
        await customer(new URL(address() ?? ''), (line) => void program.stdin.write(`${line}\n`));
      return { code: await ended, said };
    } finally {
      program.kill('SIGKILL');
    }
  }

  function signInAndApprove({ redirectUri }: TppFolder) {
    const { inboxUrl } = setting.bank;
    return async (address: URL): Promise<URL> =>
      (await approve(address, { persona: firstPersona, redirectUri, inboxUrl })).back;
  }

  it.each(['1', '2'] as const)(
    'FAPI %s: its program, as it was written, waits for the customer and reads every resource of every account',
    async (fapi) => {
      const tpp = await make(`Fapi ${fapi} Reader`, { fapi });
      const { code, said } = await run(tpp, async (address) => {
        const back = await signInAndApprove(tpp)(address);
        const answer = await fetch(back);
        expect([answer.status, await answer.text()]).toEqual([
          200,
          'You can close this page. The terminal shows the accounts.',
        ]);
      });
      expect([code, said]).toEqual([0, expect.stringContaining('\n/accounts: 5 records\n')]);
      for (const resource of resources)
        expect([
          resource,
          said.split(new RegExp(`^/accounts/[\\w-]+/${resource} .*: \\d+ records$`, 'm')).length,
        ]).toEqual([resource, 6]);
      expect(said).toMatch(/\/transactions \(.+\): [1-9]\d* records\n/);
      const { metadata } = (await setting.server.tpps.find(tpp.clientId)) ?? {};
      expect(metadata?.['fapi_profile']).toBe(fapi === '2' ? '2.0' : undefined);
    },
  );

  it('with a redirect URI elsewhere asks for the address to which the bank sent the customer', async () => {
    const tpp = await make('Elsewhere', { redirectUri: 'https://tpp.example/callback' });
    const { code, said } = await run(tpp, async (address, answer) => {
      answer((await signInAndApprove(tpp)(address)).href);
    });
    expect([code, said]).toEqual([0, expect.stringContaining('/accounts: 5 records\n')]);
  });

  it('has a folder that only its owner reads, with all that it needs', async () => {
    const { folder } = await make('Folder & Sons');
    expect(folder).toBe(join(parts.dataDir, 'tpps', 'folder-sons'));
    expect((await readdir(folder)).sort()).toEqual([
      ...['.env', 'authority.pem', 'bank.js', 'package.json', 'read-accounts.js', 'signing-key.jwk'],
      ...['software-statement.jwt', 'transport.pem'],
    ]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    await expect(make('folder, sons')).rejects.toThrow(/folder-sons is there already: .* tpp remove "folder, sons"$/);
  });

  it('has an agent where one was asked for', async () => {
    const { folder } = await make('Principal', { agent: 'Oak Money' });
    const statement = await readFile(join(folder, 'software-statement.jwt'), 'utf8');
    expect(decodeJwt(statement)).toMatchObject({
      software_client_name: 'Principal',
      software_on_behalf_of_org: 'Oak Money',
    });
  });

  it('that the bank refuses leaves nothing behind, and says what the bank says', async () => {
    const before = await readdir(join(parts.dataDir, 'tpps'));
    await expect(make('Refused', { redirectUri: 'http://tpp.example/callback' })).rejects.toThrow(
      /^the bank does not register us: 400, redirect_uris\[0\] must be an https URI/,
    );
    expect(await readdir(join(parts.dataDir, 'tpps'))).toEqual(before);
    expect(await registered()).not.toContain('Refused');
  });

  it('ends with its registration, its keys and the programs that nobody edited', async () => {
    const [kept, gone] = [await make('Edited'), await make('Unedited')];
    expect(await registered()).toEqual(expect.arrayContaining(['Edited', 'Unedited']));
    await appendFile(join(kept.folder, 'read-accounts.js'), '// mine\n');
    await writeFile(join(kept.folder, 'notes.txt'), 'mine');
    expect(await removeTpp(kept, parts)).toEqual(['notes.txt', 'read-accounts.js']);
    expect(await removeTpp(gone, parts)).toEqual([]);
    expect(await registered()).not.toEqual(expect.arrayContaining(['Edited']));
    expect(await registered()).not.toEqual(expect.arrayContaining(['Unedited']));
    const names = (await tppFolders(parts.dataDir)).map(({ name }) => name);
    expect(names).not.toContain('Edited');
    expect(names).not.toContain('Unedited');
    expect((await make('Unedited')).softwareId).not.toBe(gone.softwareId);
  });
});
