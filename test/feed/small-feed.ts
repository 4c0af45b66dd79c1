import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import type { CoreSettings } from '../../packages/core-adapter/core-settings.js';
import { kitServices } from '../../packages/adapter-kit/kit-services.js';
import { loadDelivery } from '../../src/core-banking/adapters/feed/delivery.loader.js';
import type { LoadOutcome, LoadProgress } from '../../src/core-banking/adapters/feed/delivery-loading.js';
import { createAdapter } from '../../src/core-banking/adapters/feed/feed.adapter.js';

const missing = ['party', 'offers', 'scheduledPayments', 'beneficiaries', 'statements', 'directDebits']
  .concat(['standingOrders', 'product'])
  .map((read) => `${read}: the bank does not deliver them`)
  .join(', ');

const csvParts = `balances:
  columns:
    account: ACC
    kind: { column: KIND, codes: { LEDGER: booked } }
    amount: { column: AMOUNT, as: decimal }
    at: { column: AT, as: instant }
transactions:
  columns:
    account: ACC
    id: ID
    status: { column: STATE, codes: { POSTED: booked, HELD: pending } }
    at: { column: AT, as: iso }
    amount: { column: AMOUNT, as: decimal }
    description: TEXT
`;

/** The bank's YAML file. */
export function feedFile(parts = csvParts, more = ''): string {
  return `name: nightly
pending: id-kept
timeZone: Europe/London
currency: GBP
${more}accounts:
  columns:
    ref: ACC
    product: { value: CurrentAccount }
    currency: CCY
    permitted: { value: 'true' }
    holder: { value: personal }
    iban: IBAN
holders:
  columns: { customer: CUST, account: ACC }
${parts}missing: { ${missing} }
`;
}

/** The files of a delivery by their names; `undefined` leaves one out. */
export type Files = Readonly<Record<string, string | undefined>>;

export const accounts = 'ACC,CCY,IBAN\nA1,GBP,GB33BUKB20201555555555\nA2,GBP,\n';
export const holders = 'CUST,ACC\nC1,A1\nC2,A2\n';
export const balances =
  'ACC,KIND,AMOUNT,AT\nA1,LEDGER,12.34,2026-11-20T20:00:00Z\nA2,LEDGER,0.00,2026-11-20T20:00:00Z\n';
export const transactions =
  'ACC,ID,STATE,AT,AMOUNT,TEXT\nA1,t1,POSTED,2026-11-19,-1.00,"SHOP, LONDON"\nA1,t2,POSTED,2026-11-20T09:00:00,13.34,\nA2,t1,HELD,2026-11-20T10:00:00+01:00,-5.00,\n';

export const rightFiles: Files = {
  'accounts.csv': accounts,
  'holders.csv': holders,
  'balances.csv': balances,
  'transactions.csv': transactions,
  'delivery.yaml': manifest(),
};

export function manifest({
  id = 'night-1',
  asOf = '2026-11-20T23:59:59Z',
  more = '',
  balances: ofBalances = '{ file: balances.csv, rows: 2, sum: "12.34" }',
  transactions: ofTransactions = '{ file: transactions.csv, rows: 3, sum: "7.34" }',
} = {}): string {
  return `id: ${id}
asOf: ${asOf}
${more}files:
  accounts: { file: accounts.csv, rows: 2 }
  holders: { file: holders.csv, rows: 2 }
  balances: ${ofBalances}
  transactions: ${ofTransactions}
`;
}

/** Later than each delivery of these tests. */
export const laterMs = Date.parse('2027-01-01T00:00:00Z');

export const silent: LoadProgress = { file: () => {}, rows: () => {}, step: () => {}, end: () => {} };

/** A folder with a bank's YAML file, deliveries, and the replica that they are loaded into. */
export class SmallFeed {
  readonly folder = mkdtempSync(join(tmpdir(), 'small-feed-'));
  readonly replica = join(this.folder, 'replica');
  readonly settings: CoreSettings;
  private deliveries = 0;

  constructor(file = feedFile()) {
    const path = join(this.folder, 'feed.yaml');
    writeFileSync(path, file);
    const variables = { CORE_FEED_FILE: path, CORE_FEED_MAX_AGE: 'P1D' };
    this.settings = { url: pathToFileURL(this.replica).href, connections: 1, variables };
  }

  write(files: Files): string {
    const path = join(this.folder, `delivery-${++this.deliveries}`);
    mkdirSync(path);
    for (const [name, text] of Object.entries(files)) if (text !== undefined) writeFileSync(join(path, name), text);
    return path;
  }

  load(changes: Files = {}, progress = silent, nowMs = laterMs): Promise<LoadOutcome> {
    return loadDelivery(this.settings, this.write({ ...rightFiles, ...changes }), progress, nowMs);
  }

  /** The lines of a refusal. */
  async refusal(changes: Files): Promise<string[]> {
    const outcome = await this.load(changes);
    if (outcome.taken) throw new Error('the delivery was taken');
    return [outcome.reason, outcome.message, ...outcome.faults];
  }

  async adapter(
    nowMs = Date.parse('2026-11-21T06:00:00Z'),
  ): Promise<Required<Pick<CoreAdapter, 'transactions' | 'balances'>> & CoreAdapter> {
    const adapter = await createAdapter(this.settings, { ...kitServices, clock: { nowMs: () => nowMs } });
    return adapter as Required<CoreAdapter>;
  }

  get names(): string[] {
    return readdirSync(this.replica).sort();
  }
}

export const context = (customerRef: string) => ({
  interactionId: '5a7f1c1e-0d1b-4c9e-9f60-3f3f6f1f7a11',
  customerPresent: true,
  customerRef,
  signal: AbortSignal.timeout(60_000),
});
