import { deepStrictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { freshSchema, loadAverage, type Bench } from './bench.js';
import { ClientProcess } from './client-process.js';
import { knownMedian, median, notHere, table } from './figures.js';
import { atMost, atMostRatio, ratioText, type Goal } from './goals.js';
import { inTurn, type Asked, type Round } from './load.js';
import type { ServerProcess } from './server-process.js';
import { Setting, type BankAccount, type RunningGateway, type Store } from './setting.js';
import { gatewaySearch, ledgerSearch, windows } from './windows.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';

/** The persona with many transactions: twenty on each day, so that five days are the hundred that are asked for. */
const history: BankAccount = { persona: 'history', customer: 'C1006', account: 'A100601' };
const loads = ['balances', '100 transactions'] as const;
type Load = (typeof loads)[number];

/** With the processor time of the server for each answer, in milliseconds. */
interface MeasuredRound extends Round {
  readonly cpuMs: number | undefined;
}

interface Contender {
  readonly name: string;
  readonly server: ServerProcess;
  readonly client: ClientProcess;
  readonly asked: Readonly<Record<Load, readonly Asked[]>>;
  readonly rounds: Readonly<Record<Load, MeasuredRound[]>>;
}

/** The gateway, a plain backend-for-frontend, the practical limit and a bare pass-through, on one sandbox bank. */
export const reads: Bench = async (run) => {
  const { quick, folder, undo } = run;
  const [rounds, seconds, warmUpSeconds] = quick ? [4, 1, 2] : [8, 2, 4];
  console.log(`${rounds} rounds of ${seconds} s after ${warmUpSeconds} s of warm-up`);
  const setting = await Setting.start(folder);
  undo.push(() => setting.stop());
  const schema = await freshSchema(run);
  const stores: Record<string, Store> = {
    ...(schema && { PostgreSQL: schema }),
    PGlite: { DATA_DIR: join(folder, 'pglite') },
  };

  const contenders: Contender[] = [];
  let accounts: readonly BankAccount[] | undefined;
  for (const [name, store] of Object.entries(stores)) {
    const gateway = await setting.gateway(store);
    undo.push(() => gateway.server.stop());
    accounts ??= await readableAccounts(setting, gateway);
    const consents = new Map<BankAccount, { base: string; token: string }>();
    for (const account of [...accounts, history]) {
      const { AccessToken, Accounts } = await setting.consent(gateway, account.persona, [account.account]);
      const base = `${gateway.url}${v3_1.basePath}/accounts/${Accounts[0]?.AccountId}`;
      consents.set(account, { base, token: AccessToken });
    }
    const to = (account: BankAccount) => consents.get(account) as { base: string; token: string };
    contenders.push(contender(`gateway on ${name}`, gateway.server, gatewayLoads(accounts, to)));
  }
  for (const [name, module] of [
    ['plain BFF', 'plain-bff'],
    ['practical limit', 'practical-limit'],
  ] as const) {
    const { server, url } = await setting.other(module);
    undo.push(() => server.stop());
    const to = ({ customer, account }: BankAccount) => ({
      base: `${url}/customers/${customer}/accounts/${account}`,
      token: '',
    });
    contenders.push(contender(name, server, gatewayLoads(accounts ?? [], to)));
  }
  const passThrough = await setting.other('pass-through');
  undo.push(() => passThrough.server.stop());
  const core = passThrough.url + new URL(setting.coreUrl).pathname;
  contenders.push(contender('pass-through', passThrough.server, coreLoads(accounts ?? [], core)));

  for (const name of loads) await refuseDifferentAnswers(contenders, name);
  for (const name of loads) for (const { asked, client } of contenders) await client.load(asked[name], warmUpSeconds);
  for (let round = 0; round < rounds; round++)
    for (const name of loads)
      for (const { asked, client, server, rounds: done } of inTurn(contenders, round)) {
        const spent = server.cpuMeter();
        const measured = await client.load(asked[name], seconds);
        done[name].push({ ...measured, cpuMs: spent(measured.answered) });
      }
  console.log(`\nLoad average after the rounds ${loadAverage()}.`);
  const peaks = contenders.map(({ server }) => server.peakMegabytes());
  for (const { client, server } of contenders) {
    client.stop();
    await server.stop();
  }
  printRounds(contenders, peaks);

  const starts = await measureStarts(setting, stores, folder);
  console.log(
    table(
      'Start of the process to /health/ready, median of 3',
      ['', 'ms'],
      Object.entries(starts).map(([name, ms]) => [`gateway on ${name}`, ms.toFixed(0)]),
    ),
  );

  const failed = contenders.flatMap(({ name, rounds: done }) =>
    loads.flatMap((each) => done[each].filter((round) => round.failed > 0).map((round) => `${name} ${round.failed}`)),
  );
  if (failed.length > 0) throw new Error(`answers other than 2xx, or errors: ${failed.join(', ')}`);
  return goalsOf(contenders, peaks, starts);
};

function contender(name: string, server: ServerProcess, asked: Readonly<Record<Load, readonly Asked[]>>): Contender {
  return { name, server, client: new ClientProcess(), asked, rounds: { balances: [], '100 transactions': [] } };
}

/** Two balances in pounds: the plain mapping knows neither states nor other currencies. */
async function readableAccounts(setting: Setting, gateway: RunningGateway): Promise<BankAccount[]> {
  const readable: BankAccount[] = [];
  for (const account of await setting.accounts()) {
    const { AccessToken: token, Accounts } = await setting.consent(gateway, account.persona, [account.account]);
    const url = `${gateway.url}${v3_1.basePath}/accounts/${Accounts[0]?.AccountId}/balances`;
    const rows = rowsOf(await read({ url, token }));
    const pounds = JSON.stringify(rows).match(/"Currency":"GBP"/g) ?? [];
    if (rows.length === rowsWanted.balances && pounds.length >= rows.length) readable.push(account);
  }
  return readable;
}

/** The requests to the gateway and, with the same paths, to the servers that it is compared with. */
function gatewayLoads(
  accounts: readonly BankAccount[],
  to: (account: BankAccount) => { readonly base: string; readonly token: string },
): Record<Load, Asked[]> {
  const { base, token } = to(history);
  return {
    balances: accounts.map(to).map((account) => ({ url: `${account.base}/balances`, token: account.token })),
    '100 transactions': windows.map((window) => ({ url: `${base}/transactions?${gatewaySearch(window)}`, token })),
  };
}

/** The requests of the gateway and the BFF to the core. */
function coreLoads(accounts: readonly BankAccount[], core: string): Record<Load, Asked[]> {
  const base = ({ customer, account }: BankAccount): string => `${core}/clients/${customer}/accts/${account}`;
  return {
    balances: accounts.map((account) => ({ url: `${base(account)}/figures`, token: '' })),
    '100 transactions': windows.map((window) => ({
      url: `${base(history)}/entries?${ledgerSearch(window)}`,
      token: '',
    })),
  };
}

type Answer = Readonly<Record<string, unknown>>;
const rowsWanted: Readonly<Record<Load, number>> = { balances: 2, '100 transactions': 100 };

async function read({ url, token }: Asked): Promise<Answer> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  return (await response.json()) as Answer;
}

