import { setTimeout as delay } from 'node:timers/promises';
import { retainNext } from '../../src/consents/erasure.store.js';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import { patience } from '../support/fresh-database.js';
import { inTurn } from './contest.js';
import { withSchema } from './database.js';
import { atMostRatio, median, table } from './figures.js';
import { type Burst, filledGateway, type FilledGateway, refreshedBursts } from './filled-gateway.js';
import { connections, readOver, runRequests } from './load.js';
import type { Bench, Setting } from './setting.js';

/** The median of a figure that is measured at both databases. @param round from 0; the first one warms up */
type Line = (side: Side, round: number) => Promise<number>;
interface Side extends FilledGateway {
  readonly prisma: PrismaService;
  /** The size of the table of consents. */
  readonly blocks: number;
}

const [dayMs, hotConsents, limit] = [86_400_000, 32, 1.2] as const;
/** The gateway keeps a consent in memory for a second, also after the refresh of its token. */
const forgottenAfterMs = 1_100;
/** As many as retention looks at in one statement. */
const blocksAtOnce = 64;

/** Whether a gateway is as fast with many consents as with few. */
export const size: Bench = async (setting, quick) => {
  const [large, rounds, bursts] = quick ? [100_000, 4, 50] : [1_000_000, 10, 200];
  const sides: Side[] = [];
  for (const count of [10_000, large]) sides.push(await sideOf(setting, count, (rounds + 1) * bursts));
  const lines = Object.entries({ ...readLines(bursts), ...atRest(setting) });
  const goals = [];
  const rows: string[][] = [];
  for (const [name, line] of lines) {
    const times = new Map(sides.map((side) => [side, [] as number[]]));
    for (let round = 0; round <= rounds; round++)
      for (const side of inTurn(sides, round)) {
        const ms = await line(side, round);
        if (round > 0) times.get(side)?.push(ms);
      }
    const [few = [], many = []] = times.values();
    rows.push([name, ...[few, many].map((ms) => median(ms).toFixed(2))]);
    goals.push(atMostRatio(`${name}, ${large} consents / 10000`, many, few, limit));
  }
  console.log(table(`Medians of ${rounds} rounds, ms`, ['', '10000', String(large)], rows));
  return goals;
};

async function sideOf(setting: Setting, count: number, usable: number): Promise<Side> {
  const filled = await filledGateway(setting, count, usable);
  const prisma = await PrismaService.open({ url: filled.databaseUrl, dataDir: '', ...patience });
  setting.atEnd(() => prisma.onApplicationShutdown());
  const blocks = await withSchema(filled.databaseUrl, async (client) => {
    // It begins after a fifth of the rows has changed: a few rounds on the smaller database, and never on the larger.
    await client.query('ALTER TABLE consents SET (autovacuum_enabled = off)');
    const { rows } = await client.query<{ blocks: number }>(
      `SELECT (pg_relation_size('consents') / current_setting('block_size')::int)::int AS blocks`,
    );
    return rows[0]?.blocks ?? 0;
  });
  return { ...filled, prisma, blocks };
}

function readLines(bursts: number): Record<string, Line> {
  return {
    'a read, hot consents': async (side) => {
      const hot = await refreshedBursts(side, side.usable.slice(0, hotConsents));
      const asked = Array.from({ length: bursts }, (_, index) => hot[index % hot.length] as Burst);
      return readAll(side, asked);
    },
    'a read, cold consents': async (side, round) => {
      const asked = await refreshedBursts(side, side.usable.slice(round * bursts, (round + 1) * bursts));
      await delay(forgottenAfterMs);
      return readAll(side, asked);
    },
  };
}

/** The reads of a burst follow one another on a connection. */
async function readAll({ agent }: Side, bursts: readonly Burst[]): Promise<number> {
  const left = [...bursts];
  const underWay: (typeof bursts)[number][number][][] = [];
  const { p50Ms, failed } = await runRequests(connections, (connection) => {
    if (!underWay[connection]?.length) underWay[connection] = [...(left.pop() ?? [])];
    const next = underWay[connection].shift();
    return next && readOver(agent, next);
  });
  if (failed > 0) throw new Error(`${failed} reads were not answered 200`);
  return p50Ms;
}

function atRest(setting: Setting): Record<string, Line> {
  return {
    // The rows stand in the order of their age, so that each round works in the same part of both tables.
    [`retention, ${blocksAtOnce} blocks of consents`]: async ({ prisma, blocks }, round) => {
      const from = Math.floor((blocks * (round % 5)) / 5);
      const days = (count: number): Date => new Date(Date.now() - count * dayMs);
      const beganMs = performance.now();
      await retainNext(prisma, { eraseEndedBy: days(30), removeEndedBy: days(60) }, from, new Date());
      return performance.now() - beganMs;
    },
    'start-up': async ({ gateway }, round) => {
      if (round === 0) await gateway.server.stop();
      const { server } = await setting.again(gateway);
      await server.stop();
      return server.readyMs;
    },
  };
}
