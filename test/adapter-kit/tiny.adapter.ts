import { Agent, request } from 'node:http';
import type {
  BadRecord,
  CallContext,
  CoreAdapter,
  CoreContext,
  CoreItems,
  CoreRead,
  CoreTransactionsRead,
  PendingSupport,
} from '../../packages/core-adapter/core.adapter.js';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import type { CoreFunds, FoundAccount, FundsQuestion, StatedAccount } from '../../packages/core-adapter/core.funds.js';
import { CoreSettingFault, type CoreSettings } from '../../packages/core-adapter/core-settings.js';
import type { CoreAccount, CoreTransaction, TransactionQuery } from '../../packages/core-adapter/core.records.js';

export type Row = Record<string, unknown>;
export type Where = Pick<CoreContext, 'signal' | 'interactionId'>;
export type Kind = 'text' | 'flag' | 'money' | 'time' | 'card' | 'any' | 'creditor' | 'frequency' | WordList;

export type WordList = keyof typeof words;

/** The core's code words, and the meaning of each. */
const words = {
  state: { open: true, blocked: false },
  product: Object.fromEntries(['CurrentAccount', 'Savings', 'CreditCard'].map((word) => [word, word])),
  holder: { personal: 'personal', business: 'business' },
  figure: { booked: 'booked', available: 'available' },
  entry: { booked: 'booked', pending: 'pending' },
  due: { execution: 'execution', arrival: 'arrival' },
  cycle: { regular: 'regular' },
  payee: Object.fromEntries(['third-party', 'nominated', 'international', 'internal'].map((word) => [word, word])),
  family: Object.fromEntries(
    ['personal-current-account', 'business-current-account', 'other'].map((word) => [word, word]),
  ),
  scheme: { 'sort-code': 'sort-code', iban: 'iban', bban: 'bban' },
  mandate: Object.fromEntries(['active', 'cancelled', 'expired', 'suspended'].map((word) => [word, word])),
  rhythm: Object.fromEntries(['day', 'working-day', 'week', 'month', 'quarter', 'other'].map((word) => [word, word])),
} as const satisfies Record<string, Readonly<Record<string, unknown>>>;

/** The fields of each record; optional ones end in `?`. */
const shapes = {
  account: {
    ref: 'text',
    product: 'product',
    currency: 'text',
    'description?': 'text',
    permitted: 'state',
    holder: 'holder',
    'sortCode?': 'text',
    'accountNumber?': 'text',
    'iban?': 'text',
    'lei?': 'text',
    'cardLastFour?': 'card',
  },
  balances: { kind: 'figure', amount: 'money', at: 'time', 'creditLimit?': 'money' },
  transactions: {
    id: 'text',
    status: 'entry',
    at: 'time',
    'madeAt?': 'time',
    'expectedBookingAt?': 'time',
    'valueAt?': 'time',
    amount: 'money',
    'description?': 'text',
    'runningBalance?': 'money',
    'exchange?': 'any',
    'isoTransactionCode?': 'any',
    'bankTransactionCode?': 'any',
    'categoryPurpose?': 'text',
    'paymentPurpose?': 'text',
    'creditor?': 'creditor',
    'creditorAgent?': 'any',
    'ultimateCreditor?': 'any',
    'debtor?': 'creditor',
    'debtorAgent?': 'any',
    'ultimateDebtor?': 'any',
  },
  party: { ref: 'text', 'name?': 'text', 'lei?': 'text' },
  offers: { 'endMonth?': 'text', 'feePercentage?': 'text', 'minFeeAmount?': 'money', 'takeUpEndDate?': 'time' },
  scheduledPayments: {
    id: 'text',
    dueAt: 'time',
    type: 'due',
    'reference?': 'text',
    amount: 'money',
    creditor: 'creditor',
    'creditorAgent?': 'any',
    'abroad?': 'flag',
  },
  beneficiaries: { id: 'text', kind: 'payee', creditor: 'creditor', 'creditorAgent?': 'any' },
  statements: {
    startAt: 'time',
    endAt: 'time',
    createdAt: 'time',
    type: 'cycle',
    closingBalance: 'money',
    'minimumPayment?': 'money',
  },
  directDebits: {
    id: 'text',
    mandate: 'text',
    status: 'mandate',
    name: 'text',
    'frequency?': 'frequency',
    'classification?': 'text',
    'categoryPurpose?': 'text',
    'firstPaymentAt?': 'time',
    'finalPaymentAt?': 'time',
    'reason?': 'text',
  },
  standingOrders: {
    id: 'text',
    frequency: 'frequency',
    status: 'mandate',
    'nextPaymentAt?': 'time',
    'nextPaymentAmount?': 'money',
    creditor: 'creditor',
    'creditorAgent?': 'any',
    'categoryPurpose?': 'text',
    'abroad?': 'flag',
  },
  product: { 'code?': 'text', 'name?': 'text', type: 'family' },
} as const satisfies Record<string, Readonly<Record<string, Kind>>>;
export type Shape = keyof typeof shapes;

