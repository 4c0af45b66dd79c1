import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import type { CoreItems } from '../../core-banking/core.adapter.js';
import { CoreError, type CoreErrorKind } from '../../core-banking/core-error.js';
import type { CoreAnswer, Strike } from '../core-proxy.js';
import { same } from '../compare.js';
import { canary, jsonOf, sourceOf, spoilt, withJson } from '../spoil.js';
import { type AnyRead, askAny, faultOf, settingsOf, type Subject, type World } from '../world.js';

type FaultyRead = AnyRead | 'health';

/** The deadline of a call that is to fail before it; and how much later at most it has to have ended. */
const generousDeadlineMs = 2_000;
const graceMs = 1_500;
/** The deadline of a call to a core that does not answer. */
const slowDeadlineMs = 100;
/** A read that asks the core more often than this is struck at its first calls only. */
const struckCalls = 4;

function subjectOf(world: World, read: FaultyRead): Subject {
  return read === 'accounts' || read === 'account' || read === 'health'
    ? world.need('account', ({ truth }) => truth.account.permitted)
    : world.richest(read);
}

function call(world: World, read: FaultyRead, subject: Subject, signal: AbortSignal): Promise<unknown> {
  return read === 'health' ? world.adapter.health(signal) : askAny(world.adapter, read, subject, signal);
}

function everyRead(world: World): FaultyRead[] {
  return ['accounts', 'account', ...world.reads, 'health'];
}

/** Strikes each read at each of its calls to the core, and gives the fault with which it ends. */
async function struck(
  world: World,
  strike: Strike,
  judge: (fault: CoreError, read: FaultyRead, where: string) => void,
  reads = everyRead(world),
  deadlineMs = generousDeadlineMs,
): Promise<void> {
  for (const read of reads) {
    const subject = subjectOf(world, read);
    const well = (): Promise<unknown> => call(world, read, subject, AbortSignal.timeout(10_000));
    // Whatever it asks once only (a token) has been asked.
    await well();
    let calls = 0;
    await world.under({}, async () => {
      await well();
      calls = world.proxy.requests;
    });
    assert.ok(calls > 0, `${read}: the adapter did not ask the core through the address that it was given`);
    for (let first = 0; first < Math.min(calls, struckCalls); first++) {
      const where = `${read}, the core at fault from call ${first + 1} of ${calls}`;
      await world.under({ strike: ({ index }) => (index < first ? { kind: 'pass' } : strike) }, async () => {
        const startedMs = performance.now();
        const fault = await faultOf(call(world, read, subject, AbortSignal.timeout(deadlineMs)), where);
        assert.ok(performance.now() - startedMs < deadlineMs + graceMs, `${where}: long after its deadline`);
        judge(fault, read, where);
      });
    }
    // And back by itself.
    await well();
  }
}

const is =
  (...kinds: CoreErrorKind[]) =>
  (fault: CoreError, _: FaultyRead, where: string): void =>
    assert.ok(kinds.includes(fault.kind), `${where}: ${fault.kind}, not ${kinds.join(' or ')}`);

/** Health is there to tell up from down: a core that talks nonsense may be called down. */
const isBad = (fault: CoreError, read: FaultyRead, where: string): void =>
  is(...(['bad-record', ...(read === 'health' ? (['unavailable'] as const) : [])] as CoreErrorKind[]))(
    fault,
    read,
    where,
  );

