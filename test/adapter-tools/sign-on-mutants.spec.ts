import { beforeAll, describe, expect, it } from '@jest/globals';
import { mutateSignOn, type MutantResult } from '../../adapter-tools/mutate.js';
import { signOnMutants } from '../../packages/adapter-kit/sign-on/mutants/mutants.js';
import { signOnClauses } from '../../packages/adapter-kit/sign-on/sign-on-kit.js';
import { kit as http } from '../sign-ons/http/http.kit.js';
import { kit as app } from '../sign-ons/http-app/http-app.kit.js';
import { kit as oidc } from '../sign-ons/oidc/oidc.kit.js';

/** Some clauses wait until a time of the question is seen in place of the act's. */
const mutantsWithinMs = 600_000;
const kits = { http, 'http-app': app, oidc };
const resultsOf = new Map<string, readonly MutantResult[]>();

beforeAll(async () => {
  for (const [name, kit] of Object.entries(kits)) {
    const results: MutantResult[] = [];
    for await (const result of mutateSignOn(kit, signOnMutants, [])) results.push(result);
    resultsOf.set(name, results);
  }
}, mutantsWithinMs);

it.each(Object.keys(kits))('the kit finds each broken adapter of %s by the clauses that should find it', (name) => {
  expect(resultsOf.get(name)?.filter(({ outcome }) => outcome === 'survives')).toEqual([]);
});

it('another destination of the code differs from the one that the sign-on states, whatever that is', async () => {
  const create: typeof http.create = async (...given) => {
    const adapter = await http.create(...given);
    const begin: typeof adapter.begin = async (...asked) => {
      const step = await adapter.begin(...asked);
      return step.step === 'code' ? { ...step, sentTo: 'your phone' } : step;
    };
    return Object.assign(Object.create(adapter) as typeof adapter, { begin });
  };
  const destination = signOnMutants.filter(({ does }) => does.startsWith('says another destination'));
  const results: MutantResult[] = [];
  for await (const result of mutateSignOn({ ...http, create }, destination, [])) results.push(result);
  expect(results.map(({ outcome }) => outcome)).toEqual(['caught']);
});

describe('of the broken adapters of a sign-on', () => {
  it('each can be made at one of the built-in adapters, and each clause finds one', () => {
    const caught = [...resultsOf.values()].flat().filter(({ outcome }) => outcome === 'caught');
    const all = new Set(caught.map(({ mutant }) => mutant.does));
    expect(signOnMutants.filter(({ does }) => !all.has(does))).toEqual([]);
    const finding = new Set(signOnMutants.flatMap(({ clauses }) => clauses));
    // A wrong setting is the adapter's own matter: no mistake around it shows there.
    expect(signOnClauses.map(({ id }) => id).filter((id) => !finding.has(id))).toEqual(['SIGN-01']);
  });
});
