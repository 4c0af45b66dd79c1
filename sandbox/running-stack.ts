import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FaultyStart, codeOf } from './faulty-start.js';
import { readKeptJson, replaceFile } from './kept-file.js';
import { dataDirOf } from './sandbox.config.js';

/** The settings by which a command, or another process of this machine, reaches a stack. */
const statedSettings = [
  'PORT',
  'BANK_PORT',
  'SANDBOX_PORT',
  'BROWSER_PORT',
  'MTLS_PORT',
  'TPP_PORT',
  'CONSOLE_PORT',
  'BASE_URL',
  'BROWSER_URL',
  'MTLS_URL',
  'PROFILE',
  'AUTHORISATION_SERVER',
  'BANK_CREDENTIAL',
] as const;

interface RunningStack {
  readonly pid: number;
  readonly settings: Readonly<Record<string, string>>;
}

/** The file in which a running stack states its settings. It holds the bank's credential: only its owner reads it. */
export function runningStackFile(dataDir: string): string {
  return join(dataDir, 'sandbox', 'stack.json');
}

/** Writes the file. A reader always finds all of it. */
export async function writeRunningStack(
  dataDir: string,
  environment: Readonly<NodeJS.ProcessEnv>,
  pid: number,
): Promise<void> {
  const settings = Object.fromEntries(
    statedSettings.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  );
  await replaceFile(runningStackFile(dataDir), JSON.stringify({ pid, settings }, undefined, 2));
}

/** Removes the file at the end of the stack that wrote it; another stack's file stays. */
export async function forgetRunningStack(dataDir: string, pid: number): Promise<void> {
  if ((await readRunningStack(dataDir))?.pid === pid) await rm(runningStackFile(dataDir), { force: true });
}

/**
 * The settings of the environment, and for those that are missing the settings of the stack that runs on its `DATA_DIR`.
 * Throws a {@link FaultyStart} where that stack was killed. An environment with its own credential is about another
 * stack, such as one of docker compose, and needs no file.
 */
export async function withRunningStack(given: Readonly<NodeJS.ProcessEnv>): Promise<Readonly<NodeJS.ProcessEnv>> {
  const dataDir = dataDirOf(given);
  const stack = await readRunningStack(dataDir);
  if (stack === undefined) return given;
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value?.trim()));
  if (isAlive(stack.pid)) return { ...stack.settings, ...set };
  if (set.BANK_CREDENTIAL ?? set.BANK_CREDENTIAL_FILE) return given;
  throw new FaultyStart(
    `the stack of ${dataDir} was killed (process ${stack.pid} does not run, its file ${runningStackFile(dataDir)} is still there): start it again with npm start`,
  );
}

function readRunningStack(dataDir: string): Promise<RunningStack | undefined> {
  return readKeptJson(runningStackFile(dataDir), "as a stack's settings: start the stack again with npm start");
}

function isAlive(pid: number): boolean {
  try {
    // Signal 0 is not delivered: it only checks that the process exists.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
