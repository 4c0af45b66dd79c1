import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { AccountTruth, TestCore, TestDelivery } from '../../../packages/adapter-kit/adapter-kit.js';
import type { CoreTime, CoreTransaction } from '../../../packages/core-adapter/core.records.js';
import { loadDelivery } from '../../../src/core-banking/adapters/feed/delivery.loader.js';
import type { LoadOutcome } from '../../../src/core-banking/adapters/feed/delivery-loading.js';
import { people } from '../../adapter-kit/tiny-people.js';
import { mapping } from './feed.mapping.js';
import { csvLine, type CsvRow, headerOf, parts, rowsOf, transactionRow } from './feed.rows.js';

const firstAsOfMs = Date.parse('2026-11-20T23:59:59.500Z');
const maxAgeMs = 30 * 3_600_000;
export const variables = { CORE_FEED_MAX_AGE: 'P1DT6H' };
const isSource = import.meta.url.endsWith('.ts');
const silent = { file: () => {}, rows: () => {}, step: () => {}, end: () => {} };

/** A bank that delivers files every night, and the folder of the replica that they are loaded into. */
export class FeedBank {
  private readonly folder = mkdtempSync(join(tmpdir(), 'feed-'));
  private readonly blocked = new Set<string>();
  private readonly spent = new Set<string>();
  private readonly settled = new Set<string>();
  private readonly booked = new Map<string, CoreTransaction[]>();
  /** The folder of the delivery that was taken last. */
  private inUse = '';
  private written = 0;
  /** Why the last delivery was refused. */
  private said = '';
  private asOfMs = firstAsOfMs;

  private readonly offsets: Intl.DateTimeFormat;
  /** The lines of transactions that every delivery has: there are 50,000 of them. */
  private readonly lines = new WeakMap<CoreTransaction, string>();

  constructor(timeZone: string) {
    this.offsets = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
    writeFileSync(join(this.folder, 'feed.yaml'), mapping);
  }

  get core(): TestCore {
    return {
      url: pathToFileURL(join(this.folder, 'replica')).href,
      variables: this.variables,
      change: async (what, _, accountRef) => {
        (what === 'access' ? this.blocked : this.spent).add(accountRef);
        await this.mustDeliver();
      },
      book: async (_, accountRef) => {
        const rows = this.booked.get(accountRef) ?? [];
        const at = new Date(firstAsOfMs + (rows.length + 1) * 1_000);
        const amount = { minorUnits: 5n, currency: 'GBP' };
        this.booked.set(accountRef, [...rows, { id: `new-${rows.length}`, status: 'booked', at, amount }]);
        await this.mustDeliver();
      },
      settle: async (_, __, id) => {
        this.settled.add(id);
        await this.mustDeliver();
      },
      replica: { asOfMs: () => this.asOfMs, maxAgeMs, deliver: (delivery) => this.deliver(delivery) },
      close: () => {
        rmSync(this.folder, { recursive: true });
        return Promise.resolve();
      },
    };
  }

  /** @throws where a delivery that is right was refused */
  async mustDeliver(): Promise<void> {
    if (!(await this.deliver('newer'))) throw new Error(`the test bank’s delivery was refused: ${this.said}`);
  }

  private get variables(): Record<string, string> {
    return { ...variables, CORE_FEED_FILE: join(this.folder, 'feed.yaml') };
  }

  private async deliver(delivery: TestDelivery): Promise<boolean> {
    if (delivery === 'repeated') return (await this.load(this.inUse)).taken;
    const asOfMs = this.asOfMs + (this.inUse === '' ? 0 : delivery === 'older' ? -3_600_000 : 3_600_000);
    const path = this.write(delivery, asOfMs);
    if (delivery === 'cut-off') return this.cutOff(path);
    const outcome = await this.load(path);
    this.said = outcome.taken ? '' : [outcome.message, ...outcome.faults].join('\n');
    if (!outcome.taken) return false;
    [this.inUse, this.asOfMs] = [path, asOfMs];
    return true;
  }

  private load(delivery: string): Promise<LoadOutcome> {
    const url = this.core.url;
    return loadDelivery({ url, connections: 1, variables: this.variables }, delivery, silent);
  }