function rowsOf(answer: Answer): unknown[] {
  return Object.values(answer.Data ?? {})
    .flat()
    .map((row: object) => ({ ...row, AccountId: '', TransactionId: '' }));
}

/** All must do the same work: the same rows from the core, and the same JSON except for ids and links. */
async function refuseDifferentAnswers(contenders: readonly Contender[], name: Load): Promise<void> {
  const wanted = rowsWanted[name];
  for (const index of contenders[0]?.asked[name].keys() ?? []) {
    const answers = await Promise.all(contenders.map(({ asked }) => read(asked[name][index] as Asked)));
    const core = answers.pop();
    const [first = [], ...others] = answers.map(rowsOf);
    if (first.length !== wanted) throw new Error(`${name}: ${first.length} rows instead of ${wanted}`);
    deepStrictEqual(Object.values(core ?? {}).find(Array.isArray)?.length, wanted);
    for (const rows of others) deepStrictEqual(rows, first);
  }
}

function printRounds(contenders: readonly Contender[], peaks: readonly (number | undefined)[]): void {
  for (const name of loads) {
    console.log(
      table(
        `${name}: medians of the rounds`,
        ['', 'CPU ms each', 'requests/s', 'p50 ms', 'p99 ms', 'failed'],
        contenders.map(({ name: who, rounds }) => [
          who,
          knownMedian(rounds[name].map(({ cpuMs }) => cpuMs))?.toFixed(3) ?? notHere,
          median(rounds[name].map(({ perSecond }) => perSecond)).toFixed(0),
          median(rounds[name].map(({ p50Ms }) => p50Ms)).toFixed(2),
          median(rounds[name].map(({ p99Ms }) => p99Ms)).toFixed(2),
          String(rounds[name].reduce((sum, { failed }) => sum + failed, 0)),
        ]),
      ),
    );
  }
  printThroughput(contenders);
  console.log(
    table(
      'Peak memory',
      ['', 'MB'],
      contenders.map(({ name }, index) => [name, peaks[index]?.toFixed(0) ?? 'unknown']),
    ),
  );
}

