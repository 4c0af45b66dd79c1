// Nightly: it tests the kit, a tool for banks, with some hundred broken adapters.
import { describe, expect, it } from '@jest/globals';
import {
  type AdapterUnderTest,
  checkCoreAdapter,
  type ClauseId,
  clausesOf,
} from '../../packages/adapter-kit/adapter-kit.js';
import { flawsOfReplicas, right } from './flaws-of-replicas.js';
import { tinyReplicaKit } from './tiny-replica.js';
import { tinyKit } from './tiny-core.js';
import { TinyAdapter } from './tiny.adapter.js';

const ofReplicas = Object.keys(flawsOfReplicas) as ClauseId[];

async function outcomesOf(kit: AdapterUnderTest, only: readonly ClauseId[]): Promise<[ClauseId, string, string?][]> {
  const outcomes: [ClauseId, string, string?][] = [];
  for await (const { clause, outcome, reason } of checkCoreAdapter(kit, only))
    outcomes.push(reason === undefined ? [clause.id, outcome] : [clause.id, outcome, reason]);
  return outcomes;
}

describe('the clauses on replicas', () => {
  it('find nothing wrong with a replica that is right', async () => {
    expect(await outcomesOf(tinyReplicaKit(right), ofReplicas)).toEqual(ofReplicas.map((id) => [id, 'kept']));
  });

  it.each(Object.entries(flawsOfReplicas).map(([id, [what, parts]]) => ({ id, what, parts })))(
    'an adapter that $what breaks $id',
    async ({ id, parts }) => {
      const outcomes = await outcomesOf(tinyReplicaKit(parts), [id as ClauseId]);
      expect(outcomes).toEqual([[id, 'broken', expect.any(String)]]);
    },
  );
});

describe('the source of an adapter’s data', () => {
  const http = tinyKit((settings) => new TinyAdapter(settings));
  const declared = async (kit: AdapterUnderTest) => (await outcomesOf(kit, ['CORE-02']))[0]?.[2] ?? 'kept';

  it('decides the clauses: a replica has none on connections, and a connection none on deliveries', () => {
    const [overHttp, replica] = [clausesOf('http'), clausesOf('replica')].map((list) => list.map(({ id }) => id));
    expect(overHttp?.filter((id) => ofReplicas.includes(id))).toEqual([]);
    expect(replica).toEqual(expect.arrayContaining([...ofReplicas, 'CORE-03', 'CORE-32', 'CORE-51']));
    for (const id of ['CORE-44', 'CORE-45', 'CORE-46', 'CORE-61', 'CORE-62'] as const)
      expect(replica).not.toContain(id);
  });

  it('must agree with the URL of the test core', async () => {
    expect(await declared({ ...http, source: 'http' })).toBe('kept');
    expect(await declared({ ...http, source: 'tcp' })).toMatch(/^source: tcp does not agree with the URL/);
    expect(await declared({ ...tinyReplicaKit(right), source: 'tcp', core: http.core })).toMatch(/^source: tcp/);
  });

  it('is not a replica where the core is asked over HTTP, so no adapter escapes the clauses on connections', async () => {
    expect(await declared({ ...http, source: 'replica' })).toMatch(/^source: replica does not agree with the URL/);
  });

  it('gives clauses that no adapter of that source can leave out', async () => {
    for (const id of ofReplicas) {
      const kit = { ...tinyReplicaKit(right), without: { [id]: 'our files are always right' } };
      expect(await declared(kit)).toMatch(new RegExp(`without: ${id} may not be skipped`));
    }
  });
});
