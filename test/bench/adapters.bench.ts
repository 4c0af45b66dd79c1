import { join } from 'node:path';
import { Agent, request } from 'undici';
import { freshSchema, loadAverage, type Bench } from './bench.js';
import { fineractCore, ledgerCore, reads, type BenchCore, type Read } from './cores.js';
import { knownMedian, median, notHere, table } from './figures.js';
import { atMost, type Goal } from './goals.js';
import { connections, headersOf, load, inTurn, runRequests, type Asked, type Round } from './load.js';
import { histories, historySizes, holders, type LargeBankCustomer } from './large-bank.js';
import { Setting, type RunningGateway, type Store } from './setting.js';
import { gatewaySearch, windows } from './windows.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';

/** The time that the gateway adds to the answers of each core, and its memory with a longer history. */
export const adapters: Bench = async (run) => {
  const { quick, folder, undo } = run;
  const store = (await freshSchema(run)) ?? { DATA_DIR: join(folder, 'pglite') };
  const setting = await Setting.start(folder, './servers/large-ledger.js');
  undo.push(() => setting.stop());
  const stub = await setting.other('fineract');
  undo.push(() => stub.server.stop());
  const agent = new Agent({ connections });
  undo.push(() => agent.destroy());

  const costs: Cost[] = [];
  const peaks: PagingPeaks[] = [];
  for (const core of [ledgerCore(setting.coreUrl), fineractCore(`${stub.url}/fineract-provider/api`)]) {
    costs.push(...(await measureCosts(setting, store, core, agent, quick)));
    peaks.push(await measurePaging(setting, store, core, agent, quick ? 1 : 3));
  }
  console.log(`Load average after the rounds ${loadAverage()}.`);
  printCosts(costs);
  return printPeaks(peaks);
};

/** One adapter under one read; each list has one figure of each round. */
interface Cost {
  readonly name: string;
  /** Processor time of the gateway per request; absent where the system does not tell. */
  readonly cpuMs: readonly (number | undefined)[];
  readonly core: readonly Round[];
  readonly gateway: readonly Round[];
}

/**
 * Measures processor time under full load, and the time to the answer with one request at a time, because simultaneous
 * requests would mostly wait for each other.
 */
async function measureCosts(
  setting: Setting,
  store: Store,
  core: BenchCore,
  agent: Agent,
  quick: boolean,
): Promise<Cost[]> {
  const [rounds, seconds, warmUpSeconds] = quick ? [3, 0.5, 1] : [4, 1.5, 2];
  const gateway = await setting.gateway(store, core.settings);
  try {
    const asked = await gatewayReads(setting, gateway);
    const costs: Cost[] = [];
    for (const read of reads) {
      const sides = {
        core: (index: number) => askCore(agent, core, read, index),
        gateway: (index: number) => askGateway(agent, asked[read], index),
      };
      for (let index = 0; index < connections; index++)
        for (const ask of Object.values(sides)) refuseEmptyAnswer(read, await ask(index));
      await load(asked[read], warmUpSeconds);
      const cost = { cpuMs: [] as (number | undefined)[], core: [] as Round[], gateway: [] as Round[] };
      for (let round = 0; round < rounds; round++) {
        cost.cpuMs.push(await cpuPerRequest(gateway, asked[read], seconds));
        for (const side of inTurn(['core', 'gateway'] as const, round))
          cost[side].push(await oneByOne(sides[side], seconds));
      }
      costs.push({ name: `${core.adapter}, ${read}`, ...cost });
    }
    return costs;
  } finally {
    await gateway.server.stop();
  }
}

async function gatewayReads(setting: Setting, gateway: RunningGateway): Promise<Readonly<Record<Read, Asked[]>>> {
  const balances: Asked[] = [];
  for (const holder of holders) {
    const { base, token } = await consented(setting, gateway, holder);
    balances.push({ url: `${base}/balances`, token });
  }
  const { base, token } = await consented(setting, gateway, histories[5_000]);
  const transactions = windows.map((window) => ({ url: `${base}/transactions?${gatewaySearch(window)}`, token }));
  return { balances, '100 transactions': transactions };
}

async function consented(
  setting: Setting,
  gateway: RunningGateway,
  { persona, account }: LargeBankCustomer,
): Promise<{ base: string; token: string }> {
  const { AccessToken, Accounts } = await setting.consent(gateway, persona, [account]);
  return { base: `${gateway.url}${v3_1.basePath}/accounts/${Accounts[0]?.AccountId}`, token: AccessToken };
}

/** The last of the answers, which has the records. */
async function askCore(agent: Agent, { url, headers, calls }: BenchCore, read: Read, index: number): Promise<string> {
  let last: readonly string[] = [];
  for (const paths of calls[read][index % calls[read].length] ?? [])
    last = await Promise.all(paths.map((path) => answerOf(agent, url + path, headers)));
  return last.at(-1) ?? '';
}

