// Nightly: it tests the kit, a tool for banks, with many broken adapters.
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  checkCustomerAuthentication,
  signOnClauses,
  type SignOnUnderTest,
} from '../../../packages/adapter-kit/sign-on/sign-on-kit.js';
import { openStep, SignOnWorld } from '../../../packages/adapter-kit/sign-on/sign-on-world.js';
import { kit as http } from '../../sign-ons/http/http.kit.js';
import { kit as app } from '../../sign-ons/http-app/http-app.kit.js';
import { kit as oidc } from '../../sign-ons/oidc/oidc.kit.js';
import { mutatedSignOn, type SignOnMutant, type SignOnPlace } from './mutants/mutant.js';
import { signOnMutants } from './mutants/mutants.js';

/** Some clauses wait until a time of the question is seen in place of the act's. */
const mutantsWithinMs = 600_000;
const kits: Readonly<Record<string, SignOnUnderTest>> = { http, 'http-app': app, oidc };

async function placeOf(kit: SignOnUnderTest): Promise<SignOnPlace> {
  const world = await SignOnWorld.open(kit);
  try {
    return await world.with(async (adapter) => ({
      asksCredentials: adapter.asksCredentials,
      without: kit.without ?? {},
      firstStep: openStep(await world.begin(adapter, world.signOn.customer)).step,
    }));
  } finally {
    await world.close();
  }
}

async function isCaught(kit: SignOnUnderTest, mutant: SignOnMutant): Promise<boolean> {
  for await (const { outcome } of checkCustomerAuthentication(mutatedSignOn(kit, mutant), mutant.clauses))
    if (outcome === 'broken') return true;
  return false;
}

describe('of the broken adapters of a sign-on', () => {
  /** The mistakes that the adapter of each kit can make, and whether the kit finds them. */
  const found = new Map<string, Map<SignOnMutant, boolean>>();
  beforeAll(async () => {
    for (const [name, kit] of Object.entries(kits)) {
      const place = await placeOf(kit);
      const caught = new Map<SignOnMutant, boolean>();
      for (const mutant of signOnMutants)
        if (mutant.hindrance?.(place) === undefined) caught.set(mutant, await isCaught(kit, mutant));
      found.set(name, caught);
    }
  }, mutantsWithinMs);

  it.each(Object.keys(kits))('the kit finds each that can be made of %s by the clauses that should find it', (name) => {
    const survivors = [...(found.get(name) ?? [])].filter(([, caught]) => !caught);
    expect(survivors.map(([{ does }]) => does)).toEqual([]);
  });

  it('each can be made of one of the built-in adapters, and each clause finds one', () => {
    const made = new Set([...found.values()].flatMap((caught) => [...caught.keys()]));
    expect(signOnMutants.filter((mutant) => !made.has(mutant))).toEqual([]);
    const finding = new Set(signOnMutants.flatMap(({ clauses }) => clauses));
    // A wrong setting is the adapter's own matter: no mistake around it shows there.
    expect(signOnClauses.map(({ id }) => id).filter((id) => !finding.has(id))).toEqual(['SIGN-01']);
  });
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
  const [mutant] = signOnMutants.filter(({ does }) => does.startsWith('says another destination'));
  expect(await isCaught({ ...http, create }, mutant as SignOnMutant)).toBe(true);
});
