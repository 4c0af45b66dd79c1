import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { CoreAdapter } from '../../../packages/core-adapter/core.adapter.js';
import { around, asking, type Call } from './around.js';
import { type Mutant, mistakeIn } from './mutant.js';

/** Passes each answer to `use` before the gateway gets it. */
function telling(use: (answer: object) => void): Mutant['make'] {
  return mistakeIn(async (call, ask) => {
    const answer = await ask(call);
    use(answer);
    return answer;
  });
}

/** BigInt has no JSON. */
function textOf(answer: object): string {
  return JSON.stringify(answer, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

export const mutantsOfConduct: readonly Mutant[] = [
  {
    does: 'does not pass the interaction id on',
    clauses: ['CORE-60'],
    make: mistakeIn((call, ask) => ask({ ...call, context: { ...call.context, interactionId: randomUUID() } })),
  },
  {
    does: 'opens many times the connections that are allowed',
    clauses: ['CORE-61'],
    make: (adapter, { another }) => {
      const crowd = Array.from({ length: 12 }, () => another());
      let turn = 0;
      const crowded = around(adapter, async (call) => {
        const chosen = (await crowd[turn++ % crowd.length]) as CoreAdapter;
        return asking(chosen)(call);
      });
      const closeAll = async (): Promise<void> => {
        for (const each of [adapter, ...(await Promise.all(crowd))]) await each.close();
      };
      return { ...crowded, close: closeAll };
    },
  },
  {
    does: 'makes 20 calls at once for one read',
    clauses: ['CORE-61'],
    make: mistakeIn(async (call, ask) => {
      setMaxListeners(0, call.context.signal);
      return (await Promise.all(Array.from({ length: 20 }, () => ask(call))))[0] as object;
    }),
  },
  {
    does: 'repeats a failed call again and again',
    clauses: ['CORE-62'],
    make: mistakeIn(async (call: Call, ask) => {
      for (let attempt = 0; attempt < 40; attempt++)
        try {
          return await ask(call);
        } catch (error) {
          if (call.context.signal.aborted) throw error;
        }
      return ask(call);
    }),
  },
  {
    does: 'leaves a timer behind after it is closed',
    clauses: ['CORE-55'],
    make: (adapter) => {
      setInterval(() => undefined, 50).unref();
      return adapter;
    },
  },
  {
    does: 'writes records to standard output',
    clauses: ['CORE-63'],
    make: telling((answer) => void process.stdout.write(`${textOf(answer)}\n`)),
  },
  {
    does: 'writes records to standard error',
    clauses: ['CORE-63'],
    make: telling((answer) => void process.stderr.write(`${textOf(answer)}\n`)),
  },
  {
    does: 'writes records to its log',
    clauses: ['CORE-65'],
    make: (adapter, parts) =>
      telling((answer) => parts.logger.warn({ answer: textOf(answer) }, 'the core answered'))(adapter, parts),
  },
];
