import { loadAverage, type Bench } from './bench.js';
import { median, table } from './figures.js';
import { filledGateway } from './filled-gateway.js';
import { atMostRatio, ratioText, type Goal } from './goals.js';
import { inTurn } from './load.js';
import { Setting } from './setting.js';
import { bankLines, databaseLines, readLines, startLine, type Line, type Side } from './size-lines.js';

const small = 10_000;
const limit = 1.2;

/** Whether a gateway is as fast with many consents as with few. */
export const size: Bench = async (run) => {
  const { quick, folder, undo } = run;
  const [large, rounds, bursts] = quick ? [100_000, 4, 50] : [1_000_000, 10, 200];
  const setting = await Setting.start(folder);
  undo.push(() => setting.stop());
  const sides: Side[] = [];
  for (const count of [small, large]) {
    const filled = await filledGateway(run, setting, count, (rounds + 1) * bursts);
    if (filled === undefined) {
      console.log('Left out: it compares two databases of PostgreSQL.');
      return [];
    }
    console.log(`${count.toLocaleString('en')} consents: filled in ${filled.fillSeconds.toFixed(0)} s`);
    sides.push({ filled, takenMs: new Map() });
  }
  const served = [...readLines(bursts), ...(await bankLines(sides))];
  await takeAll(served, sides, rounds);
  for (const { filled } of sides) await filled.gateway.server.stop();
  // The gateways are stopped, because each would sweep the rows that another is to be timed with.
  const atRest = [...(await databaseLines(run, sides)), startLine(setting)];
  await takeAll(atRest, sides, rounds);
  return report([...served, ...atRest], sides, rounds);
};

/** Each line on both sides in turn, after a round that warms up. */
async function takeAll(lines: readonly Line[], sides: readonly Side[], rounds: number): Promise<void> {
  for (const { name, takeMs } of lines)
    for (let round = -1; round < rounds; round++)
      for (const { filled, takenMs } of inTurn(sides, Math.max(round, 0))) {
        const ms = await takeMs(filled, round + 1);
        if (round >= 0) takenMs.set(name, [...(takenMs.get(name) ?? []), ms]);
      }
}

function report(lines: readonly Line[], [few, many]: readonly Side[], rounds: number): Goal[] {
  const compared = lines.map(({ name }) => ({
    name,
    ours: many?.takenMs.get(name) ?? [],
    theirs: few?.takenMs.get(name) ?? [],
  }));
  const [count, most] = [few, many].map((side) => side?.filled.consents.toLocaleString('en') ?? '');
  console.log(
    table(
      `What takes longer with more consents: medians of ${rounds} rounds in ms, load average ${loadAverage()}`,
      ['', `${count} consents`, `${most} consents`, 'ratio (range)'],
      compared.map(({ name, ours, theirs }) => [
        name,
        median(theirs).toFixed(2),
        median(ours).toFixed(2),
        ratioText(ours, theirs),
      ]),
    ),
  );
  return compared.map(({ name, ours, theirs }) => atMostRatio(`${name}, ${most} / ${count}`, ours, theirs, limit));
}
