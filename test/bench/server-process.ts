import { closeSync, openSync, readFileSync } from 'node:fs';
import { Program, statusAt } from '../support/program.js';

/** Linux tells times to programs in hundredths of a second, whatever its own clock does (USER_HZ). */
const tickMs = 10;

/** A server under test, in a separate process that ends when this one does. */
export class ServerProcess extends Program {
  /** From the start of the process to the first 200 of its ready URL. */
  readyMs = Number.NaN;

  /** Its output goes to `logFile`, as in production. Throws with the end of it when the server does not become ready. */
  static async start(words: readonly string[], env: NodeJS.ProcessEnv, readyUrl: string, logFile: string) {
    const log = openSync(logFile, 'a');
    const startedMs = performance.now();
    // The channel carries no messages; its end tells the server that this process has ended.
    const server = new ServerProcess([process.execPath, ...words], env, { stdio: ['ignore', log, log, 'ipc'] });
    closeSync(log);
    await server
      .becomes(async () => (await statusAt(readyUrl)) === 200, 5)
      .catch(() => {
        throw new Error(`${words.at(-1)} did not become ready:\n${readFileSync(logFile, 'utf8').slice(-2_000)}`);
      });
    server.readyMs = performance.now() - startedMs;
    return server;
  }

  /** VmHWM of `/proc/<pid>/status`: the most memory that the process has held so far. */
  peakMegabytes(): number {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
  }

  /** The processor time of the process and its workers so far. */
  cpuMs(): number {
    return familyCpuMs(this.child.pid as number);
  }
}

/** The processor time of a process, of its children that have ended, and of those that run now. */
export function familyCpuMs(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? [];
  const ticks = [ticksOf(pid, 11, 12, 13, 14), ...children.map((child) => ticksOf(child, 11, 12))];
  return ticks.reduce((sum, each) => sum + each) * tickMs;
}

/** The sum of fields of `/proc/<pid>/stat` (proc(5)), counted from the state, which is the first. */
export function ticksOf(pid: number | string, ...fields: readonly number[]): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program, which comes second and in parentheses, may hold blanks and parentheses itself.
  const fromState = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.reduce((sum, field) => sum + Number(fromState[field]), 0);
}