async function closedOrigin(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

export async function refusedIsUnavailable(world: World): Promise<void> {
  const origin = await closedOrigin();
  await world.with(async (adapter) => {
    for (const read of everyRead(world)) {
      const signal = AbortSignal.timeout(3_000);
      const reading =
        read === 'health' ? adapter.health(signal) : askAny(adapter, read, subjectOf(world, read), signal);
      is('unavailable')(await faultOf(reading, read), read, `${read}, nobody listening`);
    }
  }, origin);
}

export async function slowIsTimeout(world: World): Promise<void> {
  await struck(world, { kind: 'hang' }, is('timeout'), everyRead(world), slowDeadlineMs);
  await struck(world, { kind: 'stall' }, is('timeout'), ['accounts', ...world.reads], slowDeadlineMs);
}

export async function resetIsUnavailable(world: World): Promise<void> {
  await struck(world, { kind: 'reset' }, is('unavailable'));
}

const replaced = (by: (answer: CoreAnswer) => CoreAnswer): Strike => ({ kind: 'replace', by });

const truncated = replaced((answer) => ({ ...answer, body: answer.body.subarray(0, answer.body.length >> 1) }));

export async function truncatedIsBad(world: World): Promise<void> {
  await struck(world, truncated, isBad);
}

const html = Buffer.from(`<!DOCTYPE html><html><body><h1>${canary}</h1><p>Scheduled maintenance</p></body></html>`);
const page = (status: number): Strike =>
  replaced(() => ({ status, headers: { 'content-type': 'text/html; charset=utf-8' }, body: html }));

export async function htmlIsBad(world: World): Promise<void> {
  await struck(world, page(200), isBad);
  await struck(world, page(503), is('unavailable'));
}

const retryAfterSeconds = 7;
const tooMany = replaced(() => ({
  status: 429,
  headers: { 'content-type': 'application/json', 'retry-after': String(retryAfterSeconds) },
  body: Buffer.from(JSON.stringify({ error: canary })),
}));

export async function tooManyIsRateLimited(world: World): Promise<void> {
  await struck(world, tooMany, (fault, read, where) => {
    // Health says no more than that the core is not well.
    is(...(['rate-limited', ...(read === 'health' ? (['unavailable'] as const) : [])] as CoreErrorKind[]))(
      fault,
      read,
      where,
    );
    if (fault.kind === 'rate-limited')
      assert.equal(fault.retryAfterSeconds, retryAfterSeconds, `${where}: retryAfterSeconds`);
  });
}

const wrongTypes = replaced((answer) => {
  const json = jsonOf(answer);
  return json === undefined ? answer : withJson(answer, spoilt(json));
});

export async function wrongTypesAreBad(world: World): Promise<void> {
  await struck(world, wrongTypes, isBad, ['account', ...world.reads, 'health']);
  // Of a list each may be bad by itself.
  await world.under({ strike: () => wrongTypes }, async () => {
    const subject = subjectOf(world, 'accounts');
    let found: CoreItems<object>;
    try {
      found = (await askAny(world.adapter, 'accounts', subject)) as CoreItems<object>;
    } catch (error) {
      assert.ok(error instanceof CoreError && error.kind === 'bad-record', `accounts: ${String(error)}`);
      return;
    }
    same(found.items, [], 'accounts, every value of a wrong type');
    assert.ok(found.bad.length > 0, 'accounts, every value of a wrong type: an empty list, as if there were none');
  });
}

export async function faultsKeepSilent(world: World): Promise<void> {
  const words = secretWords(world);
  const silent = (message: string, where: string): void => {
    for (const { word, what } of words)
      assert.ok(!message.includes(word), `${where}: the message repeats ${what}: ${message.replaceAll(word, '…')}`);
  };
  for (const strike of [truncated, page(200), page(500), page(503), tooMany, wrongTypes, { kind: 'reset' } as const]) {
    for (const read of everyRead(world)) {
      const subject = subjectOf(world, read);
      await world.under({ strike: () => strike }, async () => {
        try {
          const found = (await call(world, read, subject, AbortSignal.timeout(2_000))) as CoreItems<object> | undefined;
          for (const { where, fault } of found?.bad ?? []) silent(`${where} ${fault}`, `${read}, a bad record`);
        } catch (error) {
          silent(inspect(error), read);
        }
      });
    }
  }
  for (const read of ['accounts', ...world.reads] satisfies AnyRead[]) {
    const subject = subjectOf(world, read);
    const source = await sourceOf(world, read, subject);
    if (source === undefined) continue;
    await world.under(
      source.change((records) => void (records[1] = spoilt(records[1]))),
      async () => {
        try {
          const { bad } = (await askAny(world.adapter, read, subject)) as CoreItems<object>;
          for (const { where, fault } of bad) silent(`${where} ${fault}`, `${read}, a bad record`);
        } catch (error) {
          silent(inspect(error), read);
        }
      },
    );
  }
  const stranger = `stranger-${canary}`;
  const { customerRef } = subjectOf(world, 'account');
  const fault = await faultOf(askAny(world.adapter, 'account', { customerRef, accountRef: stranger }), 'account');
  silent(fault.message, 'account, unknown');
}

/** What must be in no message; short words, which may stand in one by chance, are left out. */
function secretWords({ core, proxy, subjects }: World): { word: string; what: string }[] {
  const { variables } = settingsOf(core, proxy.origin);
  const secrets = Object.entries(variables).filter(([name]) => /SECRET|PASSWORD|TOKEN|KEY|CREDENTIAL|USER/.test(name));
  const words = [
    { word: canary, what: 'what the core sent or was asked' },
    ...secrets.map(([name, word]) => ({ word, what: `the value of ${name}` })),
    ...subjects.flatMap(({ customerRef, accountRef, truth }) => [
      { word: customerRef, what: 'a customer’s reference' },
      { word: accountRef, what: 'an account’s reference' },
      ...[truth.account.accountNumber, truth.account.iban].map((word) => ({
        word: word ?? '',
        what: 'an account number',
      })),
      ...(truth.party ?? []).map(({ name }) => ({ word: name ?? '', what: 'a name' })),
    ]),
  ];
  return words.filter(({ word }) => word.length >= 5);
}
