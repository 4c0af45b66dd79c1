import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { load, type Round } from './load.js';

type Wanted = Parameters<typeof load>;

/**
 * Puts load on one server from a separate process, so that garbage that one server's answers leave in the client does not
 * slow the measurement of the next server. It ends with this one.
 */
export class LoadClient {
  private readonly child = fork(fileURLToPath(import.meta.url), ['client'], { serialization: 'advanced' });
  private readonly ended = once(this.child, 'exit').then(() => new Error('a client of the bench ended'));

  async load(...wanted: Wanted): Promise<Round> {
    const answer = once(this.child, 'message') as Promise<[Round]>;
    this.child.send(wanted);
    const done = await Promise.race([answer, this.ended]);
    if (done instanceof Error) throw done;
    return done[0];
  }
}

if (process.argv[2] === 'client')
  process.on('message', (wanted: Wanted) => void load(...wanted).then((round) => process.send?.(round)));