function askGateway(agent: Agent, asked: readonly Asked[], index: number): Promise<string> {
  const read = asked[index % asked.length] as Asked;
  return answerOf(agent, read.url, headersOf(read));
}

async function answerOf(agent: Agent, url: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const { statusCode, body } = await request(url, { dispatcher: agent, headers });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${url} was answered ${statusCode}: ${text.slice(0, 200)}`);
  return text;
}

const fewestRows: Readonly<Record<Read, number>> = { balances: 1, '100 transactions': 100 };

/** A case without records answers sooner. */
function refuseEmptyAnswer(read: Read, answer: string): void {
  if (listsIn(JSON.parse(answer)).every(({ length }) => length < fewestRows[read]))
    throw new Error(`${read}: fewer records than ${fewestRows[read]} in ${answer.slice(0, 200)}`);
}

function listsIn(value: unknown): unknown[][] {
  if (Array.isArray(value)) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listsIn) : [];
}

async function cpuPerRequest({ server }: RunningGateway, asked: readonly Asked[], seconds: number) {
  const spent = server.cpuMeter();
  const { answered, failed } = await load(asked, seconds);
  if (failed > 0) throw new Error(`${failed} requests failed`);
  return spent(answered);
}

function oneByOne(ask: (index: number) => Promise<unknown>, seconds: number): Promise<Round> {
  const endMs = performance.now() + seconds * 1000;
  let index = 0;
  return runRequests(1, () => (performance.now() < endMs ? ask(index++) : undefined));
}

type PagingPeaks = { readonly adapter: string } & Readonly<
  Record<(typeof historySizes)[number], readonly (number | undefined)[]>
>;

/**
 * The peak memory of a gateway while a TPP pages through a history. The short history is read repeatedly until the number
 * of rows is the same, so that memory that depends on the number of requests is in both figures.
 */
async function measurePaging(
  setting: Setting,
  store: Store,
  core: BenchCore,
  agent: Agent,
  times: number,
): Promise<PagingPeaks> {
  const peaks = { 5_000: [] as (number | undefined)[], 50_000: [] as (number | undefined)[] };
  for (let time = 0; time < times; time++)
    for (const size of inTurn(historySizes, time)) {
      const gateway = await setting.gateway(store, core.settings);
      try {
        const { base, token } = await consented(setting, gateway, histories[size]);
        for (let rows = 0; rows < Math.max(...historySizes); rows += size)
          await pageThrough(agent, { url: `${base}/transactions`, token }, size);
        peaks[size].push(gateway.server.peakMegabytes());
      } finally {
        await gateway.server.stop();
      }
    }
  return { adapter: core.adapter, ...peaks };
}

async function pageThrough(agent: Agent, { url, token }: Asked, size: number): Promise<void> {
  let rows = 0;
  for (let next: string | undefined = url; next !== undefined;) {
    const page = JSON.parse(await askGateway(agent, [{ url: next, token }], 0)) as {
      readonly Data: { readonly Transaction: readonly unknown[] };
      readonly Links: { readonly Next?: string };
    };
    rows += page.Data.Transaction.length;
    next = page.Links.Next;
  }
  if (rows !== size) throw new Error(`${rows} transactions instead of ${size}`);
}

function printCosts(costs: readonly Cost[]): void {
  const added = ({ core, gateway }: Cost, figure: 'p50Ms' | 'p99Ms'): string =>
    median(gateway.map((round, index) => round[figure] - (core[index]?.[figure] ?? Number.NaN))).toFixed(2);
  const p99 = (rounds: readonly Round[]): string => median(rounds.map(({ p99Ms }) => p99Ms)).toFixed(2);
  console.log(
    table(
      `Added by the gateway per request: processor time with ${connections} connections, time to the answer with one`,
      ['', 'CPU ms', 'p50 added ms', 'p99 core ms', 'p99 gateway ms', 'p99 added ms'],
      costs.map((cost) => [
        cost.name,
        knownMedian(cost.cpuMs)?.toFixed(2) ?? notHere,
        added(cost, 'p50Ms'),
        p99(cost.core),
        p99(cost.gateway),
        added(cost, 'p99Ms'),
      ]),
    ),
  );
}

function printPeaks(peaks: readonly PagingPeaks[]): Goal[] {
  const figures = peaks.map((peak) => {
    const [short, long] = [knownMedian(peak[5_000]), knownMedian(peak[50_000])];
    return { adapter: peak.adapter, short, long, growth: short && long && long / short };
  });
  console.log(
    table(
      'Peak memory of a gateway that pages through 50,000 transactions: of ten passes, and of one history',
      ['', '10 x 5,000, MB', '50,000, MB', 'ratio'],
      figures.map(({ adapter, short, long, growth }) => [
        adapter,
        ...[short?.toFixed(0), long?.toFixed(0), growth?.toFixed(2)].map((figure) => figure ?? notHere),
      ]),
    ),
  );
  return figures.flatMap(({ adapter, growth }) =>
    atMost(`${adapter}: peak memory, 50,000 / 5,000 transactions`, growth, 1.1, '', 2),
  );
}
