import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { freshSchema, loadAverage, type Bench } from './bench.js';
import { ClientProcess } from './client-process.js';
import { median, table } from './figures.js';
import { atMost, atMostRatio, type Goal } from './goals.js';
import { inTurn, type Asked, type Round } from './load.js';
import { Setting, type BankAccount, type RunningGateway } from './setting.js';
import { gatewaySearch, windows } from './windows.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';

/** How fast the core answers, and the customer for whom it is so slow that the gateway gives up. */
const [answerMs, slowAnswerMs] = [80, 2_500] as const;
const quietAccount: BankAccount = { persona: 'joint', customer: 'C1007', account: 'A100701' };
const floodAccount: BankAccount = { persona: 'history', customer: 'C1006', account: 'A100601' };
const slowAccount: BankAccount = { persona: 'complete', customer: 'C1001', account: 'A100101' };
const [quietConnections, floodConnections] = [8, 200] as const;
/** How long the other TPP's requests run before and after the measurement of the quiet TPP. */
const aroundSeconds = 2;

interface Measured {
  readonly quiet: Round[];
  /** The rounds of the other TPP, if there is one. */
  readonly other: Round[];
}

/** One quiet TPP, alone and with another TPP that takes all the capacity of the core. */
export const fairness: Bench = async (run) => {
  const { quick, folder, undo } = run;
  const [rounds, seconds] = quick ? [3, 3] : [6, 5];
  console.log(
    `${rounds} rounds of ${seconds} s; the core answers in ${answerMs} ms, of one customer in ${slowAnswerMs} ms; ` +
      `the quiet TPP has ${quietConnections} connections, the other one ${floodConnections}`,
  );
  const setting = await Setting.start(folder);
  undo.push(() => setting.stop());
  const core = await setting.other('distant-core', {
    ANSWER_MS: String(answerMs),
    SLOW_ANSWER_MS: String(slowAnswerMs),
    SLOW_CUSTOMER: slowAccount.customer,
  });
  undo.push(() => core.server.stop());
  const store = (await freshSchema(run)) ?? { DATA_DIR: join(folder, 'pglite') };
  const gateway = await setting.gateway(store, { CORE_URL: core.url + new URL(setting.coreUrl).pathname });
  undo.push(() => gateway.server.stop());

  const asked = {
    quiet: await daysOf(setting, gateway, quietAccount, 'quiet-tpp'),
    flood: await daysOf(setting, gateway, floodAccount, 'other-tpp'),
    slow: await daysOf(setting, gateway, slowAccount, 'other-tpp'),
  };
  const [quiet, other] = [new ClientProcess(), new ClientProcess()];
  const beside = async (days: readonly Asked[] | undefined, measured: Measured): Promise<void> => {
    const otherLoad = days && other.load(days, seconds + 2 * aroundSeconds, floodConnections);
    await sleep(otherLoad ? aroundSeconds * 1_000 : 0);
    measured.quiet.push(await quiet.load(asked.quiet, seconds, quietConnections));
    if (otherLoad) measured.other.push(await otherLoad);
  };
  const measured = { alone: none(), flood: none(), slow: none() };
  const turns = [
    { days: undefined, into: measured.alone },
    { days: asked.flood, into: measured.flood },
    { days: asked.slow, into: measured.slow },
  ];
  for (const { days } of turns) await beside(days, none());
  for (let round = 0; round < rounds; round++)
    for (const { days, into } of inTurn(turns, round)) await beside(days, into);
  console.log(`\nLoad average after the rounds ${loadAverage()}.`);
  for (const client of [quiet, other]) client.stop();
  printRounds(measured);
  return goalsOf(measured);
};

const none = (): Measured => ({ quiet: [], other: [] });

/** Each request asks for another day, so that no answer is shared. */
async function daysOf(
  setting: Setting,
  gateway: RunningGateway,
  { persona, account }: BankAccount,
  tpp: string,
): Promise<Asked[]> {
  const { AccessToken: token, Accounts } = await setting.consent(gateway, persona, [account], tpp);
  const base = `${gateway.url}${v3_1.basePath}/accounts/${Accounts[0]?.AccountId}/transactions`;
  const lastDay = windows[0]?.last ?? Number.NaN;
  return Array.from({ length: floodConnections }, (_, index) => {
    const dayNumber = lastDay - index;
    return { url: `${base}?${gatewaySearch({ first: dayNumber, last: dayNumber })}`, token };
  });
}

function printRounds(measured: Readonly<Record<'alone' | 'flood' | 'slow', Measured>>): void {
  const line = (who: string, rounds: readonly Round[]): string[] => [
    who,
    median(rounds.map(({ perSecond }) => perSecond)).toFixed(0),
    median(rounds.map(({ p50Ms }) => p50Ms)).toFixed(0),
    median(rounds.map(({ p99Ms }) => p99Ms)).toFixed(0),
    String(failedOf(rounds)),
  ];
  console.log(
    table(
      'Medians of the rounds',
      ['', 'requests/s', 'p50 ms', 'p99 ms', 'failed'],
      [
        line('quiet TPP alone', measured.alone.quiet),
        line('quiet TPP with a flood', measured.flood.quiet),
        line('  the flood', measured.flood.other),
        line('quiet TPP with a slow account', measured.slow.quiet),
        line('  the slow account', measured.slow.other),
      ],
    ),
  );
}

const failedOf = (rounds: readonly Round[]): number => rounds.reduce((sum, { failed }) => sum + failed, 0);

function goalsOf({ alone, flood, slow }: Readonly<Record<'alone' | 'flood' | 'slow', Measured>>): Goal[] {
  const p99 = ({ quiet }: Measured): number[] => quiet.map(({ p99Ms }) => p99Ms);
  return [
    atMostRatio('quiet TPP: p99 with a flood / alone', p99(flood), p99(alone), 2),
    ...atMost('quiet TPP: failed, alone', failedOf(alone.quiet), 0, ''),
    ...atMost('quiet TPP: failed with a flood', failedOf(flood.quiet), 0, ''),
    ...atMost('quiet TPP: failed with a slow account', failedOf(slow.quiet), 0, ''),
  ];
}
