import { describe, expect, it } from '@jest/globals';
import { checkCoreAdapter, type ClauseId } from '../../packages/adapter-kit/adapter-kit.js';
import type { CoreItems } from '../../packages/core-adapter/core.adapter.js';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import type { Flaw } from './flaw.js';
import { tinyKit } from './tiny-core.js';
import { type Kind, type Row, type Shape, TinyAdapter, type TinyAnswer, type Where } from './tiny.adapter.js';

const taking =
  (isTaken: (status: number) => boolean): Flaw =>
  (Base) =>
    class extends Base {
      override refusal(answer: TinyAnswer, path: readonly string[]): CoreError {
        return isTaken(answer.status)
          ? new CoreError('account-not-found', 'tiny lists no such account')
          : super.refusal(answer, path);
      }
    };

const repeating: Flaw = (Base) =>
  class extends Base {
    override async send(path: string, signal: AbortSignal, interactionId?: string): Promise<TinyAnswer> {
      for (let attempt = 0; attempt < 40; attempt++) {
        const answer = await super.send(path, signal, interactionId);
        if (answer.status !== 500 || !answer.type.includes('json')) return answer;
      }
      return super.send(path, signal, interactionId);
    }
  };

const unforgiving: Flaw = (Base) =>
  class extends Base {
    private isRefused = false;
    override refusal(answer: TinyAnswer, path: readonly string[]): CoreError {
      if (answer.status === 401) this.isRefused = true;
      return super.refusal(answer, path);
    }
    override get(path: readonly string[], where: Where, search?: string): Promise<Row> {
      if (this.isRefused) throw new CoreError('unavailable', 'tiny refused the token');
      return super.get(path, where, search);
    }
  };

/** The adapter calls `found` where a member is not a list. */
const withoutList =
  (found: (rows: unknown) => CoreItems<never>): Flaw =>
  (Base) =>
    class extends Base {
      override items<T extends object>(shape: Shape, rows: unknown): CoreItems<T> {
        return Array.isArray(rows) ? super.items(shape, rows) : found(rows);
      }
    };

const counting: Flaw = (Base) =>
  class extends Base {
    override waitIn(retryAfter?: string): number {
      return Number(retryAfter);
    }
  };

/** The adapter reads an error of the core under status 200 in its own way. */
const misreading =
  (read: () => Row): Flaw =>
  (Base) =>
    class extends Base {
      override answered(answer: Row): Row {
        return answer.error === undefined ? answer : read();
      }
    };

const writingNull: Flaw = (Base) =>
  class extends Base {
    override value(kind: Kind, value: unknown): unknown {
      return super.value(kind, kind === 'text' ? String(value) : value);
    }
  };

describe('the adapter kit finds an adapter that', () => {
  it.each<[string, ClauseId, Flaw]>([
    ['takes status 500 for an account that is not there', 'CORE-67', taking((status) => status === 500)],
    ['takes status 401 for an account that is not there', 'CORE-67', taking((status) => status === 401)],
    ['takes every 404 for an account that is not there', 'CORE-67', taking((status) => status === 404)],
    ['takes an error under status 200 for empty lists', 'CORE-82', misreading(() => ({ accounts: [], records: [] }))],
    [
      'takes an error under status 200 for an account that is not there',
      'CORE-82',
      misreading(() => {
        throw new CoreError('account-not-found', 'tiny lists no such account');
      }),
    ],
    ['makes the text "null" of null', 'CORE-50', writingNull],
    ['asks again and again while the core answers 500', 'CORE-62', repeating],
    ['never asks again once the core has refused its token', 'CORE-67', unforgiving],
    ['takes a list that is missing for an empty one', 'CORE-50', withoutList(() => ({ items: [], bad: [] }))],
    [
      'throws another error where a list is missing',
      'CORE-50',
      withoutList((rows) => (rows as never[]).map(String) as never),
    ],
    [
      'repeats an answer without a list in its error',
      'CORE-51',
      withoutList((rows) => {
        throw new CoreError('bad-record', `tiny: no list in ${JSON.stringify(rows)}`);
      }),
    ],
    ['takes a date in Retry-After, and none, for a number', 'CORE-49', counting],
  ])('%s: %s', async (_, id, flaw) => {
    const Adapter = flaw(TinyAdapter);
    for await (const { clause, outcome } of checkCoreAdapter(
      tinyKit((settings) => new Adapter(settings)),
      [id],
    ))
      expect([clause.id, outcome]).toEqual([id, 'broken']);
  });
});
