import { loadAverage, type Bench } from './bench.js';
import { workOf } from './database.js';
import { knownMedian, median, notHere, table } from './figures.js';
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
    const work = await workOf(run.postgres?.url ?? '', filled.databaseUrl);
    sides.push({ filled, work, takenMs: new Map(), blocks: new Map() });
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
  for (const { name, prepare, takeMs } of lines)
    for (let round = -1; round < rounds; round++)
      for (const { filled, work, takenMs, blocks } of inTurn(sides, Math.max(round, 0))) {
        await prepare?.(filled);
        const before = await work();
        const ms = await takeMs(filled, round + 1);
        const after = await work();
        if (round < 0) continue;
        takenMs.set(name, [...(takenMs.get(name) ?? []), ms]);
        if (before && after) blocks.set(name, [...(blocks.get(name) ?? []), after.blocks - before.blocks]);
      }
}

function report(lines: readonly Line[], [few, many]: readonly Side[], rounds: number): Goal[] {
  const compared = lines.map(({ name }) => ({
    name,
    ours: many?.takenMs.get(name) ?? [],
    theirs: few?.takenMs.get(name) ?? [],
  }));
  const blocksOf = (side: Side | undefined, name: string): string =>
    knownMedian(side?.blocks.get(name) ?? [undefined])?.toFixed(0) ?? notHere;
  const [count, most] = [few, many].map((side) => side?.filled.consents.toLocaleString('en') ?? '');
  console.log(
    table(
      `${count} consents and ${most}: medians of ${rounds} rounds, load average ${loadAverage()}`,
      ['', 'ms', 'ms', 'ratio (range)', 'blocks', 'blocks'],
      compared.map(({ name, ours, theirs }) => [
        name,
        ...[theirs, ours].map((times) => median(times).toFixed(2)),
        ratioText(ours, theirs),
        ...[few, many].map((side) => blocksOf(side, name)),
      ]),
    ),
  );
  console.log(
    'Blocks: those at which PostgreSQL looked in a round, with other work of the gateway. They do not depend on the machine.',
  );
  return compared.map(({ name, ours, theirs }) => atMostRatio(`${name}, ${most} / ${count}`, ours, theirs, limit));
}
