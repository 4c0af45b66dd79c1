// Nightly: it tests the kit, a tool for banks, on a core that no product has.
import { describe, expect, it } from '@jest/globals';
import {
  type AdapterUnderTest,
  checkCoreAdapter,
  type ClauseId,
  type ClauseResult,
  clausesOf,
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
const overHttp = 'CORE-47 CORE-48 CORE-49 CORE-50 CORE-60 CORE-67 CORE-77 CORE-78 CORE-82'.split(' ');
const ofRecords = ['CORE-36', 'CORE-37', 'CORE-38'] as const;

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
      expect(idsThatAre('skipped', outcomes)).toEqual(overHttp);
    },
    allClausesWithinMs,
  );

  it.each(ofFaults)('finds that an adapter breaks %s, and no other clause of faults', async (id) => {
    const [, flaw] = flawsOfConduct[id] as readonly [string, Flaw];
    expect(idsThatAre('broken', await outcomesOf(kitOf(flaw(LineAdapter)), ofFaults))).toEqual([id]);
  });

  it('skips the clauses of spoilt records where the test core cannot spoil records', async () => {
    const kit = kitOf(LineAdapter);
    const core: AdapterUnderTest['core'] = async (world) => ({ ...(await kit.core(world)), spoil: undefined });
    const outcomes = await outcomesOf({ ...kit, core }, ['CORE-02', ...ofRecords]);
    expect(idsThatAre('skipped', outcomes)).toEqual(ofRecords);
    expect(outcomes['CORE-36']?.reason).toMatch(/^the test core cannot spoil its records/);
  });

  it('does not let a kit skip the clauses of spoilt records where the test core can spoil records', async () => {
    const kit = { ...kitOf(LineAdapter), without: { 'CORE-36': 'our records are never spoilt' } };
    expect((await outcomesOf(kit, ['CORE-02']))['CORE-02']?.reason).toMatch(/^without: CORE-36 may not be skipped/);
  });

  it('demands the port of the core, which its proxy needs', async () => {
    const kit = kitOf(LineAdapter);
    const core: AdapterUnderTest['core'] = async (world) => ({ ...(await kit.core(world)), url: 'lines://127.0.0.1' });
    await expect(outcomesOf({ ...kit, core })).rejects.toThrow('needs a host and a port');
  });
});

it.each(['CORE-36', 'CORE-47'])('the adapter kit does not let a kit skip %s for a core over HTTP', async (id) => {
  const kit = { ...tinyKit((settings) => new TinyAdapter(settings)), without: { [id]: 'our core answers well' } };
  expect((await outcomesOf(kit, ['CORE-02']))['CORE-02']?.reason).toMatch(`without: ${id} may not be skipped`);
});
