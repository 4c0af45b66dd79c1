import { setTimeout as sleep } from 'node:timers/promises';
import { inTurn } from './contest.js';
import { atMost, atMostRatio, medians, table } from './figures.js';
import type { Asked, Round } from './load.js';
import { LoadClient } from './load-client.js';
import { type Bench, history, transactionsOf } from './setting.js';

/** How fast the core answers, and the customer for whom it is so slow that the gateway gives up. */
const [answerMs, slowAnswerMs, slowCustomer] = [80, 2_500, 'C1001'] as const;
const quietAccount = { persona: 'joint', account: 'A100701', tpp: 'quiet-tpp' };
const floodAccount = { ...history, tpp: 'other-tpp' };
const slowAccount = { persona: 'complete', account: 'A100101', tpp: 'other-tpp' };
const [quietConnections, floodConnections] = [8, 200] as const;
/** How long the other TPP's requests run before and after the measurement of the quiet TPP. */
const aroundSeconds = 2;

/** One quiet TPP, alone and with another TPP that takes all the capacity of the core. */
export const fairness: Bench = async (setting, quick) => {
  const [rounds, seconds] = quick ? [3, 3] : [6, 5];
  const core = await setting.other('distant-core', {
    ANSWER_MS: String(answerMs),
    SLOW_ANSWER_MS: String(slowAnswerMs),
    SLOW_CUSTOMER: slowCustomer,
  });
  const gateway = await setting.gateway({ settings: { CORE_URL: core.url + new URL(setting.coreUrl).pathname } });
  const days = async (account: typeof quietAccount): Promise<Asked[]> =>
    transactionsOf(await setting.consent(gateway, account), 1, floodConnections);
  const asked = await days(quietAccount);
  const turns = [
    { name: 'alone', beside: undefined, measured: [] as Round[] },
    { name: 'with a flood', beside: await days(floodAccount), measured: [] as Round[] },
    { name: 'with a slow account', beside: await days(slowAccount), measured: [] as Round[] },
  ];
  const [quiet, other] = [new LoadClient(), new LoadClient()];
  for (let round = -1; round < rounds; round++)
    for (const { beside, measured } of inTurn(turns, round + 1)) {
      const flood = beside && other.load(beside, seconds + 2 * aroundSeconds, floodConnections);
      if (flood) await sleep(aroundSeconds * 1_000);
      const figures = await quiet.load(asked, seconds, quietConnections);
      await flood;
      if (round >= 0) measured.push(figures);
    }
  const figures = ['perSecond', 'p50Ms', 'p99Ms'] as const;
  const rows = turns.map(({ name, measured }) => [name, ...medians(measured, figures, 0)]);
  console.log(table('The quiet TPP, medians of the rounds', ['', 'requests/s', 'p50 ms', 'p99 ms'], rows));
  const [alone = [], flood = []] = turns.map(({ measured }) => measured.map(({ p99Ms }) => p99Ms));
  return [
    atMostRatio('quiet TPP: p99 with a flood / alone', flood, alone, 2),
    ...turns.map(({ name, measured }) =>
      atMost(
        `quiet TPP: failed ${name}`,
        measured.reduce((sum, { failed }) => sum + failed, 0),
        0,
      ),
    ),
  ];
};
