import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Counted, LoadSettings } from './load-client.js';

const client = fileURLToPath(new URL('./load-client.ts', import.meta.url));
const loader = new URL('../support/typescript-loader.mjs', import.meta.url).href;

/** A TPP that sends requests as fast as eight connections with a pause after each answer allow; some create a consent. */
export function startLoad(
  port: number,
  read: LoadSettings['read'],
  create: LoadSettings['create'],
  { every, pauseMs }: { readonly every: number; readonly pauseMs: number },
): ChildProcess {
  const settings: LoadSettings = { port, connections: 8, pauseMs, read, create, createEvery: every };
  return fork(client, [JSON.stringify(settings)], { execArgv: ['--import', loader] });
}

/** Ends the load and gives its counts. */
export async function endLoad(load: ChildProcess): Promise<Counted> {
  const answer = once(load, 'message');
  load.send('over');
  return ((await answer) as [Counted])[0];
}
