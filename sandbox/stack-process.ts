import { type ChildProcess, spawn } from 'node:child_process';
import type { StackReport, TimeOrder } from './stack-messages.js';

const askAgainMs = 1_000;

export interface StackCommand {
  readonly modulePath: string;
  readonly nodeOptions?: readonly string[];
  /** The arguments after the module on the command line. */
  readonly words?: readonly string[];
}

/** One process of the stack, which ends by itself when this one is gone. */
export class StackProcess {
  /** Exit code once it has ended; null where a signal ended it. */
  readonly ended: Promise<number | null>;
  private readonly child: ChildProcess;

  /**
   * @param name as `npm start` gives it to its user
   * @param log the file descriptor to which its standard output goes; faults of a start go to standard error
   */
  constructor(
    readonly name: string,
    { modulePath, nodeOptions = [], words = [] }: StackCommand,
    environment: NodeJS.ProcessEnv,
    log: number | 'inherit',
  ) {
    this.child = spawn(process.execPath, ['--enable-source-maps', ...nodeOptions, modulePath, ...words], {
      env: environment,
      // By the channel's end the child learns that we are gone, whatever ended us.
      stdio: ['ignore', log, 'inherit', 'ipc'],
    });
    this.ended = new Promise((resolve, reject) => {
      this.child.once('error', reject);
      this.child.once('exit', resolve);
    });
  }

  /** Calls `listener` with each report of the process. */
  onReport(listener: (report: StackReport) => void): void {
    this.child.on('message', (report) => listener(report as StackReport));
  }

  /** Moves the time of the process, and resolves once it has said so or has ended. */
  moveTime(order: TimeOrder): Promise<void> {
    const moved = new Promise<void>((resolve) => {
      const heard = (report: unknown): void => {
        if (!((report as { movedToMs?: number }).movedToMs === order.aheadMs)) return;
        this.child.off('message', heard);
        resolve();
      };
      this.child.on('message', heard);
      // A process without a channel is about to end.
      this.child.send(order, () => undefined);
    });
    return Promise.race([moved, this.ended.then(() => undefined)]);
  }

  /**
   * Asks the process to answer its open requests and end, and waits until it has ended. Repeats the signal meanwhile,
   * because Nest's command line loses a signal that comes while it restarts the gateway.
   */
  async stop(): Promise<number | null> {
    // Without effect on a process that has ended.
    this.child.kill('SIGTERM');
    const asking = setInterval(() => this.child.kill('SIGTERM'), askAgainMs);
    return this.ended.finally(() => clearInterval(asking));
  }
}
