import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** The start of a container. */
export interface ContainerStart {
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The folder in the place of the image's `/app`. */
  readonly folder: string;
}

export interface Ended {
  readonly code: number | null;
  readonly said: string;
}

/** A container as a process. */
export class ContainerProcess {
  /** Its standard output and its standard error. */
  said = '';
  readonly ended: Promise<number | null>;
  private readonly child: ChildProcess;

  constructor(readonly start: ContainerStart) {
    const [program = '', ...words] = start.words;
    this.child = spawn(program === 'node' ? process.execPath : program, words, {
      cwd: start.folder,
      env: { PATH: process.env['PATH'], ...start.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (text: Buffer) => (this.said += text.toString()));
    this.ended = once(this.child, 'close').then(([code]) => code as number | null);
  }

  /** Waits until its health check succeeds. @param check as docker-compose.yml and the Dockerfile write it */
  async healthy(check: readonly string[]): Promise<void> {
    const words = wordsOf(check);
    for (;;) {
      const { code } = await ended({ ...this.start, words });
      if (code === 0) return;
      if (this.child.exitCode !== null || this.child.signalCode !== null)
        throw new Error(`${this.start.words.join(' ')} ended with ${this.child.exitCode}: ${this.said}`);
      await sleep(50);
    }
  }

  /** Asks it to stop. @returns its exit code */
  async stop(): Promise<number | null> {
    this.child.kill('SIGTERM');
    return this.ended;
  }
}

/** The command line of a health check. */
export function wordsOf(check: readonly string[]): readonly string[] {
  const [kind = '', ...words] = check;
  if (kind === 'CMD-SHELL') return ['sh', '-c', ...words];
  return kind === 'CMD' ? words : check;
}

/** Runs a process to its end. */
export async function ended(start: ContainerStart): Promise<Ended> {
  const container = new ContainerProcess(start);
  return { code: await container.ended, said: container.said };
}
