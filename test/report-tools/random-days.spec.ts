import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { failed, healthCheck } from '../support/trail-traffic.js';
import { request, WrittenTrail } from '../support/written-trail.js';
import { reportCommand } from '../support/ops-command.js';

interface Asked {
  readonly atMs: number;
  readonly isAnswered: boolean;
}

const day = '2026-11-10';
const iso = (atMs: number): string => new Date(Date.parse(day) + atMs).toISOString();

/** The rule of five requests in a row, read step by step. */
function downtimesOf(asked: readonly Asked[]): [string, string][] {
  const found: [string, string][] = [];
  let run: Asked[] = [];
  for (const one of asked) {
    if (!one.isAnswered) {
      run.push(one);
      continue;
    }
    const first = run.find(({ atMs }, index) => (run[index + 4]?.atMs ?? Infinity) - atMs <= 30_000);
    if (first !== undefined) found.push([iso(first.atMs), iso(one.atMs)]);
    run = [];
  }
  return found;
}

/** Pauses between requests, many of them near the limit of five in 30 s. */
const requests = fc.array(
  fc.record({
    pauseMs: fc.constantFrom(1, 5_000, 7_499, 7_500, 7_501, 12_000),
    isAnswered: fc.constantFrom(true, ...Array<false>(7).fill(false)),
  }),
  { minLength: 40, maxLength: 150 },
);

describe('the downtimes of any requests', () => {
  it('are those that a reader of the rule finds, whichever of three processes received them', async () => {
    let downtimes = 0;
    await fc.assert(
      fc.asyncProperty(requests, async (steps) => {
        let atMs = 43_200_000;
        const asked = [...steps, { pauseMs: 1, isAnswered: true }].map(({ pauseMs, isAnswered }) => {
          atMs += pauseMs;
          return { atMs, isAnswered };
        });
        const trail = await WrittenTrail.make();
        try {
          for (const process of [0, 1, 2]) {
            const events = asked
              .filter((_, index) => (index * 7) % 3 === process)
              .map((one) => request(`r-${one.atMs}`, iso(one.atMs), one.isAnswered ? {} : failed));
            const around = [healthCheck(iso(0)), healthCheck(iso(86_400_000))];
            await trail.close(iso(0), `gateway-${process}-0000000${process}`, [...around, ...events.reverse()]);
          }
          const words = ['explain', 'uptime-percent', '--day', day, '--trail', trail.folder, '--json'];
          const found = JSON.parse((await reportCommand('2026-11-24T09:00:00Z', ...words)).text).downtimes;
          expect(found.map(({ begin, end }: { begin: string; end: string }) => [begin, end])).toEqual(
            downtimesOf(asked),
          );
          downtimes += found.length;
        } finally {
          await trail.remove();
        }
      }),
      { numRuns: 8, seed: 2026 },
    );
    expect(downtimes).toBeGreaterThan(20);
  });
});
