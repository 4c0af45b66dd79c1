import assert from 'node:assert/strict';
import { once } from 'node:events';
import { inspect } from 'node:util';
import type { CoreItems } from '../../core-adapter/core.adapter.js';
import { type CoreError, type CoreErrorKind } from '../../core-adapter/core-error.js';
import type { CoreRequest, InjectedFault } from '../core-proxy.js';
import { inTime } from '../patience.js';
import { canary, spoilOf } from '../spoil.js';
import {
  closedOrigin,
  retryAfterSeconds,
  injectedFaults,
  injectedFaultsFor,
  unstatedWaits,
} from '../injected-faults.js';
import { type AnyAnswer, type AnyRead, askAny, faultOf, type ListRead } from '../reads.js';
import { secretWords } from '../secret-words.js';
import type { World } from '../world.js';

/** The deadline of a call that is to fail before it; and how much later at most it has to have ended. */
const generousDeadlineMs = 30_000;
const graceMs = 1_500;
/** The deadline of a call, counted from the moment at which the core falls silent, so that a slow machine reaches it too. */
const afterSilenceMs = 50;
/** A read that asks the core more often than this meets the fault at its first calls only. */
const mostFaultyCalls = 4;

/** The outcome of a read, for the clause. */
export type Outcome = (answer: Promise<AnyAnswer>) => Promise<unknown>;
type ErrorCheck = (fault: CoreError, where: string) => void;

/** Injects a fault into each read at each of its calls to the core, and checks the error with which the read ends. */
export async function checkReadsUnder(
  world: World,
  injected: InjectedFault,
  check: ErrorCheck,
  reads = world.everyRead,
  outcome: Outcome = (answer) => answer,
  fault = 'the core at fault',
): Promise<void> {
  const calls = new Map<AnyRead, number>();
  for (const read of reads) {
    // The first read has made the requests that an adapter makes once only, for a token say.
    await askAny(world.adapter, read, world.subjectOf(read));
    await world.under({}, async () => {
      await askAny(world.adapter, read, world.subjectOf(read));
      calls.set(read, world.proxy.requests);
    });
    assert.ok(calls.get(read), notAsked(read));
  }
  await withInjected(
    world,
    () => injected,
    (deadline) =>
      Promise.all(reads.map((read) => checkEnd(world, read, deadline, check, `${read}, ${fault}`, outcome))),
  );
  for (const read of reads) {
    const count = calls.get(read) ?? 0;
    for (let first = 1; first < Math.min(count, mostFaultyCalls); first++) {
      const where = `${read}, ${fault} from call ${first + 1} of ${count}`;
      await withInjected(
        world,
        ({ index }) => (index < first ? { kind: 'pass' } : injected),
        (deadline) => checkEnd(world, read, deadline, check, where, outcome),
      );
    }
    // The clause passes when the core is healthy again by itself.
    await askAny(world.adapter, read, world.subjectOf(read));
  }
}

function notAsked(read: AnyRead): string {
  return (
    `${read}: no request came to the address that the adapter was given. It answers from a copy that it keeps, or asks ` +
    'another address'
  );
}

/** With a deadline for each call: a generous one, or where the core falls silent one soon after that. */
async function withInjected(
  world: World,
  inject: (request: CoreRequest) => InjectedFault,
  use: (deadline: () => AbortSignal) => Promise<unknown>,
): Promise<void> {
  const aborters: AbortController[] = [];
  const onSilence = (): void => {
    // An immediate runs after pending input, so the adapter has received the first half of the answer.
    setTimeout(() => setImmediate(() => aborters.forEach((aborter) => aborter.abort())), afterSilenceMs);
  };
  const deadline = (): AbortSignal => {
    const aborter = new AbortController();
    aborters.push(aborter);
    return AbortSignal.any([aborter.signal, AbortSignal.timeout(generousDeadlineMs)]);
  };
  await world.under({ inject, onSilence }, () => use(deadline));
}

async function checkEnd(
  world: World,
  read: AnyRead,
  deadline: () => AbortSignal,
  check: ErrorCheck,
  where: string,
  outcome: Outcome,
): Promise<void> {
  const signal = deadline();
  const reading = faultOf(outcome(askAny(world.adapter, read, world.subjectOf(read), signal)), where);
  await Promise.race([reading, once(signal, 'abort')]);
  const fault = await inTime(reading, graceMs);
  if (fault === 'late') assert.fail(`${where}: has not ended long after its deadline`);
  check(fault, where);
}

export const isOfKind =
  (kind: CoreErrorKind): ErrorCheck =>
  (fault, where) =>
    assert.equal(fault.kind, kind, where);

export async function refusedIsUnavailable(world: World): Promise<void> {
  await world.with(
    async (adapter) => {
      for (const read of world.everyRead) {
        const reading = askAny(adapter, read, world.subjectOf(read), AbortSignal.timeout(generousDeadlineMs));
        isOfKind('unavailable')(await faultOf(reading, read), `${read}, connection refused`);
      }
    },
    await closedOrigin(),
  );
}

