import { medians, table } from './figures.js';
import { type Asked, type Round } from './load.js';
import { LoadClient } from './load-client.js';
import type { ServerProcess } from './server-process.js';

export interface Contender {
  readonly name: string;
  readonly server: ServerProcess;
  /** By the name of the load. */
  readonly loads: Readonly<Record<string, readonly Asked[]>>;
}

/**
 * Loads the servers in turn, in each round, and prints the medians. Throws for any answer but 200.
 * @returns the processor time for each answer, in milliseconds, round by round
 */
export async function contest(
  contenders: readonly Contender[],
  rounds: number,
  seconds: number,
): Promise<(contender: string, load: string) => readonly number[]> {
  console.log(`${rounds} rounds of ${seconds} s`);
  const loads = Object.keys(contenders[0]?.loads ?? {});
  const clients = new Map(contenders.map(({ name }) => [name, new LoadClient()]));
  const measured: (Round & { readonly name: string; readonly load: string; readonly cpuMs: number })[] = [];
  // Those before the first round warm up.
  for (let round = -2; round < rounds; round++)
    for (const load of loads)
      for (const { name, server, loads: asked } of inTurn(contenders, round + 2)) {
        const before = server.cpuMs();
        const figures = (await clients.get(name)?.load(asked[load] ?? [], seconds)) as Round;
        if (figures.failed > 0) throw new Error(`${name} failed ${figures.failed} times`);
        if (round >= 0) measured.push({ name, load, ...figures, cpuMs: (server.cpuMs() - before) / figures.answered });
      }
  const of = (name: string, load: string) => measured.filter((one) => one.name === name && one.load === load);
  const head = ['', 'CPU ms each', 'requests/s', 'p50 ms', 'p99 ms'];
  const figures = ['cpuMs', 'perSecond', 'p50Ms', 'p99Ms'] as const;
  for (const load of loads) {
    const rows = contenders.map(({ name }) => [name, ...medians(of(name, load), figures, 3)]);
    console.log(table(`${load}: medians of the rounds`, head, rows));
  }
  return (name, load) => of(name, load).map(({ cpuMs }) => cpuMs);
}

/**
 * The contenders in this round's order, a Williams design: over as many rounds as contenders (twice as many for an odd
 * number) each follows each other equally often, because a machine answers slower just after harder work.
 */
export function inTurn<T>(contenders: readonly T[], round: number): T[] {
  const count = contenders.length;
  const odd = count % 2;
  const shift = odd ? Math.floor(round / 2) : round;
  const order = contenders.map((_, place) => {
    const inward = place % 2 ? (place + 1) / 2 : count - place / 2;
    return contenders[(inward + shift) % count] as T;
  });
  return odd && round % 2 ? order.reverse() : order;
}
