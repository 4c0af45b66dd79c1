// Nightly: it tests the kit, a tool for banks, on cores that do not speak HTTP.
import { describe, expect, it } from '@jest/globals';
import {
  type AdapterUnderTest,
  type ClauseId,
  type ClauseResult,
  clausesOf,
} from '../../packages/adapter-kit/adapter-kit.js';
import { kit as feedKit } from '../cores/feed/feed.kit.js';
import { resultsOf, rightKit } from './right-kit.js';
import { tcpKit } from './tcp-kit.js';

/** All clauses run one after the other, and some wait for a deadline. */
const allClausesWithinMs = 600_000;

async function outcomesOf(kit: AdapterUnderTest, only?: readonly ClauseId[]): Promise<Record<string, ClauseResult>> {
  const outcomes: Record<string, ClauseResult> = {};
  for (const result of await resultsOf(kit, only)) outcomes[result.clause.id] = result;
  return outcomes;
}
const idsThatAre = (outcome: ClauseResult['outcome'], outcomes: Record<string, ClauseResult>): string[] =>
  Object.keys(outcomes).filter((id) => outcomes[id]?.outcome === outcome);
const declared = async (kit: AdapterUnderTest): Promise<string> =>
  (await outcomesOf(kit, ['CORE-02']))['CORE-02']?.reason ?? 'kept';

const overHttp = 'CORE-47 CORE-48 CORE-49 CORE-50 CORE-60 CORE-67 CORE-77 CORE-78 CORE-82'.split(' ');
const ofRecords: readonly ClauseId[] = ['CORE-36', 'CORE-37', 'CORE-38'];
// prettier-ignore
const ofDeliveries: readonly ClauseId[] = [
  'CORE-70', 'CORE-71', 'CORE-72', 'CORE-73', 'CORE-74', 'CORE-75', 'CORE-76',
];

describe('the adapter kit with a core that does not speak HTTP', () => {
  it(
    'checks every clause but those in which it would put another answer in the place of the core’s',
    async () => {
      const outcomes = await outcomesOf(tcpKit());
      expect(Object.keys(outcomes)).toEqual(clausesOf('tcp').map(({ id }) => id));
      expect(Object.values(outcomes).filter(({ outcome }) => outcome === 'broken')).toEqual([]);
      expect(idsThatAre('skipped', outcomes)).toEqual(overHttp);
    },
    allClausesWithinMs,
  );

  it('skips the clauses of spoilt records where the test core cannot spoil records', async () => {
    const kit = tcpKit();
    const core: AdapterUnderTest['core'] = async (world) => ({ ...(await kit.core(world)), spoil: undefined });
    const outcomes = await outcomesOf({ ...kit, core }, ['CORE-02', ...ofRecords]);
    expect(idsThatAre('skipped', outcomes)).toEqual(ofRecords);
    expect(outcomes['CORE-36']?.reason).toMatch(/^the test core cannot spoil its records/);
  });

  it('does not let a kit skip the clauses of spoilt records where the test core can spoil records', async () => {
    const kit = { ...tcpKit(), without: { 'CORE-36': 'our records are never spoilt' } };
    expect(await declared(kit)).toMatch(/^without: CORE-36 may not be skipped/);
  });

  it('demands the port of the core, which its proxy needs', async () => {
    const kit = tcpKit();
    const core: AdapterUnderTest['core'] = async (world) => ({ ...(await kit.core(world)), url: 'lines://127.0.0.1' });
    await expect(outcomesOf({ ...kit, core })).rejects.toThrow('needs a host and a port');
  });
});

it.each(['CORE-36', 'CORE-47'])('the adapter kit does not let a kit skip %s for a core over HTTP', async (id) => {
  const kit = { ...rightKit, without: { [id]: 'our core answers well' } };
  expect(await declared(kit)).toContain(`without: ${id} may not be skipped`);
});

describe('the adapter kit with a replica', () => {
  it('has none of the clauses on connections, and a connection none of those on deliveries', () => {
    const [http, replica] = [clausesOf('http'), clausesOf('replica')].map((list) => list.map(({ id }) => id));
    expect(http?.filter((id) => ofDeliveries.includes(id))).toEqual([]);
    expect(replica).toEqual(expect.arrayContaining([...ofDeliveries, 'CORE-03', 'CORE-32', 'CORE-51']));
    for (const id of ['CORE-44', 'CORE-45', 'CORE-46', 'CORE-61', 'CORE-62'] as const)
      expect(replica).not.toContain(id);
  });

  it('takes no source that does not agree with the test core, so no adapter escapes the clauses on connections', async () => {
    const disagrees = (source: string): RegExp => new RegExp(`^source: ${source} does not agree with the URL`);
    expect(await declared({ ...rightKit, source: 'http' })).toBe('kept');
    expect(await declared({ ...rightKit, source: 'tcp' })).toMatch(disagrees('tcp'));
    expect(await declared({ ...rightKit, source: 'replica' })).toMatch(disagrees('replica'));
  });

  it.each(ofDeliveries)('lets no adapter skip %s', async (id) => {
    const kit = { ...feedKit, without: { ...feedKit.without, [id]: 'our files are always right' } };
    expect(await declared(kit)).toContain(`without: ${id} may not be skipped`);
  });
});
