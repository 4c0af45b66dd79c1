import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pg from 'pg';
import { kitServices } from '../../packages/adapter-kit/kit-services.js';
import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import type { TransactionPosition } from '../../packages/core-adapter/core.records.js';
import { readBankFile } from '../../src/core-banking/adapters/sql/bank-file.js';
import { positioned } from '../../src/core-banking/adapters/sql/named-parameters.js';
import { postgresql } from '../../src/core-banking/adapters/sql/postgresql/postgresql.dialect.js';
import { createAdapter } from '../../src/core-banking/adapters/sql/sql.adapter.js';
import { listOfRecords } from '../../src/core-banking/adapters/sql/statements.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { FilledDatabase } from '../cores/sql/filled-database.js';
import { type Bench, type BenchRun, loadAverage } from './bench.js';
import { median, notHere, table } from './figures.js';
import { historySizes } from './large-bank.js';
import { atMost } from './goals.js';

const cores = join(packageRoot(), 'test/cores/sql');
const yaml = join(cores, 'bank.yaml');
/** 500 each day on one account. */
const transactions = 1_000_000;
const context = {
  interactionId: 'bench',
  customerRef: '1',
  customerPresent: true,
  signal: new AbortController().signal,
};

/** The processor time of the sql adapter in this process, over that of node-postgres with the same statement; its memory. */
export const sql: Bench = async (run) => {
  if (run.postgres === undefined) {
    console.log(notHere);
    return [];
  }
  const { adapter, core } = await start(run, run.postgres.url);
  const costs = await balances(adapter, core, run.quick ? 500 : 3_000);
  const grown = await paging(adapter);
  console.log(`Load average after the rounds ${loadAverage()}.`);
  return [
    ...atMost('processor time of sql over the core’s own, balances', median(costs), 0.5, 'ms', 3),
    ...atMost('memory of sql, 50,000 transactions over 5,000', grown, 1, 'MB', 2),
  ];
};

async function start({ undo }: BenchRun, server: string): Promise<{ adapter: CoreAdapter; core: pg.Client }> {
  const database = await FilledDatabase.create(server, { schema: readFileSync(join(cores, 'bank.sql'), 'utf8') });
  undo.push(() => database.drop());
  const { username, password } = new URL(server);
  const core = new pg.Client(`postgresql://${username}:${password}@${database.address}`);
  await core.connect();
  undo.push(() => core.end());
  await core.query(`
    INSERT INTO customer VALUES (1, 1, 'One');
    INSERT INTO account VALUES (10, 10, 'GBP', 1, 'P', 'Everyday', '089999', '10010010');
    INSERT INTO holder VALUES (1, 10);
    INSERT INTO balance VALUES (10, 1, 12.34, 'D', '2026-11-20 12:00'), (10, 2, 12.34, 'C', '2026-11-20 12:00');
    INSERT INTO txn (acct_no, seq_no, stat_cd, book_dt, amt, dc_flag, narrative)
    SELECT 10, n, 20, to_char(date '2020-01-01' + n / 500, 'YYYYMMDD')::integer, 1, 'D', 'PAYMENT ' || n
    FROM generate_series(1, ${transactions}) n`);
  await core.query('VACUUM ANALYZE');
  const variables = { CORE_SQL_FILE: yaml, CORE_USERNAME: username, CORE_PASSWORD: password };
  const adapter = await createAdapter(
    { url: `postgresql://${database.address}`, connections: 4, variables },
    kitServices,
  );
  undo.push(() => adapter.close());
  return { adapter, core };
}

/** Milliseconds that the adapter adds to a read, round by round. */
async function balances(adapter: CoreAdapter, core: pg.Client, reads: number): Promise<number[]> {
  const file = readBankFile(readFileSync(yaml, 'utf8'));
  const { sql: statement } = listOfRecords(
    file,
    file.reads.balances as NonNullable<typeof file.reads.balances>,
    postgresql,
  );
  const { text, names } = positioned(statement, (position) => `$${position}`);
  const values = names.map((name) => (name === 'customer' ? 1 : 10));
  const sides = {
    core: () => core.query({ name: 'balances', text, values, rowMode: 'array' }),
    adapter: () => adapter.balances?.('10', context),
  };
  const rounds: (readonly [core: number, adapter: number])[] = [];
  for (let round = 0; round < 5; round++)
    rounds.push([await cpuMs(reads, sides.core), await cpuMs(reads, sides.adapter)]);
  console.log(
    table(
      `Processor time of a read of balances, on an account with ${transactions.toLocaleString('en')} transactions, ms`,
      ['round', 'node-postgres alone', 'the adapter'],
      rounds.map(([ours, theirs], round) => [String(round + 1), ours.toFixed(3), theirs.toFixed(3)]),
    ),
  );
  return rounds.map(([alone, whole]) => whole - alone);
}

async function cpuMs(times: number, work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  for (let time = 0; time < times; time++) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / times;
}

/** By how many megabytes more the live memory grows while the long history is read than while the short one is. */
async function paging(adapter: CoreAdapter): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const live = (): number => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return (heapUsed + external) / 1e6;
  };
  const peaks: number[] = [];
  // The first pass loads and compiles code, and is not counted.
  for (const size of [historySizes[0], ...historySizes]) {
    const start = live();
    let peak = start;
    let position: TransactionPosition | undefined;
    for (let rows = 0; rows < size;) {
      const page = await adapter.transactions?.('10', { read: 'older', limit: 1_000, position }, context);
      const last = page?.items.at(-1);
      if (page === undefined || last === undefined) throw new Error('the history ended too soon');
      rows += page.items.length;
      position = { id: last.id, atMs: Date.parse((last.at as { date: string }).date) };
      if (rows % 5_000 === 0) peak = Math.max(peak, live());
    }
    peaks.push(peak - start);
  }
  const [, short = 0, long = 0] = peaks;
  return long - short;
}
