// Follows the README like a newcomer, in a folder without a build: `npm start` on an empty data directory, the curl and the
// pages that it names, a journey, Ctrl-C. Then it starts again on the same directory, also after the gateway was killed:
// earlier consents must still answer.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const cwd = fileURLToPath(new URL('..', import.meta.url));
const WITHIN_MS = 600_000;
const PORTS = ['PORT', 'BANK_PORT', 'SANDBOX_PORT', 'BROWSER_PORT', 'MTLS_PORT', 'TPP_PORT', 'CONSOLE_PORT'];
const OF_NO_CONCERN = ['DATABASE_URL', 'BASE_URL', 'BROWSER_URL', 'MTLS_URL', 'AUTHORISATION_SERVER'];

const dataDir = mkdtempSync(join(tmpdir(), 'smoke-'));
const env = { ...process.env, DATA_DIR: dataDir };
for (const name of OF_NO_CONCERN) delete env[name];
for (const name of PORTS) env[name] = await freePort();

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return String(port);
}

function expect(right, fault, ...seen) {
  if (!right) throw new Error([fault, ...seen].join('\n'));
}

/** Starts the stack, passes the curl that it printed to `use`, and gives how it ended with its faults. */
async function session(settings, use) {
  // A separate process group, because Ctrl-C reaches npm and its child alike.
  const npm = spawn('npm', ['start'], { cwd, env: { ...env, ...settings }, detached: true });
  const ended = once(npm, 'close').then(([code, signal]) => signal ?? code);
  const late = setTimeout(() => process.kill(-npm.pid, 'SIGKILL'), WITHIN_MS);
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) npm[name].on('data', (text) => (said[name] += text));
  try {
    const until = async (found) => {
      while (!found()) {
        expect(npm.exitCode === null && npm.signalCode === null, 'npm start ended', said.stdout, said.stderr);
        await delay(50);
      }
      return found();
    };
    const [, curl] = await until(() => /^[ \t]*(curl (?:.*\\\n)*.*)\n/m.exec(said.stdout));
    const [, log] = /The log is in (.+);/.exec(said.stdout) ?? [];
    expect(log, 'npm start names no log', said.stdout);
    await use(curl, npm);
    if (npm.exitCode === null) await until(() => readFileSync(log, 'utf8').includes('"access"'));
    expect(!/^\{/m.test(said.stdout), 'npm start shows records of the log', said.stdout);
    process.kill(-npm.pid, 'SIGINT');
  } catch (error) {
    if (error.code !== 'ESRCH') {
      if (npm.exitCode === null) process.kill(-npm.pid, 'SIGKILL');
      throw error;
    }
  } finally {
    clearTimeout(late);
  }
  return { how: await ended, faults: said.stderr };
}

/** Presses Ctrl-C after the use, and expects a clean end. */
async function cleanSession(settings, use) {
  const { how, faults } = await session(settings, use);
  expect(how === 0, `after Ctrl-C npm start ended with ${how} instead of 0`, faults);
}

/** Runs a printed curl as a reader would paste it, and counts the accounts in its answer. */
function expectAccounts(curl) {
  const { stdout, stderr } = spawnSync('sh', ['-c', curl], { encoding: 'utf8' });
  expect(stdout.startsWith('{') && JSON.parse(stdout).Data?.Account?.length > 0, curl, stdout, stderr);
}

/** The sandbox's command line as in the README. It finds the stack by its data directory, whatever its ports are. */
function sandbox(...words) {
  const given = Object.fromEntries(Object.entries(env).filter(([name]) => !PORTS.includes(name)));
  const command = ['run', '--silent', 'sandbox', '--', ...words];
  return spawnSync('npm', command, { cwd, env: given, encoding: 'utf8' });
}

/** A page that a person would open, with these words on it. */
async function expectPage(port, path, words) {
  const answer = await fetch(`http://localhost:${env[port]}${path}`);
  const text = await answer.text();
  expect(answer.status === 200 && text.includes(words), `${port}${path} answered ${answer.status}`, text.slice(0, 500));
}

/** One line that names the setting and the fault. The start shows nothing else, and no answers of another stack. */
function expectRefusedStart(settings, ...words) {
  const given = { ...env, ...settings };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/sandbox/start.js'], {
    cwd,
    env: given,
    encoding: 'utf8',
  });
  const lines = (stdout + stderr).trim().split('\n');
  expect(status !== 0 && lines.length === 1 && words.every((word) => lines[0].includes(word)), ...words, ...lines);
}

try {
  let first;
  await cleanSession({}, async (curl) => {
    first = curl;
    expectAccounts(curl);
    await expectPage('TPP_PORT', '/', 'Connect to the bank');
    await expectPage('SANDBOX_PORT', '/inbox', 'Sandbox inbox');
    await expectPage('BROWSER_PORT', '/', 'Sign in to your access dashboard');
    await expectPage('PORT', '/', 'Account information');
    for (const name of PORTS) {
      const others = PORTS.filter((other) => other !== name).map(async (other) => [other, await freePort()]);
      expectRefusedStart(Object.fromEntries(await Promise.all(others)), name, `${env[name]} is in use`);
    }
    expectRefusedStart({ PROFILE: 'profile-9' }, 'PROFILE', '"profile-9" is not known');
    const journey = sandbox('journey', '--persona', 'complete', '--json');
    expect(journey.status === 0, 'the journey failed', journey.stderr);
    expect(JSON.parse(journey.stdout).Balances?.length > 0, 'the journey ended without data', journey.stdout);
    for (const version of ['v3.1', 'v4.0']) {
      const { AccessToken, BaseUrl } = JSON.parse(sandbox('consent', '--persona', 'complete', '--api', version).stdout);
      expect(BaseUrl.includes(`/${version}/`), `a consent of ${version} is for ${BaseUrl}`);
      expectAccounts(`curl -sS -H 'Authorization: Bearer ${AccessToken}' ${BaseUrl}/accounts`);
    }
    const foreign = sandbox('journey', '--persona', 'nobody');
    expect(foreign.status === 1 && /^sandbox: .*\n$/.test(foreign.stderr), 'a wrong journey', foreign.stderr);
    const redirect = ['--redirect', 'http://localhost:4000/', '--auth', 'certificate'];
    for (const words of [['new', '--name', 'Smoke', ...redirect], ['list'], ['remove', 'Smoke']]) {
      const { status, stdout, stderr } = sandbox('tpp', ...words);
      expect(status === 0 && stdout.includes('Smoke'), `sandbox tpp ${words[0]}`, stdout, stderr);
    }
  });
  const gone = sandbox('personas');
  expect(gone.status === 1 && gone.stderr.includes('npm start'), 'a command without a stack', gone.stderr);
  await cleanSession({ AUTHORISATION_SERVER: 'none' }, () => expectAccounts(first));
  let last;
  const killed = await session({}, async (curl, npm) => {
    last = curl;
    expectAccounts(curl);
    const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,pgid=,args='], { encoding: 'utf8' });
    const group = new RegExp(`^ *(\\d+) +${npm.pid} .*dist/sandbox-gateway/main\\.js`, 'm');
    process.kill(Number(group.exec(stdout)[1]), 'SIGKILL');
    await once(npm, 'close');
  });
  const said = /^npm start: a signal killed the gateway, so that everything stops$/m.test(killed.faults);
  expect(killed.how !== 0 && said, 'npm start does not say that its gateway was killed', killed.faults);
  await cleanSession({}, () => [first, last].forEach(expectAccounts));
  console.log('smoke: passed');
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
