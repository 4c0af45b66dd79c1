import assert from 'node:assert/strict';
import type { CoreAdapter } from '../../core-adapter/core.adapter.js';
import { askAny, faultOf } from '../reads.js';
import { settingsOf, type World } from '../world.js';

/** An adapter that keeps a login which the core has ended would fail until it is started again. */
export async function endedLoginsAreRenewed(world: World): Promise<void> {
  const { endLogins } = world.core;
  if (endLogins === undefined) return keepsNoLogin(world);
  for (const read of world.everyRead) {
    const reading = (): Promise<unknown> => askAny(world.adapter, read, world.subjectOf(read));
    await reading();
    await endLogins();
    await answersOrIsUnavailable(reading(), `${read}, the first after the core has ended the login`);
    await reading().catch((error: unknown) => {
      assert.fail(
        `${read}, the second after the core has ended the login: ${String(error)}. ` +
          'Where the core refuses a login, forget it, and sign in for the next call',
      );
    });
  }
}

/** The gateway asks again when a core is unavailable. */
async function answersOrIsUnavailable(reading: Promise<unknown>, where: string): Promise<void> {
  const hasAnswered = await reading.then(
    () => true,
    () => false,
  );
  if (!hasAnswered) assert.equal((await faultOf(reading, where)).kind, 'unavailable', where);
}

const endLoginsIsNeeded =
  'Give the test core `endLogins`, or say in `without` why a login here needs no renewal before its end';

/** Without `endLogins` the adapter may have no login that could end: no call only once, and no token from elsewhere. */
async function keepsNoLogin(world: World): Promise<void> {
  await world.with(async (adapter) => {
    const [first, second] = [await callsOf(world, adapter), await callsOf(world, adapter)];
    assert.ok(
      first.count <= second.count,
      `the first read asked the core ${first.count} times, and the next one ${second.count} times: the adapter keeps an ` +
        `answer, a token say. ${endLoginsIsNeeded}`,
    );
    const { variables } = settingsOf(world.core, world.proxy.origin);
    const isSetting = (token: string): boolean => Object.values(variables).some((value) => token.includes(value));
    assert.ok(
      second.tokens.every(isSetting),
      `the adapter sends a bearer token that is in none of its settings. ${endLoginsIsNeeded}`,
    );
  });
}

/** The calls of one read of the accounts. */
async function callsOf(world: World, adapter: CoreAdapter): Promise<{ count: number; tokens: string[] }> {
  const tokens: string[] = [];
  let count = 0;
  const onAnswer = (
    _path: string,
    _answer: unknown,
    { headers }: { readonly headers: { authorization?: string } },
  ): void => {
    count++;
    const [, token] = /^bearer +(.+)$/i.exec(headers.authorization ?? '') ?? [];
    if (token !== undefined) tokens.push(token);
  };
  await world.under({ onAnswer }, () => askAny(adapter, 'accounts', world.subjectOf('accounts')));
  return { count, tokens };
}
