import { Agent } from 'undici';
import { freshSchema, loadAverage, type Bench } from './bench.js';
import { readAll, type Burst } from './bursts.js';
import { withSchema, workOf } from './database.js';
import { knownMedian, median, notHere, table } from './figures.js';
import { ratioText } from './goals.js';
import { connections, inTurn, runRequests, type Round } from './load.js';
import { Setting, type RunningGateway } from './setting.js';
import { readOver } from './tpp.js';
import { gatewaySearch, windows } from './windows.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';

/** A consent that a customer gave to one account, with a token. */
interface GivenConsent {
  readonly consentId: string;
  readonly token: string;
  /** The six resources of a burst. */
  readonly urls: readonly string[];
}

interface MeasuredRound extends Round {
  /** Processor time of the gateway for each read, in milliseconds. */
  readonly cpuMs: number | undefined;
  readonly statementsPerRead: number | undefined;
}

interface Contender {
  readonly name: string;
  /** The bursts of one round. */
  readonly bursts: () => Promise<Burst[]>;
  readonly rounds: MeasuredRound[];
}

/** The cost of a consent that is not in memory: bursts of reads with a few consents, and each with another consent. */
export const consents: Bench = async (run) => {
  const { quick, folder, undo, postgres } = run;
  const store = await freshSchema(run);
  if (postgres === undefined || store === undefined || !('DATABASE_URL' in store)) {
    console.log('Left out: it counts the statements of PostgreSQL.');
    return [];
  }
  const [rounds, bursts, rows] = quick ? [4, 400, 10_000] : [8, 2_000, 100_000];
  const setting = await Setting.start(folder);
  undo.push(() => setting.stop());
  const gateway = await setting.gateway(store);
  undo.push(() => gateway.server.stop());
  const agent = new Agent({ connections });
  undo.push(() => agent.destroy());

  const given = await readableConsents(setting, gateway, agent);
  const copies = Math.ceil(rows / given.length);
  await copyConsents(store.DATABASE_URL, copies);
  console.log(
    `${rounds} rounds of ${bursts} bursts of six reads; ${given.length} hot consents; ` +
      `cold: each burst a different one of ${copies * given.length} consents, with a new token`,
  );
  const contenders: Contender[] = [
    { name: 'hot', bursts: () => Promise.resolve(repeated(given, bursts)), rounds: [] },
    { name: 'cold', bursts: coldBursts(setting, given, copies, bursts), rounds: [] },
  ];
  const work = await workOf(postgres.url, store.DATABASE_URL);
  for (let round = -1; round < rounds; round++)
    for (const contender of inTurn(contenders, Math.max(round, 0))) {
      const asked = await contender.bursts();
      const [before, spent] = [await work(), gateway.server.cpuMeter()];
      const done = await readAll(agent, asked);
      const [cpuMs, after] = [spent(done.answered), await work()];
      const statementsPerRead =
        before === undefined || after === undefined
          ? undefined
          : (after.statements - before.statements) / done.answered;
      // The first round warms up.
      if (round >= 0) contender.rounds.push({ ...done, cpuMs, statementsPerRead });
    }
  console.log(`Load average after the rounds ${loadAverage()}.`);
  print(contenders);
  return [];
};

/** One consent for each account for which the six resources can be read. */
async function readableConsents(setting: Setting, gateway: RunningGateway, agent: Agent): Promise<GivenConsent[]> {
  const readable: GivenConsent[] = [];
  for (const { persona, account } of await setting.accounts()) {
    const { ConsentId, AccessToken: token, Accounts } = await setting.consent(gateway, persona, [account]);
    const list = `${gateway.url}${v3_1.basePath}/accounts`;
    const one = `${list}/${Accounts[0]?.AccountId}`;
    const [window] = windows;
    const further = ['balances', `transactions?${window && gatewaySearch(window)}`, 'direct-debits', 'standing-orders'];
    const urls = [list, one, ...further.map((resource) => `${one}/${resource}`)];
    const answers = await Promise.all(urls.map((url) => readOver(agent, { url, token })));
    if (!answers.includes(undefined)) readable.push({ consentId: ConsentId, token, urls });
  }
  return readable;
}

const copyOf = (consentId: string, index: number): string => `${consentId}-${index}`;

/** Inserts `copies` of each consent. */
async function copyConsents(databaseUrl: string, copies: number): Promise<void> {
  await withSchema(databaseUrl, async (client) => {
    await client.query(
      `INSERT INTO consents
       SELECT copy.* FROM consents AS given CROSS JOIN generate_series(0, ${copies - 1}) AS index,
         LATERAL jsonb_populate_record(given, jsonb_build_object('consent_id', given.consent_id || '-' || index)) AS copy`,
    );
    await client.query('VACUUM ANALYZE consents');
  });
}

/** Each call returns bursts of consents that no burst had before, until all were read. */
function coldBursts(
  setting: Setting,
  given: readonly GivenConsent[],
  copies: number,
  count: number,
): () => Promise<Burst[]> {
  let next = 0;
  return async () => {
    const bursts: Burst[] = [];
    const wanted = Array.from({ length: count }, () => next++);
    await runRequests(connections, () => {
      const number = wanted.pop();
      if (number === undefined) return undefined;
      const { consentId, urls } = given[number % given.length] as GivenConsent;
      // A prime step, so that rounds do not read neighbouring rows.
      const copy = (Math.floor(number / given.length) * 7_919) % copies;
      return setting.token(copyOf(consentId, copy)).then((token) => bursts.push({ token, urls }));
    });
    return bursts;
  };
}

const repeated = (given: readonly GivenConsent[], count: number): Burst[] =>
  Array.from({ length: count }, (_, index) => given[index % given.length] as GivenConsent);

function print(contenders: readonly Contender[]): void {
  const known = (rounds: readonly MeasuredRound[], figure: 'cpuMs' | 'statementsPerRead', digits: number): string =>
    knownMedian(rounds.map((round) => round[figure]))?.toFixed(digits) ?? notHere;
  console.log(
    table(
      'Reads on PostgreSQL: medians of the rounds',
      ['', 'CPU ms each', 'statements each', 'p50 ms', 'p99 ms', 'reads/s'],
      contenders.map(({ name, rounds }) => [
        `${name} consents`,
        known(rounds, 'cpuMs', 3),
        known(rounds, 'statementsPerRead', 3),
        median(rounds.map(({ p50Ms }) => p50Ms)).toFixed(1),
        median(rounds.map(({ p99Ms }) => p99Ms)).toFixed(1),
        median(rounds.map(({ perSecond }) => perSecond)).toFixed(0),
      ]),
    ),
  );
  const [hot, cold] = contenders.map(({ rounds }) => rounds.flatMap(({ cpuMs }) => cpuMs ?? []));
  if (hot?.length && cold?.length) console.log(`\nProcessor time for each read, cold / hot: ${ratioText(cold, hot)}`);
}
