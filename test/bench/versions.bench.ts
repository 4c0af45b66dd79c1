import { join } from 'node:path';
import { freshSchema, loadAverage, type Bench } from './bench.js';
import { ClientProcess } from './client-process.js';
import { median, table } from './figures.js';
import { atLeastRatio, atMost } from './goals.js';
import { connections, inTurn, type Round } from './load.js';
import { Setting } from './setting.js';
import { gatewaySearch, windows } from './windows.js';
import { type VersionName, versionNames } from '../../src/versions/versions.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';

/** The same reads of v3.1 from a gateway that serves v3.1 alone, and from one that serves every version. */
export const versions: Bench = async (run) => {
  const { quick, folder, undo } = run;
  const [rounds, seconds] = quick ? [4, 2] : [12, 5];
  console.log(`${rounds} rounds of ${seconds} s`);
  const setting = await Setting.start(folder);
  undo.push(() => setting.stop());
  const serving = async (served: readonly VersionName[]) => {
    const store = (await freshSchema(run)) ?? { DATA_DIR: join(folder, `pglite-${served.length}`) };
    const gateway = await setting.gateway(store, {}, { versions: served });
    undo.push(() => gateway.server.stop());
    const { AccessToken: token, Accounts } = await setting.consent(gateway, 'history');
    const url = `${gateway.url}${v3_1.basePath}/accounts/${Accounts[0]?.AccountId}/transactions`;
    const asked = windows.map((window) => ({ url: `${url}?${gatewaySearch(window)}`, token }));
    return { name: served.join(', '), asked, measured: [] as Round[] };
  };
  const [alone, all] = [await serving([v3_1.name]), await serving(versionNames)];
  const client = new ClientProcess();
  undo.push(async () => client.stop());
  for (const { asked } of [alone, all]) await client.load(asked, seconds, connections);
  for (let round = 0; round < rounds; round++)
    for (const { asked, measured } of inTurn([alone, all], round))
      measured.push(await client.load(asked, seconds, connections));
  console.log(`\nLoad average after the rounds ${loadAverage()}.`);
  const figure = (measured: readonly Round[], of: 'perSecond' | 'p99Ms'): string =>
    median(measured.map((round) => round[of])).toFixed(0);
  const lines = [alone, all].map(({ name, measured }) => [
    name,
    figure(measured, 'perSecond'),
    figure(measured, 'p99Ms'),
  ]);
  console.log(table('Medians of the rounds', ['serves', 'requests/s', 'p99 ms'], lines));
  const perSecond = (measured: readonly Round[]): number[] => measured.map((round) => round.perSecond);
  const failed = [alone, all].flatMap(({ measured }) => measured).reduce((sum, round) => sum + round.failed, 0);
  return [
    atLeastRatio(
      'reads of v3.1: every version served / v3.1 alone',
      perSecond(all.measured),
      perSecond(alone.measured),
      0.98,
    ),
    ...atMost('reads of v3.1: failed', failed, 0, ''),
  ];
};
