import { setTimeout as pause } from 'node:timers/promises';
import type { CoreContext, CoreItems, CoreTransactionsRead } from '../../packages/core-adapter/core.adapter.js';
import { CoreError, isCoreError } from '../../packages/core-adapter/core-error.js';
import type { CoreAccount, TransactionQuery } from '../../packages/core-adapter/core.records.js';
import { type Flaws, records } from './flaw.js';
import type { Row, Shape, TinyAnswer, Where } from './tiny.adapter.js';

export const flawsOfConduct: Flaws = {
  'CORE-32': [
    'repeats the edge of a page that is read upwards',
    (Base) =>
      class extends Base {
        override transactions(
          ref: string,
          query: TransactionQuery,
          context: CoreContext,
        ): Promise<CoreTransactionsRead> {
          const { position, read, limit } = query;
          const before =
            position && read === 'newer' && limit > 1 ? { ...position, id: position.id.slice(0, -1) } : position;
          return super.transactions(ref, { ...query, position: before }, context);
        }
      },
  ],
  'CORE-33': [
    'pages by number of rows',
    (Base) =>
      class extends Base {
        private readonly rowsUpTo = new Map<string, number>();
        override async transactions(
          ref: string,
          query: TransactionQuery,
          context: CoreContext,
        ): Promise<CoreTransactionsRead> {
          const { position, limit, read } = query;
          const skip = position && read === 'older' ? this.rowsUpTo.get(position.id) : 0;
          // A large history is too slow to read whole each time.
          if (skip === undefined || skip + limit > 1000) return super.transactions(ref, query, context);
          const whole = await super.transactions(
            ref,
            { ...query, position: skip === 0 ? position : undefined, limit: skip + limit },
            context,
          );
          const page = { ...whole, items: whole.items.slice(skip) };
          const last = page.items.at(-1);
          if (last !== undefined && read === 'older') this.rowsUpTo.set(last.id, skip + page.items.length);
          return page;
        }
      },
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
    (Base) =>
      class extends Base {
        protected override record(shape: Shape, row: Row): Row {
          return super.record(shape, shape === 'transactions' ? { at: '1970-01-01', ...row } : row);
        }
      },
  ],
  'CORE-37': [
    'gives up at the first bad record',
    (Base) =>
      class extends Base {
        protected override items<T extends object>(shape: Shape, rows: unknown): CoreItems<T> {
          const found = super.items<T>(shape, rows);
          if (found.bad.length > 0 && found.items.length > 0) throw new CoreError('bad-record', 'one of them');
          return found;
        }
      },
  ],
  'CORE-38': [
    'has no records rather than bad ones only',
    (Base) =>
      class extends Base {
        protected override items<T extends object>(shape: Shape, rows: unknown): CoreItems<T> {
          const found = super.items<T>(shape, rows);
          return shape !== 'account' && found.items.length === 0 ? { items: [], bad: [] } : found;
        }
      },
  ],
  'CORE-39': [
    'shows payments abroad',
    (Base) =>
      class extends Base {
        protected override isShown(): boolean {
          return true;
        }
      },
  ],
  'CORE-40': [
    'shows every statement',
    (Base) =>
      class extends Base {
        protected override latest(items: readonly never[]): readonly never[] {
          return items;
        }
      },
  ],
  'CORE-41': [
    'shows the whole number of a card',
    (Base) =>
      class extends Base {
        protected override cardEnd(number: string): string {
          return number;
        }
      },
  ],
  'CORE-43': [
    'reads UTF-8 as Latin-1',
    (Base) =>
      class extends Base {
        protected override parse(body: Buffer): Row {
          return super.parse(Buffer.from(body.toString('latin1')));
        }
      },
  ],
  'CORE-44': [
    'calls a refused connection a timeout',
    (Base) =>
      class extends Base {
        protected override lost(code: string): CoreError {
          return code === 'ECONNREFUSED' ? new CoreError('timeout', 'refused') : super.lost(code);
        }
      },
  ],
  'CORE-45': [
    'forgets the deadline once an answer has begun',
    (Base) =>
      class extends Base {
        protected override begun(signal: AbortSignal, listener: () => void): void {
          signal.removeEventListener('abort', listener);
        }
      },
  ],
  'CORE-46': [
    'calls a reset a bad record',
    (Base) =>
      class extends Base {
        protected override lost(code: string): CoreError {
          return code === 'ECONNRESET' ? new CoreError('bad-record', 'reset') : super.lost(code);
        }
      },
  ],
  'CORE-47': [
    'calls half an answer unavailable',
    (Base) =>
      class extends Base {
        protected override parse(body: Buffer): Row {
          try {
            return super.parse(body);
          } catch {
            throw new CoreError('unavailable', 'half an answer');
          }
        }
      },
  ],
  'CORE-48': [
    'calls status 503 a bad record',
    (Base) =>
      class extends Base {
        protected override refusal(answer: TinyAnswer, path: readonly string[]): CoreError {
          return answer.status === 503 ? new CoreError('bad-record', 'status 503') : super.refusal(answer, path);
        }
      },
  ],
  'CORE-49': [
    'overlooks Retry-After',
    (Base) =>
      class extends Base {
        protected override refusal(answer: TinyAnswer, path: readonly string[]): CoreError {
          return answer.status === 429 ? new CoreError('rate-limited', 'status 429') : super.refusal(answer, path);
        }
      },
  ],
  'CORE-50': [
    'shows the previous account where this one cannot be read',
    (Base) =>
      class extends Base {
        private last?: CoreAccount;
        protected override accountOf(answer: Row): CoreAccount {
          try {
            this.last = super.accountOf(answer);
            return this.last;
          } catch (error) {
            if (this.last === undefined) throw error;
            return this.last;
          }
        }
      },
  ],
  'CORE-51': [
    'tells the log whose account it did not find',
    (Base) =>
      class extends Base {
        protected override refusal(answer: TinyAnswer, path: readonly string[]): CoreError {
          const { kind, retryAfterSeconds } = super.refusal(answer, path);
          return new CoreError(kind, `tiny answered ${answer.status} to ${path.join('/')}`, retryAfterSeconds);
        }
      },
  ],
  'CORE-52': [
    'listens to the signal for ever',
    (Base) =>
      class extends Base {
        protected override stopListening(): void {}
      },
  ],
  'CORE-53': [
    'remembers one account at a time',
    (Base) =>
      class extends Base {
        private asked = '';
        override async account(ref: string, context: CoreContext): Promise<CoreAccount> {
          this.asked = ref;
          await pause(1);
          return super.account(this.asked, context);
        }
      },
  ],
  'CORE-54': [
    'is well for ever once it was',
    (Base) =>
      class extends Base {
        private wasUp = false;
        override async health(signal: AbortSignal): Promise<void> {
          if (!this.wasUp) await super.health(signal);
          this.wasUp = true;
        }
      },
  ],
  'CORE-55': [
    'closes nothing',
    (Base) =>
      class extends Base {
        override async close(): Promise<void> {}
      },
  ],
  'CORE-67': [
    'has no accounts where the core answers 500',
    (Base) =>
      class extends Base {
        override async accounts(context: CoreContext): Promise<CoreItems<CoreAccount>> {
          try {
            return await super.accounts(context);
          } catch (error) {
            if (isCoreError(error) && error.detail === 'tiny answered 500') return { items: [], bad: [] };
            throw error;
          }
        }
      },
  ],
  'CORE-82': [
    'overlooks the wait that the core states under status 200',
    (Base) =>
      class extends Base {
        protected override answered(answer: Row): Row {
          if (answer.error === 'busy') throw new CoreError('rate-limited', 'tiny is busy');
          return super.answered(answer);
        }
      },
  ],
  'CORE-77': [
    'keeps an answer from its first call, as if it had signed in',
    (Base) =>
      class extends Base {
        private signedIn = false;
        protected override async get(path: readonly string[], where: Where, search?: string): Promise<Row> {
          if (!this.signedIn) await super.get(['up'], where);
          this.signedIn = true;
          return super.get(path, where, search);
        }
      },
  ],
};
