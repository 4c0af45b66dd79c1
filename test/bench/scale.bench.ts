import { cpus } from 'node:os';
import { freshSchema, loadAverage, type Bench } from './bench.js';
import { ClientProcess } from './client-process.js';
import { knownMedian, median, notHere, table } from './figures.js';
import { atMostRatio } from './goals.js';
import { connections, inTurn, type Asked, type Round } from './load.js';
import type { ServerProcess } from './server-process.js';
import { Setting } from './setting.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';

interface Contender {
  readonly workers: number;
  readonly server: ServerProcess;
  readonly client: ClientProcess;
  readonly asked: readonly Asked[];
  readonly rounds: (Round & { readonly cpuMs: number | undefined })[];
}

/** The cost of several workers: balances through one, two and, on enough processors, four. */
export const scale: Bench = async (run) => {
  const { quick, folder, undo } = run;
  const [rounds, seconds, warmUpSeconds] = quick ? [4, 1, 2] : [24, 2, 5];
  const setting = await Setting.start(folder);
  undo.push(() => setting.stop());
  const processors = cpus().length;
  const contenders: Contender[] = [];
  const counts = processors < 4 ? [1, 2] : [1, 2, 4];
  // As many for each worker, because a process with fewer requests at once does fewer of them between two looks at its sockets.
  const connectionsEach = connections / Math.max(...counts);
  for (const workers of counts) {
    const store = await freshSchema(run);
    if (store === undefined) {
      console.log('Left out: several workers need PostgreSQL.');
      return [];
    }
    const gateway = await setting.gateway(store, { WORKERS: String(workers) });
    undo.push(() => gateway.server.stop());
    const asked: Asked[] = [];
    for (const { persona, account } of await setting.accounts()) {
      const { AccessToken: token, Accounts } = await setting.consent(gateway, persona, [account]);
      const url = `${gateway.url}${v3_1.basePath}/accounts/${Accounts[0]?.AccountId}/balances`;
      // Some people of the sandbox show accounts that cannot be read.
      const { ok } = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      if (ok) asked.push({ url, token });
    }
    contenders.push({ workers, server: gateway.server, client: new ClientProcess(), asked, rounds: [] });
  }
  const load = ({ client, asked, workers }: Contender, duration: number): Promise<Round> =>
    client.load(asked, duration, connectionsEach * workers);
  for (const contender of contenders) await load(contender, warmUpSeconds);
  for (let round = 0; round < rounds; round++)
    for (const contender of inTurn(contenders, round)) {
      const spent = contender.server.cpuMeter();
      const measured = await load(contender, seconds);
      contender.rounds.push({ ...measured, cpuMs: spent(measured.answered) });
    }
  for (const { client } of contenders) client.stop();
  console.log(
    table(
      `Balances: medians of ${rounds} rounds of ${seconds} s, load average ${loadAverage()}. CPU of all processes together`,
      ['workers', 'CPU ms each', 'requests/s', 'p99 ms'],
      contenders.map(({ workers, rounds: done }) => [
        String(workers),
        knownMedian(done.map(({ cpuMs }) => cpuMs))?.toFixed(3) ?? notHere,
        median(done.map(({ perSecond }) => perSecond)).toFixed(0),
        median(done.map(({ p99Ms }) => p99Ms)).toFixed(2),
      ]),
    ),
  );
  if (processors < 4)
    console.log('Throughput is no figure here: client, core and workers share fewer than four processors.');
  const failed = contenders.reduce((sum, { rounds: done }) => sum + done.reduce((all, one) => all + one.failed, 0), 0);
  if (failed > 0) throw new Error(`${failed} answers other than 2xx, or errors`);
  const [one, two] = contenders.map(({ rounds: done }) => done.map(({ cpuMs }) => cpuMs ?? Number.NaN));
  return [atMostRatio('processor time each, two workers / one', two ?? [], one ?? [], 1.05)];
};
