import { contest } from './contest.js';
import { atMostRatio } from './figures.js';
import { type Bench, history, transactionsOf } from './setting.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { type VersionName, versionNames } from '../../src/versions/versions.js';

/** The same reads of v3.1 from a gateway that serves v3.1 alone, and from one that serves every version. */
export const versions: Bench = async (setting, quick) => {
  const serving = async (name: string, served: readonly VersionName[]) => {
    const gateway = await setting.gateway({ rules: { versions: served } });
    const loads = { 'transactions of v3.1': transactionsOf(await setting.consent(gateway, history)) };
    return { name, server: gateway.server, loads };
  };
  const contenders = [await serving('v3.1 alone', [v3_1.name]), await serving('every version', versionNames)];
  const cpuMs = await (quick ? contest(contenders, 4, 2) : contest(contenders, 12, 5));
  const [alone = [], every = []] = contenders.map(({ name }) => cpuMs(name, 'transactions of v3.1'));
  return [atMostRatio('processor time of v3.1, every version served / v3.1 alone', every, alone, 1.02)];
};
