import { setTimeout as pause } from 'node:timers/promises';
import { CoreError, isCoreError } from '../../packages/core-adapter/core-error.js';
import type { CoreAccount } from '../../packages/core-adapter/core.records.js';
import { type Flaws, instead, records } from './flaw.js';
import type { Shape } from './tiny.adapter.js';

export const flawsOfConduct: Flaws = {
  'CORE-32': [
    'repeats the edge of a page that is read upwards',
    instead('transactions', (right) => (ref, query, context) => {
      const { position, read, limit } = query;
      const before =
        position && read === 'newer' && limit > 1 ? { ...position, id: position.id.slice(0, -1) } : position;
      return right(ref, { ...query, position: before }, context);
    }),
  ],
  'CORE-33': [
    'pages by number of rows',
    instead('transactions', (right) => {
      const rowsUpTo = new Map<string, number>();
      return async (ref, query, context) => {
        const { position, limit, read } = query;
        const skip = position && read === 'older' ? rowsUpTo.get(position.id) : 0;
        // A large history is too slow to read whole each time.
        if (skip === undefined || skip + limit > 1000) return right(ref, query, context);
        const from = skip === 0 ? position : undefined;
        const whole = await right(ref, { ...query, position: from, limit: skip + limit }, context);
        const page = { ...whole, items: whole.items.slice(skip) };
        const last = page.items.at(-1);
        if (last !== undefined && read === 'older') rowsUpTo.set(last.id, skip + page.items.length);
        return page;
      };
    }),
  ],
  'CORE-34': [
    'takes the expected booking of a pending one for its making',
    records('transactions', (row) =>
      row.status === 'pending' && row.madeAt !== undefined ? { ...row, madeAt: row.expectedBookingAt } : row,
    ),
  ],
  'CORE-35': [
    'gives a new id on booking',
    records('transactions', (row) =>
      (row.at as Date) > new Date('2026-12-01') && row.id === 't11' ? { ...row, id: `B-${String(row.id)}` } : row,
    ),
  ],
  'CORE-36': [
    'dates the undated',
    instead(
      'record',
      (right) => (shape, row) => right(shape, shape === 'transactions' ? { at: '1970-01-01', ...row } : row),
    ),
  ],
  'CORE-37': [
    'gives up at the first bad record',
    instead('items', (right) => <T extends object>(shape: Shape, rows: unknown) => {
      const found = right<T>(shape, rows);
      if (found.bad.length > 0 && found.items.length > 0) throw new CoreError('bad-record', 'one of them');
      return found;
    }),
  ],
  'CORE-38': [
    'has no records rather than bad ones only',
    instead('items', (right) => <T extends object>(shape: Shape, rows: unknown) => {
      const found = right<T>(shape, rows);
      return shape !== 'account' && found.items.length === 0 ? { items: [], bad: [] } : found;
    }),
  ],
  'CORE-39': ['shows payments abroad', instead('isShown', () => () => true)],
  'CORE-40': ['shows every statement', instead('latest', () => (items) => items)],
  'CORE-41': ['shows the whole number of a card', instead('cardEnd', () => (number) => number)],
  'CORE-43': [
    'reads UTF-8 as Latin-1',
    instead('parse', (right) => (body) => right(Buffer.from(body.toString('latin1')))),
  ],
  'CORE-44': [
    'calls a refused connection a timeout',
    instead('lost', (right) => (code) => (code === 'ECONNREFUSED' ? new CoreError('timeout', 'refused') : right(code))),
  ],
  'CORE-45': [
    'forgets the deadline once an answer has begun',
    instead('begun', () => (signal, listener) => signal.removeEventListener('abort', listener)),
  ],
  'CORE-46': [
    'calls a reset a bad record',
    instead('lost', (right) => (code) => (code === 'ECONNRESET' ? new CoreError('bad-record', 'reset') : right(code))),
  ],
  'CORE-47': [
    'calls half an answer unavailable',
    instead('parse', (right) => (body) => {
      try {
        return right(body);
      } catch {
        throw new CoreError('unavailable', 'half an answer');
      }
    }),
  ],
  'CORE-48': [
    'calls status 503 a bad record',
    instead(
      'refusal',
      (right) => (answer, path) =>
        answer.status === 503 ? new CoreError('bad-record', 'status 503') : right(answer, path),
    ),
  ],
  'CORE-49': [
    'overlooks Retry-After',
    instead(
      'refusal',
      (right) => (answer, path) =>
        answer.status === 429 ? new CoreError('rate-limited', 'status 429') : right(answer, path),
    ),
  ],
  'CORE-50': [
    'shows the previous account where this one cannot be read',
    instead('accountOf', (right) => {
      let last: CoreAccount | undefined;
      return (answer) => {
        try {
          return (last = right(answer));
        } catch (error) {
          if (last === undefined) throw error;
          return last;
        }
      };
    }),
  ],
  'CORE-51': [
    'tells the log whose account it did not find',
    instead('refusal', (right) => (answer, path) => {
      const { kind, retryAfterSeconds } = right(answer, path);
      return new CoreError(kind, `tiny answered ${answer.status} to ${path.join('/')}`, retryAfterSeconds);
    }),
  ],
  'CORE-52': ['listens to the signal for ever', instead('stopListening', () => () => undefined)],
  'CORE-53': [
    'remembers one account at a time',
    instead('account', (right) => {
      let asked = '';
      return async (ref, context) => {
        asked = ref;
        await pause(1);
        return right(asked, context);
      };
    }),
  ],
  'CORE-54': [
    'is well for ever once it was',
    instead('health', (right) => {
      let wasUp = false;
      return async (signal) => {
        if (!wasUp) await right(signal);
        wasUp = true;
      };
    }),
  ],
  'CORE-55': ['closes nothing', instead('close', () => () => Promise.resolve())],
  'CORE-67': [
    'has no accounts where the core answers 500',
    instead('accounts', (right) => async (context) => {
      try {
        return await right(context);
      } catch (error) {
        if (isCoreError(error) && error.detail === 'tiny answered 500') return { items: [], bad: [] };
        throw error;
      }
    }),
  ],
  'CORE-82': [
    'overlooks the wait that the core states under status 200',
    instead('answered', (right) => (answer) => {
      if (answer.error === 'busy') throw new CoreError('rate-limited', 'tiny is busy');
      return right(answer);
    }),
  ],
  'CORE-77': [
    'keeps an answer from its first call, as if it had signed in',
    instead('get', (right) => {
      let signedIn = false;
      return async (path, where, search) => {
        if (!signedIn) await right(['up'], where);
        signedIn = true;
        return right(path, where, search);
      };
    }),
  ],
};