/** No goals: other work on the machine changes them more than the ratios of processor time. */
function printThroughput(contenders: readonly Contender[]): void {
  const rates = ({ rounds }: Contender, name: Load): number[] => rounds[name].map(({ perSecond }) => perSecond);
  const others = contenders.slice(-3);
  console.log(
    table(
      'Requests per second, ratios',
      ['', ...loads],
      contenders
        .slice(0, -3)
        .flatMap((gateway) =>
          others.map((other) => [
            `${gateway.name} / ${other.name}`,
            ...loads.map((name) => ratioText(rates(gateway, name), rates(other, name))),
          ]),
        ),
    ),
  );
}

/** Median of three each. The PostgreSQL schema is migrated, as on every start but the first. */
async function measureStarts(
  setting: Setting,
  stores: Readonly<Record<string, Store>>,
  folder: string,
): Promise<Record<string, number>> {
  const startOn = async (store: Store): Promise<number> => {
    const { server } = await setting.gateway(store);
    await server.stop();
    return server.readyMs;
  };
  const starts: Record<string, number> = {};
  const existing = Object.entries(stores).map(([name, store]) => [`${name}, existing`, () => store] as const);
  let made = 0;
  const fresh = ['PGlite, new', (): Store => ({ DATA_DIR: join(folder, `pglite-new-${made++}`) })] as const;
  for (const [name, store] of [...existing, fresh])
    starts[name] = median([await startOn(store()), await startOn(store()), await startOn(store())]);
  return starts;
}

function goalsOf(
  contenders: readonly Contender[],
  peaks: readonly (number | undefined)[],
  starts: Readonly<Record<string, number>>,
): Goal[] {
  const [bff, practicalLimit] = contenders.slice(-3) as [Contender, Contender, Contender];
  const ratioGoal = (gateway: Contender, other: Contender, name: Load, limit: number): Goal[] => {
    const [ours, theirs] = [gateway, other].map(({ rounds }) => rounds[name].flatMap(({ cpuMs }) => cpuMs ?? []));
    // Only Linux provides the processor time.
    if (!ours?.length || !theirs?.length) return [];
    return [atMostRatio(`processor time, ${gateway.name} / ${other.name}, ${name}`, ours, theirs, limit)];
  };
  return [
    ...contenders
      .slice(0, -3)
      .flatMap((gateway) => [
        ...ratioGoal(gateway, practicalLimit, 'balances', 1.9),
        ...ratioGoal(gateway, practicalLimit, '100 transactions', 1.05),
        ...ratioGoal(gateway, bff, 'balances', 0.42),
        ...ratioGoal(gateway, bff, '100 transactions', 0.52),
      ]),
    ...atMost('PostgreSQL: ready', starts['PostgreSQL, existing'], 1_500, 'ms'),
    ...(starts['PostgreSQL, existing'] === undefined ? [] : atMost('PostgreSQL: peak memory', peaks[0], 256, 'MB')),
    ...atMost('PGlite, existing directory: ready', starts['PGlite, existing'], 2_000, 'ms'),
    ...atMost('PGlite, new directory: ready', starts['PGlite, new'], 4_000, 'ms'),
  ];
}