export interface TinyAnswer {
  readonly status: number;
  readonly type: string;
  readonly retryAfter?: string;
  readonly body: Buffer;
}

/** The adapter of the tiny core, which keeps every clause. The broken adapters override one of its methods. */
export class TinyAdapter implements CoreAdapter {
  readonly name: string = 'tiny';
  readonly pending: PendingSupport = 'id-kept';
  readonly missing: CoreAdapter['missing'] = {};
  token: string;
  readonly agent = new Agent({ keepAlive: true, maxSockets: 4 });

  constructor(readonly settings: CoreSettings) {
    this.token = this.readToken(settings.variables.CORE_TOKEN);
  }

  readToken(value: string | undefined): string {
    if (value === undefined || !/^[\w-]+$/.test(value)) throw new CoreSettingFault('CORE_TOKEN', 'must be the token');
    return value;
  }

  async accounts(context: CoreContext): Promise<CoreItems<CoreAccount>> {
    const { accounts } = (await this.get([context.customerRef, 'accounts'], context)) as { accounts?: unknown };
    return this.items('account', accounts);
  }

  async account(accountRef: string, context: CoreContext): Promise<CoreAccount> {
    return this.accountOf(await this.get([context.customerRef, accountRef, 'account'], context));
  }

  balances(ref: string, context: CoreContext): Promise<CoreRead<never>> {
    return this.list<never>('balances', ref, context);
  }
  party(ref: string, context: CoreContext): Promise<CoreRead<never>> {
    return this.list<never>('party', ref, context);
  }
  offers(ref: string, context: CoreContext): Promise<CoreRead<never>> {
    return this.list<never>('offers', ref, context);
  }
  scheduledPayments(ref: string, context: CoreContext): Promise<CoreRead<never>> {
    return this.domestic('scheduledPayments', ref, context);
  }
  beneficiaries(ref: string, context: CoreContext): Promise<CoreRead<never>> {
    return this.list<never>('beneficiaries', ref, context);
  }
  directDebits(ref: string, context: CoreContext): Promise<CoreRead<never>> {
    return this.list<never>('directDebits', ref, context);
  }
  standingOrders(ref: string, context: CoreContext): Promise<CoreRead<never>> {
    return this.domestic('standingOrders', ref, context);
  }
  product(ref: string, context: CoreContext): Promise<CoreRead<never>> {
    return this.list<never>('product', ref, context);
  }
  async statements(ref: string, context: CoreContext): Promise<CoreRead<never>> {
    const read = await this.list<never>('statements', ref, context);
    return { ...read, items: this.latest(read.items) };
  }

  latest(items: readonly never[]): readonly never[] {
    return items.slice(0, 1);
  }

  async transactions(ref: string, query: TransactionQuery, context: CoreContext): Promise<CoreTransactionsRead> {
    const sent = { ...query, from: query.from?.getTime(), to: query.to?.getTime() };
    const search = `?q=${encodeURIComponent(JSON.stringify(sent))}`;
    const answer = await this.get([context.customerRef, ref, 'transactions'], context, search);
    const account = this.accountOf(answer);
    const { more, records } = answer;
    if (typeof more !== 'boolean') throw new CoreError('bad-record', 'tiny: no page');
    return { account, more, ...this.items<CoreTransaction>('transactions', records) };
  }

