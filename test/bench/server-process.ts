import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { familyCpuMilliseconds, peakMegabytes } from './process-figures.js';

const readyWithinMs = 60_000;
const stoppedWithinMs = 10_000;
const askEveryMs = 5;

/** A server under test, in a separate process that ends when this one does. */
export class ServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    private readonly ended: Promise<void>,
    /** From the start of the process to the first 200 of its ready URL. */
    readonly readyMs: number,
  ) {}

  /** Its output goes to `logFile`, as in production. Throws with the end of it when the server does not become ready. */
  static async start(
    modulePath: string,
    environment: NodeJS.ProcessEnv,
    readyUrl: string,
    logFile: string,
    nodeOptions: readonly string[] = [],
  ): Promise<ServerProcess> {
    const log = openSync(logFile, 'a');
    const startedMs = performance.now();
    const child = spawn(process.execPath, [...nodeOptions, modulePath], {
      env: environment,
      // The channel carries no messages; its end tells the server that this process has ended.
      stdio: ['ignore', log, log, 'ipc'],
    });
    closeSync(log);
    let over = false;
    const ended = new Promise<void>((resolve) => {
      child.once('error', () => resolve());
      child.once('exit', () => resolve());
    }).then(() => void (over = true));
    while (!(await answers(readyUrl))) {
      if (over || performance.now() - startedMs > readyWithinMs) {
        child.kill('SIGKILL');
        throw new Error(`${modulePath} did not become ready:\n${readFileSync(logFile, 'utf8').slice(-2_000)}`);
      }
      await delay(askEveryMs);
    }
    return new ServerProcess(child, ended, performance.now() - startedMs);
  }

  /** The most memory that the process has held so far; `undefined` on systems other than Linux. */
  peakMegabytes(): number | undefined {
    return this.told('status', peakMegabytes);
  }

  /**
   * Starts to measure. The returned function divides the processor time of the process and its workers since then, in
   * milliseconds, by the number of requests; it returns `undefined` on systems other than Linux.
   */
  cpuMeter(): (requests: number) => number | undefined {
    const before = this.cpuMs();
    return (requests) => {
      const after = this.cpuMs();
      return before === undefined || after === undefined ? undefined : (after - before) / requests;
    };
  }

  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    const killing = setTimeout(() => this.child.kill('SIGKILL'), stoppedWithinMs);
    await this.ended;
    clearTimeout(killing);
  }

  private cpuMs(): number | undefined {
    return process.platform === 'linux' ? familyCpuMilliseconds(this.child.pid as number) : undefined;
  }

  private told(file: string, read: (text: string) => number): number | undefined {
    if (process.platform !== 'linux') return undefined;
    return read(readFileSync(`/proc/${this.child.pid}/${file}`, 'utf8'));
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status === 200;
    },
    () => false,
  );
}
