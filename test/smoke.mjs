// Follows the README like a newcomer: `npm start` on an empty data directory, the curl and the pages that it names, a
// journey, Ctrl-C. Then it starts again on the same directory, also after the gateway was killed: earlier consents must
// still answer. At last it starts with each port in use.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const READY_WITHIN_MS = 600_000;
const STOPPED_WITHIN_MS = 20_000;
const LOGGED_WITHIN_MS = 20_000;

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

/** Resolves as `promise` does; rejects when that takes longer. */
async function within(ms, what, promise) {
  let timer;
  const late = new Promise(
    (_, reject) => (timer = setTimeout(() => reject(new Error(`${what}: not within ${ms} ms`)), ms)),
  );
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Runs a printed curl as a reader would paste it, and counts the accounts in its answer. */
function accountsOf(curl) {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', curl], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${curl}\nended with ${status}: ${stderr}`);
  const accounts = JSON.parse(stdout).Data?.Account;
  if (!Array.isArray(accounts) || accounts.length === 0) throw new Error(`${curl}\nanswered no account: ${stdout}`);
  return accounts.length;
}

/** Starts the stack and returns it with the curl that it printed. */
async function started(env) {
  // A separate process group, because Ctrl-C reaches npm and its child alike.
  const npm = spawn('npm', ['start'], { cwd: ROOT, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => npm.once('close', (code, signal) => resolve(signal ?? code)));
  let output = '';
  let faults = '';
  npm.stderr.on('data', (chunk) => {
    process.stderr.write(chunk);
    faults += chunk;
  });
  const printed = new Promise((resolve, reject) => {
    npm.stdout.on('data', (chunk) => {
      process.stdout.write(chunk);
      output += chunk;
      const curl = /^[ \t]*(curl (?:.*\\\n)*.*)\n/m.exec(output);
      if (curl) resolve(curl[1]);
    });
    void ended.then((how) => reject(new Error(`npm start ended with ${how} before it was ready`)));
  });
  const expectLog = async () => {
    const [, file] = /The log is in (.+);/.exec(output) ?? [];
    if (file === undefined) throw new Error(`npm start names no log:\n${output}`);
    // The gateway writes a record a moment after its answer.
    const written = async () => {
      while (!readFileSync(file, 'utf8').includes('"access"')) await delay(50);
    };
    await within(LOGGED_WITHIN_MS, 'npm start writing an access record into its log', written());
    const mixed = output.split('\n').find((line) => line.startsWith('{'));
    if (mixed !== undefined) throw new Error(`npm start shows records of the log: ${mixed}`);
  };
  const stack = {
    pid: npm.pid,
    ended,
    faults: () => faults,
    expectLog,
    killed: () => process.kill(-npm.pid, 'SIGKILL'),
  };
  try {
    return { ...stack, curl: await within(READY_WITHIN_MS, 'npm start printing a curl', printed) };
  } catch (error) {
    if (npm.exitCode === null && npm.signalCode === null) stack.killed();
    throw error;
  }
}

/** Starts the stack, passes the printed curl to `use`, presses Ctrl-C, and expects a clean end. */
async function session(env, use) {
  const stack = await started(env);
  try {
    await stack.expectLog();
    await use(stack.curl);
    process.kill(-stack.pid, 'SIGINT');
    const how = await within(STOPPED_WITHIN_MS, 'Ctrl-C ending npm start', stack.ended);
    if (how !== 0) throw new Error(`after Ctrl-C npm start ended with ${how} instead of 0`);
  } catch (error) {
    stack.killed();
    throw error;
  }
}

/** A page that a person would open, with these words on it. */
async function expectPage(url, words) {
  const answer = await fetch(url);
  const text = await answer.text();
  if (answer.status !== 200 || !text.includes(words))
    throw new Error(`${url} answered ${answer.status}, or not with "${words}":\n${text.slice(0, 500)}`);
}

/** The sandbox's command line as in the README. It finds the stack by its data directory, whatever its ports are. */
function sandbox(given, ...words) {
  const env = Object.fromEntries(Object.entries(given).filter(([name]) => !PORTS.includes(name)));
  return spawnSync('npm', ['run', '--silent', 'sandbox', '--', ...words], { cwd: ROOT, env, encoding: 'utf8' });
}

function expectCommands(env) {
  const { status, stdout, stderr } = sandbox(env, 'journey', '--persona', 'complete', '--json');
  if (status !== 0) throw new Error(`the journey ended with ${status}: ${stderr}`);
  const { Accounts, Balances, Steps } = JSON.parse(stdout);
  if (!Accounts?.length || !Balances?.length) throw new Error(`the journey ended without data: ${stdout}`);
  console.log(`smoke: a journey of ${Steps.length} steps ended with ${Accounts.length} accounts`);
  expectOwnTpp(env);
  for (const version of ['v3.1', 'v4.0']) {
    const { stdout } = sandbox(env, 'consent', '--persona', 'complete', '--api', version);
    const { AccessToken, BaseUrl } = JSON.parse(stdout);
    if (!BaseUrl.includes(`/${version}/`)) throw new Error(`a consent of ${version} is for ${BaseUrl}`);
    accountsOf(`curl -sS -H 'Authorization: Bearer ${AccessToken}' ${BaseUrl}/accounts`);
  }
  const foreign = sandbox(env, 'journey', '--persona', 'nobody');
  if (foreign.status !== 1 || !/^sandbox: .*\n$/.test(foreign.stderr))
    throw new Error(`a journey that fails ended with ${foreign.status}: ${foreign.stderr}`);
}

/** Registers a new TPP, finds it among the bank's TPPs, and ends it again. */
function expectOwnTpp(env) {
  const words = ['tpp', 'new', '--name', 'Smoke', '--redirect', 'http://localhost:4000/', '--auth', 'certificate'];
  for (const line of [words, ['tpp', 'list'], ['tpp', 'remove', 'Smoke']]) {
    const { status, stdout, stderr } = sandbox(env, ...line);
    if (status !== 0 || !stdout.includes('Smoke'))
      throw new Error(`sandbox ${line.join(' ')} ended with ${status}: ${stdout}${stderr}`);
  }
}

/** Kills the gateway without warning while consents are being given, and returns the curls of the answered ones. */
async function killedAmidConsents(env) {
  const stack = await started(env);
  try {
    const gateway = descendants(stack.pid).find(({ command }) => command.includes('dist/sandbox-gateway/main.js'));
    if (gateway === undefined) throw new Error('the gateway is not among the processes of npm start');
    const load = async (path) => import(new URL(`../dist/${path}`, import.meta.url).href);
    const { curlLine, giveConsent } = await load('sandbox/actions/consent.js');
    const { Stack } = await load('sandbox/clients/stack.js');
    const { readSandboxConfig } = await load('sandbox/sandbox.config.js');
    const running = new Stack(readSandboxConfig(env));
    const curls = [];
    const giveOn = async () => {
      for (;;) {
        const given = await giveConsent(running, { persona: 'complete' });
        curls.push(curlLine(given, '/accounts'));
        if (curls.length === 20) process.kill(gateway.pid, 'SIGKILL');
      }
    };
    const [{ reason }] = await Promise.allSettled(Array.from({ length: 4 }, giveOn));
    if (curls.length < 20) throw reason;
    const how = await within(STOPPED_WITHIN_MS, 'npm start ending after its gateway', stack.ended);
    if (how === 0) throw new Error('npm start ended with 0 although its gateway was killed');
    if (!/^npm start: a signal killed the gateway, so that everything stops$/m.test(stack.faults()))
      throw new Error(`npm start does not say that its gateway was killed: ${stack.faults()}`);
    return curls;
  } catch (error) {
    stack.killed();
    throw error;
  }
}

function descendants(pid) {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  const all = stdout
    .trim()
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .map(([, own, parent, command]) => ({ pid: Number(own), parent: Number(parent), command }));
  const below = (parent) => all.filter((each) => each.parent === parent).flatMap((each) => [each, ...below(each.pid)]);
  return below(pid);
}

/** A port that another process has ends the start with one line that names the setting. */
async function expectBusy(env, setting) {
  const other = createServer().listen(Number(env[setting]), '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  await expectRefusedStart(env, setting, `${env[setting]} is in use`).finally(() => other.close());
}

/** One line that names the setting and the fault. The start shows nothing else, and no answers of another stack. */
async function expectRefusedStart(env, setting, fault) {
  const start = spawn(process.execPath, ['dist/sandbox/start.js'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [start.stdout, start.stderr]) stream.on('data', (chunk) => (said += chunk));
  const ended = new Promise((resolve) => start.once('close', resolve));
  const code = await within(READY_WITHIN_MS, `a start with ${setting} ${fault}`, ended).finally(() =>
    start.kill('SIGKILL'),
  );
  const lines = said.split('\n').filter((line) => line !== '');
  if (code === 0 || lines.length !== 1 || !lines[0].includes(setting) || !lines[0].includes(fault))
    throw new Error(`with ${setting}=${env[setting]} npm start ended with ${code}, saying:\n${said}`);
}

const PORTS = ['PORT', 'BANK_PORT', 'SANDBOX_PORT', 'BROWSER_PORT', 'MTLS_PORT', 'TPP_PORT', 'CONSOLE_PORT'];
const OF_NO_CONCERN = ['DATABASE_URL', 'BASE_URL', 'BROWSER_URL', 'MTLS_URL', 'AUTHORISATION_SERVER'];

const dataDir = mkdtempSync(join(tmpdir(), 'smoke-'));
try {
  const env = { ...process.env, DATA_DIR: dataDir };
  for (const name of OF_NO_CONCERN) delete env[name];
  for (const name of PORTS) env[name] = await freePort();

  let firstCurl;
  await session(env, async (curl) => {
    firstCurl = curl;
    console.log(`smoke: the printed curl answered ${accountsOf(curl)} accounts`);
    await expectPage(`http://localhost:${env.TPP_PORT}/`, 'Connect to the bank');
    await expectPage(`http://localhost:${env.SANDBOX_PORT}/inbox`, 'Sandbox inbox');
    await expectPage(`http://localhost:${env.BROWSER_PORT}/as/dashboard`, 'Sign in to your access dashboard');
    await expectPage(`http://localhost:${env.PORT}/`, 'Account information');
    await expectPage(`http://localhost:${env.SANDBOX_PORT}/`, 'Sandbox');
    await expectPage(`http://localhost:${env.BROWSER_PORT}/`, 'Sign in to your access dashboard');
    await expectRefusedStart(env, 'PORT', `${env.PORT} is in use`);
    await expectRefusedStart({ ...env, PROFILE: 'profile-9' }, 'PROFILE', '"profile-9" is not known');
    expectCommands(env);
  });
  await session({ ...env, AUTHORISATION_SERVER: 'none' }, () =>
    console.log(`smoke: without the authorization server it answers ${accountsOf(firstCurl)} accounts`),
  );
  const gone = sandbox(env, 'personas');
  if (gone.status !== 1 || !gone.stderr.includes('npm start'))
    throw new Error(`a command without a stack ended with ${gone.status}: ${gone.stderr}`);
  const curls = await killedAmidConsents(env);
  await session(env, () => {
    console.log(`smoke: after a second start it answers ${accountsOf(firstCurl)} accounts`);
    for (const curl of curls) accountsOf(curl);
    console.log(`smoke: of ${curls.length} consents given until the gateway was killed each answers`);
    expectCommands(env);
  });
  for (const setting of PORTS) await expectBusy(env, setting);
  console.log('smoke: a port in use and an unknown profile are each said in one line');
  console.log('smoke: passed');
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