  async findPaymentAccount(
    { scheme, identification }: StatedAccount,
    context: CallContext,
  ): Promise<FoundAccount | undefined> {
    const { found } = await this.get(['find', scheme, identification], context);
    if (!Array.isArray(found)) throw new CoreError('bad-record', 'tiny: found is not a list');
    return (found as Row[]).map((row) => ({ account: this.accountOf(row), holderNames: this.names(row.holders) }))[0];
  }

  async fundsAvailable(ref: string, question: FundsQuestion, context: CoreContext): Promise<CoreFunds> {
    const { amount, countOverdraft } = question;
    const search = `?units=${amount.minorUnits}&currency=${amount.currency}&overdraft=${countOverdraft}`;
    const answer = await this.get([context.customerRef, ref, 'funds'], context, search);
    if (typeof answer.available !== 'boolean') throw new CoreError('bad-record', 'tiny: available is no flag');
    return { account: this.accountOf(answer), available: answer.available };
  }

  names(holders: unknown): string[] {
    if (!Array.isArray(holders) || !holders.every((name) => typeof name === 'string'))
      throw new CoreError('bad-record', 'tiny: the holders have no names');
    return holders;
  }

  async health(signal: AbortSignal): Promise<void> {
    const { up } = await this.get(['up'], { signal, interactionId: 'health' });
    if (up !== true) throw new CoreError('unavailable', 'tiny says that it is not up');
  }

  async close(): Promise<void> {
    this.agent.destroy();
    this.closed = true;
  }
  closed = false;

  async list<T extends object>(shape: Shape, ref: string, context: CoreContext): Promise<CoreRead<T>> {
    const answer = await this.get([context.customerRef, ref, shape], context);
    return { account: this.accountOf(answer), ...this.items<T>(shape, answer.records) };
  }

  async domestic(shape: Shape, ref: string, context: CoreContext): Promise<CoreRead<never>> {
    const read = await this.list<Row>(shape, ref, context);
    const items = read.items.filter((row) => this.isShown(row)).map(({ abroad: _, ...row }) => row);
    return { ...read, items: items as never[] };
  }

  isShown(row: Row): boolean {
    return row.abroad !== true;
  }

  accountOf({ account }: Row): CoreAccount {
    try {
      return this.record('account', account as Row) as unknown as CoreAccount;
    } catch {
      throw new CoreError('bad-record', 'tiny: the account cannot be read');
    }
  }

  items<T extends object>(shape: Shape, rows: unknown): CoreItems<T> {
    if (!Array.isArray(rows)) throw new CoreError('bad-record', `tiny: ${shape} is not a list`);
    const items: T[] = [];
    const bad: BadRecord[] = [];
    for (const [index, row] of (rows as Row[]).entries()) {
      try {
        items.push(this.record(shape, row) as T);
      } catch {
        bad.push({ where: `${shape}[${index}]`, fault: 'a field is missing or of a wrong type' });
      }
    }
    return { items, bad };
  }

  record(shape: Shape, row: Row): Row {
    const record: Row = {};
    for (const [field, kind] of Object.entries<Kind>(shapes[shape])) {
      const name = field.replace('?', '');
      if (row[name] !== undefined) record[name] = this.value(kind, row[name]);
      else if (name === field) throw new RangeError('missing');
    }
    return record;
  }

  value(kind: Kind, value: unknown): unknown {
    if ((kind === 'any' || kind === 'creditor' || kind === 'frequency') && /canary|null/.test(JSON.stringify(value)))
      throw new RangeError('unreadable');
    if (kind === 'flag' && typeof value !== 'boolean') throw new RangeError('no flag');
    if ((kind === 'text' || kind === 'card') && typeof value !== 'string') throw new RangeError('no text');
    if (kind === 'card') return this.cardEnd(value as string);
    if (kind === 'money') return this.money(value as Row);
    if (kind === 'creditor') return { ...(value as Row), scheme: this.word('scheme', (value as Row).scheme) };
    if (kind === 'frequency') return { ...(value as Row), every: this.word('rhythm', (value as Row).every) };
    if (kind in words) return this.word(kind as WordList, value);
    return kind === 'time' ? this.time(value) : value;
  }

