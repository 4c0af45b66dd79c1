// Nightly: it tests the kit, a tool for banks, with wrong adapters.
import { describe } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { CoreError, isCoreError } from '../../../packages/core-adapter/core-error.js';
import type { CoreAccount } from '../../../packages/core-adapter/core.records.js';
import type { HttpAnswer } from '../../../packages/core-adapter/http-core.client.js';
import { tcpKit } from '../tcp-kit.js';
import { findsEach } from './finds-each.js';
import {
  adapter,
  type Answer,
  answers,
  around,
  asking,
  but,
  type Call,
  calls,
  http,
  type Make,
  records,
  type WrongAdapter,
} from './wrong-adapter.js';

const notFound = (): CoreError => new CoreError('account-not-found', 'the core lists no such account');

/** A mistake in the faults with which reads end: another fault, or an answer in its place. */
const faults = (change: (fault: CoreError, call: Call) => object): Make =>
  calls(
    () => (call, ask) =>
      ask(call).catch((error: unknown) => {
        if (isCoreError(error)) return change(error, call);
        throw error as Error;
      }),
  );

/** Another fault in the place of one of this kind. */
const calling = (is: (fault: CoreError) => boolean, other: (fault: CoreError) => object): Make =>
  faults((fault) => {
    if (is(fault)) return other(fault);
    throw fault;
  });
const throwing = (kind: CoreError['kind']) => (): never => {
  throw new CoreError(kind, 'another fault');
};

/** Another fault in the place of the one that an answer of the core means. */
const refusing = (is: (answer: HttpAnswer) => boolean, fault: (answer: HttpAnswer) => CoreError): Make =>
  http((right) => ({ refusal: (answer) => (is(answer) ? fault(answer) : right.refusal(answer)) }));

/** Reads an error of the core under status 200 in its own way. */
const readingBusy = (read: () => unknown): Make =>
  http((right) => ({ json: (answer) => (answer.text.includes('"BUSY"') ? read() : right.json(answer)) }));

const busyWithoutLists = { acct: {}, accts: [], found: [], entries: [], more: false };
const isNoList = ({ detail }: CoreError): boolean => / is not a list$/.test(detail);

