// Does what the README tells a newcomer to do: `npm start` on an empty data directory, the curl that it prints, Ctrl-C.
// Twice, on the same directory; the second time what the first one made must still answer.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './run.mjs';

const READY_WITHIN_MS = 120_000;
const STOPPED_WITHIN_MS = 20_000;

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

/** Resolves to what `promise` does; rejects when that takes longer. */
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

/** Starts the stack, lets `use` have the printed curl, presses Ctrl-C, and expects a clean end. */
async function session(env, use) {
  // A group of its own, because Ctrl-C reaches npm and its child alike.
  const npm = spawn('npm', ['start'], { cwd: ROOT, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => npm.once('close', (code, signal) => resolve(signal ?? code)));
  let output = '';
  try {
    const printed = new Promise((resolve, reject) => {
      npm.stdout.on('data', (chunk) => {
        process.stdout.write(chunk);
        output += chunk;
        const curl = /^[ \t]*(curl (?:.*\\\n)*.*)\n/m.exec(output);
        if (curl) resolve(curl[1]);
      });
      void ended.then((how) => reject(new Error(`npm start ended with ${how} before it was ready`)));
    });
    await use(await within(READY_WITHIN_MS, 'npm start printing a curl', printed));
    process.kill(-npm.pid, 'SIGINT');
    const how = await within(STOPPED_WITHIN_MS, 'Ctrl-C ending npm start', ended);
    if (how !== 0) throw new Error(`after Ctrl-C npm start ended with ${how} instead of 0`);
  } catch (error) {
    if (npm.exitCode === null && npm.signalCode === null) process.kill(-npm.pid, 'SIGKILL');
    throw error;
  }
}

const dataDir = mkdtempSync(join(tmpdir(), 'smoke-'));
try {
  const [PORT, BANK_PORT, SANDBOX_PORT] = [await freePort(), await freePort(), await freePort()];
  const env = { ...process.env, DATA_DIR: dataDir, PORT, BANK_PORT, SANDBOX_PORT };
  delete env.DATABASE_URL;
  delete env.BASE_URL;

  let firstCurl;
  await session(env, (curl) => {
    firstCurl = curl;
    console.log(`smoke: the printed curl answered ${accountsOf(curl)} accounts`);
  });
  await session(env, () => console.log(`smoke: after a second start it answers ${accountsOf(firstCurl)} accounts`));
  console.log('smoke: passed');
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
