import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { searchOf } from '../../ops/trail/duckdb-search.js';
import { linesOf } from '../../ops/trail/event-columns.js';
import { withTrail } from '../../ops/trail/searched-trail.js';
import { literal, withDuckDb } from '../../ops/trail/trail-database.js';
import { segmentFiles } from '../../src/trail/segment-files.js';
import { why } from '../../src/trail/why.js';
import { type Members, request, WrittenTrail } from '../support/written-trail.js';
import { atMost, bytesIn, median, table } from './figures.js';
import { type Bench, moduleIn } from './setting.js';

const day = '2026-11-23';
const rounds = 5;
/** As the gateway has it. */
const eventsOfSegment = 100_000;

/** How the operators' tools find one interaction id in a day's trail: in the segments, and in the index. */
export const questions: Bench = async (_setting, quick) => {
  const trail = await WrittenTrail.make();
  const { folder } = trail;
  const segments = quick ? 1 : 10;
  const [id, openId] = [randomUUID(), randomUUID()];
  for (let segment = 0; segment < segments; segment++)
    await writeSegment(trail, segment, 'close', segment === segments >> 1 ? id : randomUUID());
  const paths = (await segmentFiles(folder)).segments.map(({ path }) => path);
  const plain = await elapsed(quick ? 1 : 3, () =>
    withDuckDb(async (connection) => {
      const sql = `SELECT line FROM (${linesOf(paths)}) WHERE "id" = ${literal(id)}`;
      if ((await connection.runAndReadAll(sql)).getRows().length !== 1) throw new Error('the segments lack the event');
    }),
  );
  const asked: number[] = [];
  const making = await elapsed(1, () => ask(folder, id));
  for (let round = 0; round < rounds; round++) asked.push(await ask(folder, id));
  const words = [moduleIn('../../ops/main.js'), 'trail', 'why', id, '--trail', folder];
  const command = await elapsed(rounds, () => Promise.resolve(execFileSync(process.execPath, words, { env: {} })));
  const [ndjson, parquet] = [await bytesIn(folder, '.ndjson'), await bytesIn(folder, '.parquet')].map((bytes) =>
    (bytes / 1_000_000).toFixed(1),
  );
  await writeSegment(trail, segments, 'open', openId);
  const withOpen = await elapsed(rounds, () => ask(folder, openId));
  const rows: [string, string | undefined, number][] = [
    ['segments', ndjson, plain],
    ['index, made for the question', parquet, making],
    ['index: the question alone', '', median(asked)],
    ['index: the whole command', '', command],
    ['index and a full open segment', '', withOpen],
  ];
  console.log(
    table(
      `${segments * eventsOfSegment} events, of which one has the id`,
      ['', 'MB', 'elapsed ms'],
      rows.map(([name, size = '', ms]) => [name, size, ms.toFixed(0)]),
    ),
  );
  await trail.remove();
  console.log(`Peak of resident memory ${(process.resourceUsage().maxRSS / 1_000).toFixed(0)} MB.`);
  return [atMost('trail: one interaction id in the index', median(asked), 25, 'ms')];
};

/** @returns the time of the question without that of opening the trail */
function ask(folder: string, id: string): Promise<number> {
  return withTrail(
    [folder],
    { texts: [id] },
    () => undefined,
    (trail) =>
      elapsed(1, async () => {
        if ((await why(searchOf(trail), id)).explanations.length !== 1) throw new Error('the trail lacks the event');
      }),
  );
}

/** The median, in milliseconds. */
async function elapsed(times: number, work: () => Promise<unknown>): Promise<number> {
  const costs: number[] = [];
  for (let round = 0; round < times; round++) {
    const beganMs = performance.now();
    await work();
    costs.push(performance.now() - beganMs);
  }
  return median(costs);
}

/** A full segment of requests as the gateway writes them. @param id of the event in the middle */
async function writeSegment(trail: WrittenTrail, number: number, state: 'open' | 'close', id: string): Promise<void> {
  const beganMs = Date.parse(day) + number * 7_200_000;
  const events = Array.from({ length: eventsOfSegment }, (_, index) => {
    const own = index === eventsOfSegment >> 1 ? id : randomUUID();
    const at = new Date(beganMs + index * 70).toISOString();
    return request(own, at, membersOf(number * eventsOfSegment + index));
  });
  const instance = `gateway-${number % 4}-${randomBytes(4).toString('hex')}`;
  await trail[state](new Date(beganMs).toISOString(), instance, events);
}

const endpoints = {
  accounts: 'ReadAccountsDetail',
  balances: 'ReadBalances',
  transactions: 'ReadTransactionsDetail',
  party: 'ReadParty',
  'direct-debits': 'ReadDirectDebits',
};

function membersOf(number: number): Members {
  const consent = (number * 7_919) % 50_000;
  const [endpoint, permission] = Object.entries(endpoints)[number % 5] as [string, string];
  const firstByteMs = 20 + (number % 90);
  return {
    endpoint,
    issuer: 'https://as.bank.example',
    tpp: `tpp-${consent % 40}`,
    consent: `aac-00000000-0000-4000-8000-${String(consent).padStart(12, '0')}`,
    acr: 'urn:openbanking:psd2:sca',
    attended: number % 3 !== 0,
    customer: `k3Yz.${String(consent * 7_919).padStart(22, '0')}`,
    ...(number % 50 === 0
      ? { status: 403, error: 'reauthentication', refusedBy: 'authentication window', reason: 'window-closed' }
      : { coreMs: firstByteMs - 2, rows: number % 40 }),
    firstByteMs,
    lastByteMs: firstByteMs + 1.5,
    bytes: 400 + ((number * 31) % 9_000),
    facts: { authenticationAgeS: number % 7_776_000, windowS: 300, permissionsNeeded: [[permission]] },
  };
}
