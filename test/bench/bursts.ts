import type { Agent } from 'undici';
import { connections, runRequests, type Round } from './load.js';
import { readOver } from './tpp.js';

/** The six reads of one consent that follow one another on a connection. */
export interface Burst {
  readonly token: string;
  readonly urls: readonly string[];
}

/** Throws for any answer but 200. */
export function readAll(agent: Agent, bursts: readonly Burst[]): Promise<Round> {
  const left = [...bursts];
  const underWay: { token: string; urls: string[] }[] = [];
  return runRequests(connections, (connection) => {
    if (!underWay[connection]?.urls.length) {
      const burst = left.pop();
      if (burst === undefined) return undefined;
      underWay[connection] = { token: burst.token, urls: [...burst.urls] };
    }
    const { token, urls } = underWay[connection];
    const url = urls.shift() as string;
    return readOver(agent, { url, token }).then((answer) => {
      if (answer === undefined) throw new Error(`${new URL(url).pathname} was not answered 200`);
    });
  });
}
