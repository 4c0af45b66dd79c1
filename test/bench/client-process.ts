import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Asked, Round } from './load.js';

/**
 * Puts load on one server from a separate process, so that garbage that one server's answers leave in the client does not
 * slow the measurement of the next server.
 */
export class ClientProcess {
  private readonly child = fork(fileURLToPath(new URL('./load-client.js', import.meta.url)));
  private readonly ended = once(this.child, 'exit').then(([code]) => {
    throw new Error(`a client of the benchmark ended with ${code}`);
  });

  constructor() {
    // Rejects a pending load. After the last load the end of the process is not a fault.
    this.ended.catch(() => undefined);
  }

  /** @param connections default as load.ts has it */
  async load(asked: readonly Asked[], seconds: number, connections?: number): Promise<Round> {
    const answer = Promise.race([once(this.child, 'message'), this.ended]);
    this.child.send({ asked, seconds, connections });
    const [round] = (await answer) as [Round];
    return round;
  }

  stop(): void {
    if (this.child.connected) this.child.disconnect();
  }
}
