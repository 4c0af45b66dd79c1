import { contest } from './contest.js';
import { atMostRatio } from './figures.js';
import { type Bench, moduleIn } from './setting.js';

/** The cost of the trail: balances through a gateway that writes their events, and through one that does not. */
export const trail: Bench = async (setting, quick) => {
  const contender = async (name: string, module: string) => {
    // The sources without their bundle, in which nothing could be replaced.
    const gateway = await setting.gateway({ modulePath: moduleIn(module) });
    const accounts = await setting.readableAccounts(gateway);
    const balances = accounts.map(({ base, token }) => ({ url: `${base}/balances`, token }));
    return { name, server: gateway.server, loads: { balances } };
  };
  const contenders = [
    await contender('without the trail', './servers/gateway-without-trail.js'),
    await contender('with the trail', '../../src/main.js'),
  ];
  const cpuMs = await contest(contenders, quick ? 8 : 32, 1);
  const [without = [], written = []] = contenders.map(({ name }) => cpuMs(name, 'balances'));
  return [atMostRatio('processor time of balances, with the trail / without', written, without, 1.03)];
};
