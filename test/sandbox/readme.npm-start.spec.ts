// Follows the README like a newcomer: run it in a folder without a build. It takes minutes, so it runs where it is named.
import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { packageRoot } from '../../src/persistence/package-root.js';
import { versionNames } from '../../src/versions/versions.js';
import { freeStackPorts, type StackPorts } from '../operations/sandbox-stack.js';
import { Program, signal } from '../support/program.js';

const withinMs = 600_000;
const [cwd, ports] = [packageRoot(), await freeStackPorts()];
const ofNoConcern = ['DATABASE_URL', 'BASE_URL', 'BROWSER_URL', 'MTLS_URL', 'AUTHORISATION_SERVER', 'NODE_ENV'];
const given = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofNoConcern.includes(name)));
// As in a newcomer's shell, whose Node may be older than the one that npm installs.
const PATH = given['PATH']?.split(delimiter).filter((folder) => !folder.includes('node_modules'));
const DATA_DIR = mkdtempSync(join(tmpdir(), 'npm-start-'));
const env: NodeJS.ProcessEnv = { ...given, PATH: PATH?.join(delimiter), DATA_DIR };

/** Starts the stack, passes the curl that it printed to `use`, and presses Ctrl-C. @returns how it ended */
async function session(
  settings: NodeJS.ProcessEnv,
  use: (curl: string, npm: Program) => unknown,
): Promise<{ how: unknown; faults: string }> {
  // A separate process group, because Ctrl-C reaches npm and its child alike.
  const npm = new Program(['npm', 'start'], { ...env, ...ports, ...settings }, { detached: true }).read();
  const closed = once(npm.child, 'close');
  try {
    const printed = (): string | undefined => /^[ \t]*(curl (?:.*\\\n)*.*)\n/m.exec(npm.output)?.[1];
    await npm.becomes(() => printed() !== undefined);
    const log = /The log is in (.+);/.exec(npm.output)?.[1] ?? '';
    await use(printed() ?? '', npm);
    if (npm.runs) await npm.becomes(() => readFileSync(log, 'utf8').includes('"access"'));
    // The records of the log are in the log alone.
    expect(npm.output).not.toMatch(/^\{/m);
    signal(-(npm.child.pid ?? Number.NaN), 'SIGINT');
    await closed;
  } finally {
    signal(-(npm.child.pid ?? Number.NaN), 'SIGKILL');
  }
  return { how: await npm.ended, faults: npm.faults };
}
async function cleanSession(settings: NodeJS.ProcessEnv, use: (curl: string) => unknown): Promise<void> {
  const { how, faults } = await session(settings, use);
  expect([how, how === 0 ? '' : faults]).toEqual([0, '']);
}

/** Runs a printed curl as a reader would paste it. */
function expectAccounts(curl: string): void {
  const { stdout } = spawnSync('sh', ['-c', curl], { encoding: 'utf8' });
  expect(JSON.parse(stdout).Data.Account.length).toBeGreaterThan(0);
}

/** The sandbox's command line as in the README. It finds the stack by its data directory, whatever its ports are. */
function sandbox(...words: readonly string[]) {
  return spawnSync('npm', ['run', '--silent', 'sandbox', '--', ...words], { cwd, env, encoding: 'utf8' });
}

/** One line that names the setting and the fault. The start shows nothing else, and no answers of another stack. */
function expectRefusedStart(settings: NodeJS.ProcessEnv, ...words: readonly string[]): void {
  const options = { cwd, env: { ...env, ...ports, ...settings }, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/sandbox/start.js'], options);
  expect([status === 0, (stdout + stderr).trim().split('\n')]).toEqual([false, [expect.any(String)]]);
  for (const word of words) expect(stdout + stderr).toContain(word);
}

describe('npm start on an empty data directory', () => {
  const curls: string[] = [];

  it(
    'serves the curl, the pages and the commands of the README, and ends cleanly at Ctrl-C',
    () =>
      cleanSession({}, async (curl) => {
        curls.push(curl);
        expectAccounts(curl);
        for (const [port, path, words] of [
          ['TPP_PORT', '/', 'Connect to the bank'],
          ['SANDBOX_PORT', '/inbox', 'Sandbox inbox'],
          ['BROWSER_PORT', '/', 'Sign in to your access dashboard'],
          ['PORT', '/', 'Account information'],
        ] as const) {
          const answer = await fetch(`http://localhost:${ports[port]}${path}`);
          expect([port, answer.status, await answer.text()]).toEqual([port, 200, expect.stringContaining(words)]);
        }
        for (const name of Object.keys(ports) as (keyof StackPorts)[]) {
          const others = { ...(await freeStackPorts()), [name]: ports[name] };
          expectRefusedStart(others, name, `${ports[name]} is in use`);
        }
        expectRefusedStart({ PROFILE: 'profile-9' }, 'PROFILE', '"profile-9" is not known');
        const journey = sandbox('journey', '--persona', 'complete', '--json');
        expect([journey.status, JSON.parse(journey.stdout).Balances.length > 0]).toEqual([0, true]);
        for (const version of versionNames) {
          const consent = JSON.parse(sandbox('consent', '--persona', 'complete', '--api', version).stdout);
          expect(consent.BaseUrl).toContain(`/${version}/`);
          expectAccounts(`curl -sS -H 'Authorization: Bearer ${consent.AccessToken}' ${consent.BaseUrl}/accounts`);
        }
        const answer = sandbox('journey', '--persona', 'nobody');
        expect([answer.status, answer.stderr]).toEqual([1, expect.stringMatching(/^sandbox: .*\n$/)]);
        const redirect = ['--redirect', 'http://localhost:4000/', '--auth', 'certificate'];
        for (const words of [['new', '--name', 'Smoke', ...redirect], ['list'], ['remove', 'Smoke']])
          expect(sandbox('tpp', ...words)).toMatchObject({ status: 0, stdout: expect.stringContaining('Smoke') });
      }),
    withinMs,
  );

  it('is named by a command of the sandbox when no stack runs', () => {
    expect(sandbox('personas')).toMatchObject({ status: 1, stderr: expect.stringContaining('npm start') });
  });

  it(
    'starts again without the authorization server, and the consent still answers',
    () => cleanSession({ AUTHORISATION_SERVER: 'none' }, () => curls.forEach(expectAccounts)),
    withinMs,
  );

  it(
    'ends and says so when its gateway is killed',
    async () => {
      const { how, faults } = await session({}, async (curl, npm) => {
        curls.push(curl);
        expectAccounts(curl);
        const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,pgid=,args='], { encoding: 'utf8' });
        const gateway = new RegExp(`^ *(\\d+) +${npm.child.pid} .*dist/sandbox-gateway/main\\.js`, 'm').exec(stdout);
        process.kill(Number(gateway?.[1]), 'SIGKILL');
        await npm.ended;
      });
      expect(how).not.toBe(0);
      expect(faults).toMatch(/^npm start: a signal killed the gateway, so that everything stops$/m);
    },
    withinMs,
  );

  it(
    'then starts again, and all consents still answer',
    () => cleanSession({}, () => curls.forEach(expectAccounts)),
    withinMs,
  );
});
