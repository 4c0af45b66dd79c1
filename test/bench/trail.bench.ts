import { fileURLToPath } from 'node:url';
import { freshSchema, loadAverage, type Bench, type BenchRun } from './bench.js';
import { ClientProcess } from './client-process.js';
import { knownMedian, notHere, table } from './figures.js';
import { atMostRatio } from './goals.js';
import { inTurn, type Asked, type Round } from './load.js';
import { Setting, type RunningGateway } from './setting.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';

/** The sources without their bundle, in which nothing could be replaced. */
const modules = { written: '../../src/main.js', 'not written': './servers/gateway-without-trail.js' } as const;

interface Contender {
  readonly name: string;
  readonly gateway: RunningGateway;
  readonly client: ClientProcess;
  readonly asked: readonly Asked[];
  readonly rounds: (Round & { readonly cpuMs: number | undefined })[];
}

/** The cost of the trail: balances through a gateway that writes their events, and through one that does not. */
export const trail: Bench = async (run) => {
  const [rounds, seconds, warmUpSeconds] = run.quick ? [8, 1, 2] : [32, 1, 5];
  const setting = await Setting.start(run.folder);
  run.undo.push(() => setting.stop());
  const contenders = [
    await contender(run, setting, 'not written', modules['not written']),
    await contender(run, setting, 'written, default mode', modules.written),
    await contender(run, setting, 'written before the answer', modules.written, { TRAIL_FAULT: 'refuse' }),
  ];
  for (const { client, asked } of contenders) await client.load(asked, warmUpSeconds);
  for (let round = 0; round < rounds; round++)
    for (const { client, asked, gateway, rounds: done } of inTurn(contenders, round)) {
      const spent = gateway.server.cpuMeter();
      const measured = await client.load(asked, seconds);
      done.push({ ...measured, cpuMs: spent(measured.answered) });
    }
  for (const { client } of contenders) client.stop();
  console.log(
    table(
      `Balances: medians of ${rounds} rounds of ${seconds} s, load average ${loadAverage()}`,
      ['events', 'CPU ms each'],
      contenders.map(({ name, rounds: done }) => [
        name,
        knownMedian(done.map(({ cpuMs }) => cpuMs))?.toFixed(4) ?? notHere,
      ]),
    ),
  );
  const failed = contenders.reduce((sum, { rounds: done }) => sum + done.reduce((all, one) => all + one.failed, 0), 0);
  if (failed > 0) throw new Error(`${failed} answers other than 2xx, or errors`);
  const [without, byDefault] = contenders.map(({ rounds: done }) => done.map(({ cpuMs }) => cpuMs ?? Number.NaN));
  return [atMostRatio('processor time of balances, with the trail / without', byDefault ?? [], without ?? [], 1.03)];
};

async function contender(
  run: BenchRun,
  setting: Setting,
  name: string,
  module: string,
  settings: NodeJS.ProcessEnv = {},
): Promise<Contender> {
  const store = (await freshSchema(run)) ?? { DATA_DIR: `${run.folder}/${name}` };
  const gateway = await setting.gateway(store, settings, {}, fileURLToPath(new URL(module, import.meta.url)));
  run.undo.push(() => gateway.server.stop());
  const asked: Asked[] = [];
  for (const { persona, account } of await setting.accounts()) {
    const { AccessToken: token, Accounts } = await setting.consent(gateway, persona, [account]);
    const url = `${gateway.url}${v3_1.basePath}/accounts/${Accounts[0]?.AccountId}/balances`;
    // Some people of the sandbox show accounts that cannot be read.
    const { ok } = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    if (ok) asked.push({ url, token });
  }
  return { name, gateway, client: new ClientProcess(), asked, rounds: [] };
}
