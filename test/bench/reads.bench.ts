import { deepStrictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { type Contender, contest } from './contest.js';
import { atMost, atMostRatio, median } from './figures.js';
import type { Asked } from './load.js';
import { type Bench, history, type ReadableAccount, type Setting, transactionsOf } from './setting.js';

const loads = ['balances', '100 transactions'] as const;
/** The most processor time of the gateway, as a ratio. */
const goals = {
  'practical-limit': { balances: 1.9, '100 transactions': 1.05 },
  'plain-bff': { balances: 0.42, '100 transactions': 0.52 },
} as const;
type Other = keyof typeof goals;

/** The gateway, the practical limit and the plain application that a bank would write, on one sandbox bank. */
export const reads: Bench = async (setting, quick) => {
  const gateway = await setting.gateway();
  const accounts = await setting.readableAccounts(gateway);
  const page = { ...history, ...(await setting.consent(gateway, history)) };
  const contenders: Contender[] = [{ name: 'gateway', server: gateway.server, loads: loadsOf(accounts, page) }];
  const others = Object.keys(goals) as Other[];
  for (const name of others) {
    const { server, url } = await setting.other(name);
    const there = <Account extends ReadableAccount>(one: Account): Account => ({
      ...one,
      base: `${url}/customers/${one.customer}/accounts/${one.account}`,
    });
    contenders.push({ name, server, loads: loadsOf(accounts.map(there), there(page)) });
  }
  for (const load of loads) await refuseDifferentAnswers(contenders, load);
  const cpuMs = await (quick ? contest(contenders, 4, 1) : contest(contenders, 12, 2));
  const peak = gateway.server.peakMegabytes();
  return [
    ...others.flatMap((name) =>
      loads.map((load) => {
        const goal = `processor time of ${load}, gateway / ${name}`;
        return atMostRatio(goal, cpuMs('gateway', load), cpuMs(name, load), goals[name][load]);
      }),
    ),
    atMost('peak memory', peak, 320, 'MB'),
    ...(await starts(setting, gateway.environment.DATABASE_URL ?? '')),
  ];
};

function loadsOf(accounts: readonly ReadableAccount[], page: ReadableAccount): Contender['loads'] {
  return {
    balances: accounts.map(({ base, token }) => ({ url: `${base}/balances`, token })),
    '100 transactions': transactionsOf(page),
  };
}

/** All must do the same work: the same JSON, but for ids and links. */
async function refuseDifferentAnswers(contenders: readonly Contender[], load: (typeof loads)[number]): Promise<void> {
  for (const index of contenders[0]?.loads[load]?.keys() ?? []) {
    const answers = contenders.map(({ loads: asked }) => rowsOf(asked[load]?.[index] as Asked));
    const [first, ...others] = await Promise.all(answers);
    deepStrictEqual(first?.length, load === 'balances' ? 2 : 100);
    for (const rows of others) deepStrictEqual(rows, first);
  }
}

async function rowsOf({ url, token }: Asked): Promise<object[]> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const { Data } = (await answer.json()) as { Data: object };
  return Object.values(Data)
    .flat()
    .map((row: object) => ({ ...row, AccountId: '', TransactionId: '' }));
}

/** From the start of the process to `/health/ready`, medians of three. The PostgreSQL schema is migrated. */
async function starts(setting: Setting, databaseUrl: string) {
  const folder = (name: string | number) => ({ DATA_DIR: join(setting.folder, `pglite-${name}`) });
  const startsOn = async (stores: readonly NodeJS.ProcessEnv[]): Promise<number> => {
    const times: number[] = [];
    for (const store of stores) {
      const { server } = await setting.gateway({ store });
      await server.stop();
      times.push(server.readyMs);
    }
    return median(times);
  };
  const fresh = await startsOn([1, 2, 3].map(folder));
  return [
    atMost('PostgreSQL: ready', await startsOn([1, 2, 3].map(() => ({ DATABASE_URL: databaseUrl }))), 1_500, 'ms'),
    atMost('PGlite with its directory: ready', await startsOn([1, 2, 3].map(folder)), 2_000, 'ms'),
    atMost('PGlite with a new directory: ready', fresh, 4_000, 'ms'),
  ];
}
