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
import { wrongInConduct } from './conduct.js';
import { wrongAboutFactors } from './factors.js';
import { wrongAboutResults } from './results.js';
import { type SignOnPlace, wrongKit, type WrongSignOn } from './wrong-sign-on.js';

/** Some clauses wait until a time of the question is seen in place of the act's. */
const allWithinMs = 600_000;
const wrongSignOns: readonly WrongSignOn[] = [...wrongAboutFactors, ...wrongAboutResults, ...wrongInConduct];
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

async function isFound(kit: SignOnUnderTest, [clause, , make]: WrongSignOn): Promise<boolean> {
  for await (const { outcome } of checkCustomerAuthentication(wrongKit(kit, make), [clause]))
    if (outcome === 'broken') return true;
  return false;
}

describe('of the wrong adapters of a sign-on', () => {
  /** Those that can be made of the adapter of each kit, and whether the kit finds them. */
  const found = new Map<string, Map<WrongSignOn, boolean>>();
  beforeAll(async () => {
    for (const [name, kit] of Object.entries(kits)) {
      const place = await placeOf(kit);
      const ofKit = new Map<WrongSignOn, boolean>();
      for (const wrong of wrongSignOns)
        if (wrong[3]?.(place) === undefined) ofKit.set(wrong, await isFound(kit, wrong));
      found.set(name, ofKit);
    }
  }, allWithinMs);

  it.each(Object.keys(kits))('the kit finds each that can be made of %s by the clause that should find it', (name) => {
    const missed = [...(found.get(name) ?? [])].filter(([, isFoundOne]) => !isFoundOne);
    expect(missed.map(([[, does]]) => does)).toEqual([]);
  });

  it('each can be made of one of the built-in adapters, and each clause finds one', () => {
    const made = new Set([...found.values()].flatMap((ofKit) => [...ofKit.keys()]));
    expect(wrongSignOns.filter((wrong) => !made.has(wrong))).toEqual([]);
    const finding = new Set<string>(wrongSignOns.map(([clause]) => clause));
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
  const wrong = wrongSignOns.find(([, does]) => does.startsWith('says another destination'));
  expect(await isFound({ ...http, create }, wrong as WrongSignOn)).toBe(true);
});