  word(list: WordList, value: unknown): unknown {
    if (typeof value !== 'string' || !Object.hasOwn(words[list], value)) throw new RangeError('no word of the list');
    return (words[list] as Row)[value];
  }

  cardEnd(number: string): string {
    return number.slice(-4);
  }

  money({ minorUnits, currency }: Row): unknown {
    if (!Number.isSafeInteger(minorUnits) || typeof currency !== 'string') throw new RangeError('no amount');
    return { minorUnits: BigInt(minorUnits as number), currency };
  }

  time(value: unknown): unknown {
    if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d(T[\d:.]{12}[+-]\d\d:\d\d)?$/.test(value))
      throw new RangeError('no time');
    return value.length === 10 ? { date: value } : new Date(value);
  }

  async get(path: readonly string[], { signal, interactionId }: Where, search = ''): Promise<Row> {
    const answer = await this.send(`/${path.map(encodeURIComponent).join('/')}${search}`, signal, interactionId);
    if (answer.status !== 200) throw this.refusal(answer, path);
    if (!answer.type.startsWith('application/json')) throw new CoreError('bad-record', 'tiny sent no JSON');
    return this.answered(this.parse(answer.body));
  }

  /** The core says some of its errors under status 200. */
  answered(answer: Row): Row {
    if (answer.error === 'busy') throw new CoreError('rate-limited', 'tiny is busy', Number(answer.wait));
    if (answer.error !== undefined) throw new CoreError('unavailable', 'tiny says that it cannot answer');
    return answer;
  }

  parse(body: Buffer): Row {
    try {
      return JSON.parse(body.toString('utf8')) as Row;
    } catch {
      throw new CoreError('bad-record', 'tiny sent JSON that does not parse');
    }
  }

  refusal({ status, retryAfter, body }: TinyAnswer, _path: readonly string[]): CoreError {
    // Any other 404 comes from another server.
    if (status === 404 && body.toString() === '{"error":"account"}')
      return new CoreError('account-not-found', 'tiny lists no such account');
    if (status === 429) return new CoreError('rate-limited', 'tiny answered 429', this.waitIn(retryAfter));
    if (status === 503) return new CoreError('unavailable', 'tiny answered 503');
    return new CoreError('bad-record', `tiny answered ${status}`);
  }

  waitIn(retryAfter = ''): number | undefined {
    return /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined;
  }

  lost(code: string): CoreError {
    return new CoreError('unavailable', `tiny is unreachable (${code})`);
  }

  send(path: string, signal: AbortSignal, interactionId = ''): Promise<TinyAnswer> {
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(new CoreError('unavailable', 'the adapter was closed'));
      if (signal.aborted) return reject(new CoreError('timeout', 'tiny was not asked: it is too late'));
      const headers = { authorization: `Bearer ${this.token}`, 'x-interaction-id': interactionId };
      // Not joined to the URL, which would resolve the `..` of a strange reference.
      const outgoing = request(this.settings.url, { path, agent: this.agent, headers });
      const onAbort = (): void => {
        outgoing.destroy();
        reject(new CoreError('timeout', 'tiny did not answer in time'));
      };
      signal.addEventListener('abort', onAbort);
      const settle = (end: () => void): void => {
        this.stopListening(signal, onAbort);
        end();
      };
      const onLost = (error: NodeJS.ErrnoException): void => settle(() => reject(this.lost(error.code ?? 'no code')));
      outgoing.on('error', onLost);
      outgoing.on('response', (incoming) => {
        this.begun(signal, onAbort);
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', onLost);
        incoming.on('end', () => {
          const { 'content-type': type = '', 'retry-after': retryAfter } = incoming.headers;
          settle(() => resolve({ status: incoming.statusCode ?? 0, type, retryAfter, body: Buffer.concat(chunks) }));
        });
      });
      outgoing.end();
    });
  }

  stopListening(signal: AbortSignal, listener: () => void): void {
    signal.removeEventListener('abort', listener);
  }

  /** The answer has begun. */
  begun(_signal: AbortSignal, _listener: () => void): void {}
}
