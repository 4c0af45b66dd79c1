import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/persistence/package-root.js';
import { freePort } from '../support/free-port.js';

const names = ['PORT', 'BANK_PORT', 'SANDBOX_PORT', 'BROWSER_PORT', 'MTLS_PORT', 'TPP_PORT'];

describe('npm start, before anything is built', () => {
  let ports: Record<string, string>;
  let busy: Server;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'start-checks-'));
    const entries = await Promise.all(names.map(async (name) => [name, String(await freePort())] as const));
    ports = Object.fromEntries(entries);
    busy = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => busy.once('listening', resolve));
  });
  afterAll(() => {
    busy.close();
    rmSync(dataDir, { recursive: true });
  });

  /** The part of `npm start` that runs where sources are newer than the build. */
  function check(changed: Readonly<Record<string, string>> = {}) {
    const words = ['--input-type=module', '-e', "await (await import('./scripts/check-start.mjs')).checkStart()"];
    const env = { PATH: process.env.PATH, DATA_DIR: join(dataDir, 'data'), ...ports, ...changed };
    const { status, stdout, stderr } = spawnSync(process.execPath, words, {
      cwd: packageRoot(),
      env,
      encoding: 'utf8',
    });
    return { status, said: stdout + stderr };
  }

  it('prints nothing about good settings and free ports, and leaves no file behind', () => {
    expect(check()).toEqual({ status: 0, said: '' });
    expect(check({ AUTHORISATION_SERVER: 'none' })).toEqual({ status: 0, said: '' });
    const otherCore = { CORE: '/own/my-core.js', CORE_URL: 'http://127.0.0.1:9', SANDBOX_CUSTOMERS: '7, 8' };
    expect(check(otherCore)).toEqual({ status: 0, said: '' });
    const cores = {
      CORES: 'ledger,cards',
      CORE_LEDGER_URL: 'http://127.0.0.1:9',
      CORE_CARDS_URL: 'http://127.0.0.1:10',
      SANDBOX_CUSTOMERS: '7',
    };
    expect(check(cores)).toEqual({ status: 0, said: '' });
    expect(existsSync(join(dataDir, 'data'))).toBe(false);
    const left = readdirSync(join(packageRoot(), 'node_modules')).filter((name) => name.startsWith('.check-start-'));
    expect(left).toEqual([]);
  });

  it('names the setting of a port that is in use', () => {
    const { port } = busy.address() as AddressInfo;
    for (const name of names)
      expect(check({ [name]: String(port) })).toEqual({
        status: 1,
        said: `npm start: port ${port} is in use: stop what uses it or set ${name}\n`,
      });
  });

  it.each<[Readonly<Record<string, string>>, RegExp]>([
    [{ PORT: 'abc' }, /^npm start: PORT=abc is not a port: .*\n$/],
    [{ SANDBOX_LOG: 'loud' }, /^npm start: SANDBOX_LOG=loud is not known: set it to file or stdout\n$/],
    [{ PROFILE: 'profile-9' }, /^npm start: PROFILE "profile-9" is not known: set it to one of profile-1, .*\n$/],
    [{ CORE: 'fineract' }, /^npm start: CORE names another core than the sandbox’s, and CORE_URL is not set: .*\n$/],
    [{ CORE_URL: 'http://127.0.0.1:9' }, /^npm start: the sandbox does not know .*: set SANDBOX_CUSTOMERS to .*\n$/],
    [
      { CORES: 'ledger,cards' },
      /^npm start: the sandbox does not know the customers of the cores that CORES names: set SANDBOX_CUSTOMERS .*\n$/,
    ],
    [
      { CORES: 'ledger', CORE: 'ledger', SANDBOX_CUSTOMERS: '7', CORE_LEDGER_URL: 'http://127.0.0.1:9' },
      /^npm start: settings: CORE and CORES exclude each other: set one of them .*\n$/,
    ],
    [{ SANDBOX_CUSTOMERS: '7' }, /^npm start: SANDBOX_CUSTOMERS is for another core .*: set CORE and CORE_URL too\n$/],
    [{ SANDBOX_CUSTOMERS: '7,,8' }, /^npm start: SANDBOX_CUSTOMERS must be references of customers, .*\n$/],
    [{ CORE_DEADLINE_MS: '7' }, /^npm start: settings: CORE_DEADLINE_MS must not be less than 50 .*\n$/],
    [{ BASEURL: 'http://localhost' }, /^npm start: settings: BASEURL is not a setting; did you mean BASE_URL\? .*\n$/],
    [{ ID_KEY: 'short' }, /^npm start: settings: ID_KEY has fewer than 8 different characters: .*\n$/],
  ])('names in one line the fault of %j', (changed, expected) => {
    const { status, said } = check(changed);
    expect([status, said]).toEqual([1, expect.stringMatching(expected)]);
    expect(said.split('\n')).toHaveLength(2);
  });
});