/** BigInt has no JSON. */
const textOf = (answer: object): string =>
  JSON.stringify(answer, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

const telling = (tell: (text: string) => void): Make =>
  answers('all', (answer) => {
    tell(`${textOf(answer)}\n`);
    return answer;
  });

/** On connections of any protocol. */
const onConnections: readonly WrongAdapter[] = [
  [
    'CORE-44',
    'calls a refused connection a timeout',
    calling(({ detail }) => detail.includes('ECONNREFUSED'), throwing('timeout')),
  ],
  [
    'CORE-45',
    'forgets the deadline',
    calls(() => (call, ask) => ask({ ...call, context: { ...call.context, signal: new AbortController().signal } })),
  ],
  [
    'CORE-46',
    'calls a reset a bad record',
    calling(({ kind, detail }) => kind === 'unavailable' && detail.includes('unreachable'), throwing('bad-record')),
  ],
  [
    'CORE-51',
    'tells the log whose account it did not find',
    faults((fault, { accountRef }) => {
      throw new CoreError(fault.kind, `${fault.detail}: ${accountRef}`, fault.retryAfterSeconds);
    }),
  ],
  [
    'CORE-52',
    'listens to the signal for ever',
    calls(() => (call, ask) => {
      call.context.signal.addEventListener('abort', () => undefined);
      return ask(call);
    }),
  ],
  [
    'CORE-54',
    'is well for ever once it was',
    but((right) => {
      let wasUp = false;
      const health = async (signal: AbortSignal): Promise<void> => {
        if (!wasUp) await right.health(signal);
        wasUp = true;
      };
      return { health };
    }),
  ],
  ['CORE-55', 'closes nothing', but(() => ({ close: () => Promise.resolve() }))],
  [
    'CORE-55',
    'leaves a timer behind after it is closed',
    adapter((right) => {
      setInterval(() => undefined, 50).unref();
      return right;
    }),
  ],
];
findsEach(onConnections);
describe('with a core that does not speak HTTP', () => findsEach(onConnections, tcpKit()));

findsEach([
  [
    'CORE-47',
    'calls half an answer unavailable',
    calling(({ detail }) => detail.includes('does not parse'), throwing('unavailable')),
  ],
  [
    'CORE-48',
    'calls status 503 a bad record',
    refusing(
      ({ status }) => status === 503,
      () => new CoreError('bad-record', 'no'),
    ),
  ],
  [
    'CORE-49',
    'overlooks Retry-After',
    refusing(
      ({ status }) => status === 429,
      () => new CoreError('rate-limited', 'status 429'),
    ),
  ],
  [
    'CORE-49',
    'takes a date in Retry-After, and none, for a number',
    refusing(
      ({ status }) => status === 429,
      ({ headers }) => new CoreError('rate-limited', 'status 429', Number(headers['retry-after'])),
    ),
  ],
  [
    'CORE-50',
    'shows the previous account where this one cannot be read',
    calls(() => {
      let last: Answer | undefined;
      return async (call, ask) => {
        if (call.read !== 'account') return ask(call);
        try {
          return (last = await ask(call));
        } catch (error) {
          if (last === undefined) throw error;
          return last;
        }
      };
    }),
  ],
  [
    'CORE-50',
    'makes the text "null" of null',
    records<CoreAccount>('account', (account) => ({ ...account, description: String(account.description ?? null) })),
  ],
  ['CORE-50', 'takes a list that is missing for an empty one', calling(isNoList, () => ({ items: [], bad: [] }))],
  [
    'CORE-50',
    'throws another error where a list is missing',
    calling(isNoList, () => {
      throw new TypeError('rows.map is not a function');
    }),
  ],
  [
    'CORE-51',
    'repeats an answer without a list in its error',
    http((right) => ({
      json: (answer) => {
        const found = right.json(answer);
        // A text is where a list was.
        if (/"\w+":"kit-canary/.test(answer.text)) throw new CoreError('bad-record', `no list in ${answer.text}`);
        return found;
      },
    })),
  ],
  [
    'CORE-60',
    'does not pass the interaction id on',
    calls(() => (call, ask) => ask({ ...call, context: { ...call.context, interactionId: randomUUID() } })),
  ],
  [
    'CORE-61',
    'opens many times the connections that are allowed',
    adapter((right, { another }) => {
      const crowd = Array.from({ length: 12 }, another);
      let turn = 0;
      const crowded = around(right, async (call) => asking((await crowd[turn++ % crowd.length]) ?? right)(call));
      const close = async (): Promise<void> => {
        for (const each of [right, ...(await Promise.all(crowd))]) await each.close();
      };
      return Object.assign(crowded, { close });
    }),
  ],
  [
    'CORE-61',
    'makes 20 calls at once for one read',
    calls(() => async (call, ask) => {
      setMaxListeners(0, call.context.signal);
      const [first] = await Promise.all(Array.from({ length: 20 }, () => ask(call)));
      return first as object;
    }),
  ],
  [
    'CORE-62',
    'repeats a failed call again and again',
    calls(() => async (call, ask) => {
      for (let attempt = 0; attempt < 40; attempt++)
        try {
          return await ask(call);
        } catch (error) {
          if (call.context.signal.aborted) throw error;
        }
      return ask(call);
    }),
  ],
  [
    'CORE-62',
    'asks again and again while the core answers 500',
    http((right) => ({
      ask: async (...given) => {
        for (let attempt = 0; attempt < 40; attempt++) {
          const answer = await right.ask(...given);
          if (answer.status !== 500) return answer;
        }
        return right.ask(...given);
      },
    })),
  ],
  ['CORE-63', 'writes records to standard output', telling((text) => void process.stdout.write(text))],
  ['CORE-63', 'writes records to standard error', telling((text) => void process.stderr.write(text))],
  [
    'CORE-65',
    'writes records to its log',
    calls(({ services }) => async (call, ask) => {
      const answer = await ask(call);
      services.logger.warn({ answer: textOf(answer) }, 'the core answered');
      return answer;
    }),
  ],
  [
    'CORE-67',
    'has no accounts where the core answers 500',
    calling(
      ({ detail }) => detail.endsWith('answered 500'),
      () => ({ items: [], bad: [] }),
    ),
  ],
  ...([401, 404, 500] as const).map((code): WrongAdapter => [
    'CORE-67',
    `takes each status ${code} for an account that is not there`,
    refusing(({ status }) => status === code, notFound),
  ]),
  [
    'CORE-67',
    'never asks again once the core has refused its token',
    http((right) => {
      let isRefused = false;
      return {
        ask: async (...given) => {
          if (isRefused) throw new CoreError('unavailable', 'the core refused the token');
          const answer = await right.ask(...given);
          isRefused = answer.status === 401;
          return answer;
        },
      };
    }),
  ],
  [
    'CORE-77',
    'keeps an answer from its first call, as if it had signed in',
    calls(({ another }) => {
      let signedIn = false;
      return async (call, ask) => {
        if (!signedIn) await (await another()).health(call.context.signal);
        signedIn = true;
        return ask(call);
      };
    }),
  ],
  [
    'CORE-78',
    'leaves out a record with a word that it does not know',
    answers('all', (answer) => (answer.bad === undefined ? answer : { ...answer, bad: [] })),
  ],
  ['CORE-82', 'overlooks the wait that the core states under status 200', readingBusy(() => ({ fail: 'BUSY' }))],
  ['CORE-82', 'takes an error under status 200 for empty lists', readingBusy(() => busyWithoutLists)],
  [
    'CORE-82',
    'takes an error under status 200 for an account that is not there',
    readingBusy(() => {
      throw notFound();
    }),
  ],
]);
