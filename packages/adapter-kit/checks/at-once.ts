import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { same, textOf } from '../compare.js';
import { type AnyAnswer, type AnyRead, askAny, faultOf, type Subject } from '../reads.js';
import type { World } from '../world.js';

/** An adapter may take a read for another that is under way: of another customer, or with another signal. */
export async function readersAreApart(world: World): Promise<void> {
  for (const read of world.everyRead) {
    const owner = world.subjectOf(read);
    if (read === 'accounts') await listsAreApart(world);
    // No customer finds an account: its number does.
    else if (read !== 'findPaymentAccount') await strangersAreApart(world, read, owner);
    await signalsAreApart(world, read, owner);
  }
}

async function listsAreApart(world: World): Promise<void> {
  const list = async ({ customerRef }: World['personas'][number]): Promise<string> =>
    textOfAnswer(await askAny(world.adapter, 'accounts', { customerRef, accountRef: '' }));
  const alone: string[] = [];
  for (const persona of world.personas) alone.push(await list(persona));
  same(await Promise.all(world.personas.map(list)), alone, 'the accounts of every customer, read at once');
}

/** The owner and a stranger ask at once; first the owner begins, and then the stranger. */
async function strangersAreApart(world: World, read: AnyRead, owner: Subject): Promise<void> {
  const { accountRef } = owner;
  const other = world.personas.find(({ accountRefs }) => !accountRefs.includes(accountRef));
  assert.ok(other, `every customer of the kit holds ${accountRef}: list one who does not`);
  const stranger = { customerRef: other.customerRef, accountRef };
  const where = `${read} of ${accountRef}, asked at once by its customer and by ${stranger.customerRef}`;
  const alone = textOfAnswer(await askAny(world.adapter, read, owner));
  const asOwner = async (): Promise<void> => same(textOfAnswer(await askAny(world.adapter, read, owner)), alone, where);
  const asStranger = async (): Promise<void> => {
    const fault = await faultOf(askAny(world.adapter, read, stranger), where);
    assert.equal(fault.kind, 'account-not-found', where);
  };
  await Promise.all([asOwner(), asStranger()]);
  await Promise.all([asStranger(), asOwner()]);
}

/** Turns of the event loop after which the signal of the first of two equal reads fires. */
const turnsBefore = [0, 1, 4];

async function signalsAreApart(world: World, read: AnyRead, subject: Subject): Promise<void> {
  for (const turns of turnsBefore) {
    const aborter = new AbortController();
    const givenUp = askAny(world.adapter, read, subject, aborter.signal).catch(() => undefined);
    const kept = askAny(world.adapter, read, subject).catch((error: unknown) =>
      assert.fail(`${read}: ended with the signal of an equal read that began before it (${(error as Error).message})`),
    );
    kept.catch(() => undefined);
    for (let turn = 0; turn < turns; turn++) await nextTurn();
    aborter.abort();
    await givenUp;
    await kept;
  }
}

function textOfAnswer(answer: AnyAnswer): string {
  return 'items' in answer ? answer.items.map(textOf).sort().join() : textOf(answer);
}
