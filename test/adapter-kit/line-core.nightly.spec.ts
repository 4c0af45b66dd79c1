// Nightly: it tests the kit, a tool for banks, on a core that no product has.
import { describe, expect, it } from '@jest/globals';
import {
  type AdapterUnderTest,
  checkCoreAdapter,
  type ClauseId,
  type ClauseResult,
  clausesOf,
  withoutHttp,
  withoutSpoiling,
} from '../../packages/adapter-kit/adapter-kit.js';
import type { Flaw, Tiny } from './flaw.js';
import { flawsOfConduct } from './flaws-of-conduct.js';
import { lineKit } from './line-core.js';
import { LineAdapter } from './line.adapter.js';
import { tinyKit } from './tiny-core.js';
import { TinyAdapter } from './tiny.adapter.js';

/** The clauses of faults. A TCP proxy makes the faults of the connection, the test core those of records. */
const ofFaults = [
  'CORE-36',
  'CORE-37',
  'CORE-38',
  'CORE-44',
  'CORE-45',
  'CORE-46',
  'CORE-51',
  'CORE-52',
  'CORE-54',
  'CORE-55',
] as const;
const overHttp = Object.keys(withoutHttp) as ClauseId[];

/** All clauses run one after the other, and some wait for a deadline. */
const allClausesWithinMs = 600_000;

async function outcomesOf(kit: AdapterUnderTest, only?: readonly ClauseId[]): Promise<Record<string, ClauseResult>> {
  const outcomes: Record<string, ClauseResult> = {};
  for await (const result of checkCoreAdapter(kit, only)) outcomes[result.clause.id] = result;
  return outcomes;
}
const kitOf = (Adapter: Tiny): AdapterUnderTest => lineKit((settings) => new Adapter(settings));
const idsThatAre = (outcome: ClauseResult['outcome'], outcomes: Record<string, ClauseResult>): string[] =>
  Object.keys(outcomes).filter((id) => outcomes[id]?.outcome === outcome);

describe('the adapter kit with a core that does not speak HTTP', () => {
  it(
    'checks every clause but those in which it would put another answer in the place of the core’s',
    async () => {
      const outcomes = await outcomesOf(kitOf(LineAdapter));
      expect(Object.keys(outcomes)).toEqual(clausesOf('tcp').map(({ id }) => id));
      expect(idsThatAre('broken', outcomes)).toEqual([]);
      expect(idsThatAre('left-out', outcomes)).toEqual(overHttp);
    },
    allClausesWithinMs,
  );

  it.each(ofFaults)('finds that an adapter breaks %s, and no other clause of faults', async (id) => {
    const [, flaw] = flawsOfConduct[id] as readonly [string, Flaw];
    expect(idsThatAre('broken', await outcomesOf(kitOf(flaw(LineAdapter)), ofFaults))).toEqual([id]);
  });

  it('lets a kit leave out the clauses of spoilt records only when the test core cannot spoil records', async () => {
    const kit = kitOf(LineAdapter);
    const left = { ...kit, without: { ...withoutHttp, ...withoutSpoiling } };
    const unable: AdapterUnderTest = {
      ...left,
      core: async (world) => ({ ...(await kit.core(world)), spoil: undefined }),
    };
    expect((await outcomesOf(unable, ['CORE-02']))['CORE-02']?.outcome).toBe('kept');
    const ofRecords = Object.keys(withoutSpoiling) as ClauseId[];
    const undeclared = await outcomesOf({ ...unable, without: withoutHttp }, ['CORE-02', ...ofRecords]);
    expect(idsThatAre('kept', undeclared)).toEqual([]);
    expect(undeclared['CORE-02']?.reason).toMatch(/^CORE-36 is about records that cannot be spoilt.*: say so/);
    expect((await outcomesOf(left, ['CORE-02']))['CORE-02']?.reason).toMatch(/^without: CORE-36 may not be skipped/);
  });

  it('fails and names the clauses over HTTP that the kit does not leave out', async () => {
    const outcomes = await outcomesOf({ ...kitOf(LineAdapter), without: {} }, ['CORE-02', ...overHttp]);
    expect(idsThatAre('kept', outcomes)).toEqual([]);
    expect(outcomes['CORE-02']?.reason).toMatch(/^CORE-47 is about .* HTTP that the core does not speak: say so/);
  });

  it('demands the port of the core, which its proxy needs', async () => {
    const kit = kitOf(LineAdapter);
    const core: AdapterUnderTest['core'] = async (world) => ({ ...(await kit.core(world)), url: 'lines://127.0.0.1' });
    await expect(outcomesOf({ ...kit, core })).rejects.toThrow('needs a host and a port');
  });
});

it('the adapter kit refuses to leave out a clause over HTTP for a core that speaks HTTP', async () => {
  const kit = { ...tinyKit((settings) => new TinyAdapter(settings)), without: withoutHttp };
  expect((await outcomesOf(kit, ['CORE-02']))['CORE-02']?.reason).toMatch(/^without: CORE-47 may not be skipped/);
  const spoiling = { ...kit, without: withoutSpoiling };
  expect((await outcomesOf(spoiling, ['CORE-02']))['CORE-02']?.reason).toMatch(/^without: CORE-36 may not be skipped/);
});