export async function slowIsTimeout(world: World): Promise<void> {
  await checkReadsUnder(world, { kind: 'hang' }, isOfKind('timeout'));
  await checkReadsUnder(world, { kind: 'stall' }, isOfKind('timeout'));
}

export async function resetIsUnavailable(world: World): Promise<void> {
  await checkReadsUnder(world, injectedFaults['reset in mid-answer'], isOfKind('unavailable'));
}

export async function truncatedIsBad(world: World): Promise<void> {
  await checkReadsUnder(world, injectedFaults['cut short'], isOfKind('bad-record'));
}

export async function htmlIsBad(world: World): Promise<void> {
  await checkReadsUnder(world, injectedFaults['a page of HTML'], isOfKind('bad-record'));
  await checkReadsUnder(world, injectedFaults['a page of HTML under status 503'], isOfKind('unavailable'));
}

export async function tooManyIsRateLimited(world: World): Promise<void> {
  await checkReadsUnder(world, injectedFaults['status 429'], (fault, where) => {
    isOfKind('rate-limited')(fault, where);
    assert.equal(fault.retryAfterSeconds, retryAfterSeconds, `${where}: retryAfterSeconds`);
  });
  for (const [name, injected] of Object.entries(unstatedWaits))
    await checkReadsUnder(
      world,
      injected,
      ({ kind, retryAfterSeconds: seconds = 0 }, where) => {
        assert.equal(kind, 'rate-limited', `${where}, ${name}`);
        assert.ok(Number.isInteger(seconds) && seconds >= 0, `${where}, ${name}: retryAfterSeconds is ${seconds}`);
      },
      ['account'],
    );
}

/** An empty list would say to the customer that there is nothing, and an unknown account that the consent is useless. */
export async function errorsAreNoAnswers(world: World): Promise<void> {
  for (const name of [
    'status 401',
    'status 404 of another server',
    'a page of HTML under status 404',
    'status 500',
  ] as const)
    await checkReadsUnder(world, injectedFaults[name], ({ kind }, where) =>
      assert.ok(kind === 'unavailable' || kind === 'bad-record', `${where}, ${name}: ${kind}`),
    );
}

/** The core says so in the body alone: an adapter that looks at the status would read an empty list. */
export async function errorsUnderSuccessAreErrors(world: World): Promise<void> {
  const answers = world.kit.faults?.answers ?? [];
  assert.ok(
    answers.length > 0,
    '`faults.answers` is empty: give the errors that the core sends under status 200, each with its kind, or say in ' +
      '`without` that it sends none',
  );
  for (const { body, kind, retryAfterSeconds: seconds } of answers) {
    const injected: InjectedFault = {
      kind: 'replace',
      by: (answer) => ({ ...answer, status: 200, body: Buffer.from(body) }),
    };
    // An unknown customer has no accounts, and an unknown number finds none.
    const empty: readonly AnyRead[] = kind === 'account-not-found' ? ['accounts', 'findPaymentAccount'] : [];
    const reads = world.everyRead.filter((read) => !empty.includes(read));
    await checkReadsUnder(
      world,
      injected,
      (fault, where) => {
        assert.equal(fault.kind, kind, where);
        assert.equal(fault.retryAfterSeconds, seconds, `${where}: retryAfterSeconds`);
      },
      reads,
      undefined,
      `${kind} under status 200`,
    );
  }
}

export async function faultsKeepSilent(world: World): Promise<void> {
  const words = secretWords(world);
  const silent = (message: string, where: string): void => {
    for (const { word, what } of words)
      assert.ok(!message.includes(word), `${where}: the message repeats ${what}: ${message.replaceAll(word, '…')}`);
  };
  for (const injected of Object.values(injectedFaultsFor(world))) {
    for (const read of world.everyRead) {
      const subject = world.subjectOf(read);
      await world.under({ inject: () => injected }, async () => {
        try {
          const found = (await askAny(world.adapter, read, subject)) as Partial<CoreItems<object>>;
          for (const { where, fault } of found.bad ?? []) silent(`${where} ${fault}`, `${read}, a bad record`);
        } catch (error) {
          silent(messageOf(error), read);
        }
      });
    }
  }
  for (const read of ['accounts', ...world.reads] satisfies ListRead[]) {
    const subject = world.subjectOf(read);
    const spoil = await spoilOf(world, read, subject);
    await spoil?.('one', async () => {
      try {
        const { bad } = (await askAny(world.adapter, read, subject)) as CoreItems<object>;
        for (const { where, fault } of bad) silent(`${where} ${fault}`, `${read}, a bad record`);
      } catch (error) {
        silent(messageOf(error), read);
      }
    });
  }
  const stranger = `stranger-${canary}`;
  const { customerRef } = world.subjectOf('account');
  const fault = await faultOf(askAny(world.adapter, 'account', { customerRef, accountRef: stranger }), 'account');
  silent(fault.message, 'account, unknown');
}

/** An error with all its members except its frames, which name the files of the adapter's author. */
function messageOf(error: unknown): string {
  return inspect(error).replace(/^ +at .*:\d+:\d+\)?( \{)?$/gm, '');
}