  /** A process of its own takes the delivery, and kills itself when it has read the files. */
  private async cutOff(delivery: string): Promise<boolean> {
    const program = fileURLToPath(new URL(`./cut-off-load.${isSource ? 'ts' : 'js'}`, import.meta.url));
    const loader = ['--import', new URL('../../support/typescript-loader.mjs', import.meta.url).href];
    const env = { ...process.env, ...this.variables, CORE_URL: this.core.url };
    const child = spawn(process.execPath, [...(isSource ? loader : []), program, delivery], { env, stdio: 'ignore' });
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    if (signal !== 'SIGKILL') throw new Error('the process that takes the delivery was not cut off');
    return false;
  }

  /** @returns the folder of the delivery */
  private write(delivery: TestDelivery, asOfMs: number): string {
    const number = ++this.written;
    const path = join(this.folder, `delivery-${number}`);
    mkdirSync(path);
    const files = parts.map((part) => {
      const lines = this.linesOf(part, number);
      if (delivery === 'broken' && part === 'balances')
        lines.push(csvLine(part, { ACC: 'A-10001', KIND: 'LEDGER', AMOUNT: 'much' }));
      const rows = lines.length;
      if (delivery === 'partial' && part === 'transactions') lines.pop();
      writeFileSync(join(path, `${part}.csv`), `${[headerOf(part), ...lines].join('\r\n')}\r\n`);
      return `  ${part}: { file: ${part}.csv, rows: ${rows} }`;
    });
    const facts = [`id: nightly-${number}`, `asOf: ${new Date(asOfMs).toISOString()}`, 'files:', ...files];
    writeFileSync(join(path, 'delivery.yaml'), `${facts.join('\n')}\n`);
    return path;
  }

  private linesOf(part: string, delivery: number): string[] {
    const customers = [...people];
    if (part === 'holders')
      return customers.flatMap(([CUST, accounts]) => [...accounts.keys()].map((ACC) => csvLine(part, { CUST, ACC })));
    if (part === 'party') {
      const persons = customers.map(([CUST, accounts]): CsvRow => {
        const [person] = [...accounts.values()].flatMap(({ party = [] }) => party);
        return { CUST, PERSON: person?.ref, NAME: person?.name };
      });
      // No delivery has the very files of another.
      return [...persons, { CUST: `new-${delivery}`, PERSON: `N-${delivery}` }].map((row) => csvLine(part, row));
    }
    // An account of two customers stands in the files once.
    const accounts = new Map(customers.flatMap(([, truths]) => [...truths]));
    return [...accounts.values()].flatMap((truth) =>
      part === 'transactions'
        ? this.transactionLines(truth)
        : (rowsOf(this.now(truth), this.writeTime)[part] ?? []).map((row) => csvLine(part, row)),
    );
  }

  private transactionLines({ account, transactions = [] }: AccountTruth): string[] {
    const later = { status: 'booked', at: new Date(firstAsOfMs), expectedBookingAt: undefined } as const;
    return [...transactions, ...(this.booked.get(account.ref) ?? [])]
      .map((row) => (this.settled.has(row.id) ? { ...row, ...later } : row))
      .map((row) => this.transactionLine(account.ref, row));
  }

  private transactionLine(accountRef: string, row: CoreTransaction): string {
    let line = this.lines.get(row);
    if (line === undefined) {
      line = csvLine('transactions', transactionRow(accountRef, row, this.writeTime));
      this.lines.set(row, line);
    }
    return line;
  }

  private now(truth: AccountTruth): AccountTruth {
    const { ref, permitted } = truth.account;
    const spent = this.spent.has(ref) ? 1n : 0n;
    return {
      ...truth,
      account: { ...truth.account, permitted: permitted && !this.blocked.has(ref) },
      balances: (truth.balances ?? []).map((row) => ({
        ...row,
        amount: { ...row.amount, minorUnits: row.amount.minorUnits - spent },
      })),
    };
  }

  /** With the offset of the bank's clocks. */
  private readonly writeTime = (time: CoreTime): string => {
    if (!(time instanceof Date)) return time.date;
    const named = this.offsets.format(time);
    const [, sign = '+', hours = '00', minutes = '00'] = /GMT([+-])(\d\d):(\d\d)/.exec(named) ?? [];
    const offsetMs = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
    return `${new Date(time.getTime() + offsetMs).toISOString().slice(0, -1)}${sign}${hours}:${minutes}`;
  };
}
