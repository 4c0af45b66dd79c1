import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { packageRoot } from '../../src/persistence/package-root.js';

/** Long, because no assertion depends on it and a busy machine is slow. */
const patienceMs = 300_000;

/** A program in a separate process, by default in the project's folder and with its output read. */
export class Program {
  /** Its standard output and its standard error so far. */
  output = '';
  faults = '';
  readonly child: ChildProcess;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;

  constructor([program = '', ...words]: readonly string[], env: NodeJS.ProcessEnv, options: SpawnOptions = {}) {
    const own: SpawnOptions = { cwd: packageRoot(), stdio: ['ignore', 'pipe', 'pipe'], env };
    this.child = spawn(program, words, { ...own, ...options });
    this.child.stderr?.on('data', (chunk: Buffer) => (this.faults += chunk.toString()));
    this.ended = once(this.child, 'exit').then(([code, signal]) => (signal ?? code) as number | NodeJS.Signals | null);
  }

  /** From now on its standard output goes into `output`. */
  read(): this {
    this.child.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    return this;
  }

  get runs(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Resolves when the condition holds. @throws Error with its output, once it has ended or is too late */
  async becomes(condition: () => boolean | Promise<boolean>, askEveryMs = 20): Promise<void> {
    const lateMs = performance.now() + patienceMs;
    while (!(await condition())) {
      if (!this.runs || performance.now() > lateMs) {
        await this.kill();
        throw new Error(`the program is not ready, or ended: ${this.output}${this.faults}`);
      }
      await sleep(askEveryMs);
    }
  }

  /** Asks it to stop, and returns how it ended. */
  stop(): Promise<number | NodeJS.Signals | null> {
    this.child.kill('SIGTERM');
    return this.ended;
  }

  /** Ends it, whatever the result of the test. */
  async kill(): Promise<void> {
    if (this.runs) this.child.kill('SIGKILL');
    await this.ended;
  }
}

/** The status of an answer that is read; undefined where no answer comes. */
export function statusAt(url: string): Promise<number | undefined> {
  return fetch(url).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    },
    () => undefined,
  );
}

/** A process, or with a minus a group of processes, that has ended already needs no signal. */
export function signal(id: number, name: NodeJS.Signals): void {
  try {
    process.kill(id, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
