import { setTimeout as delay } from 'node:timers/promises';
import { sweepArtefacts } from '../../src/authorisation-server/oidc/artefact.store.js';
import { sweepForgottenJourneys } from '../../src/authorisation-server/sign-in/journey.store.js';
import { retainNext } from '../../src/consents/erasure.store.js';
import { sweepUnauthorisedConsents } from '../../src/consents/unauthorised-consents.store.js';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import { sweepAll, type Sweep } from '../../src/persistence/sweep.js';
import { sweepLimitCounts } from '../../src/quotas/limit-counts.store.js';
import { patience } from '../support/fresh-database.js';
import type { BenchRun } from './bench.js';
import { readAll, type Burst } from './bursts.js';
import { withSchema, type Work } from './database.js';
import { median } from './figures.js';
import { refreshedBursts, type FilledGateway } from './filled-gateway.js';
import type { Setting } from './setting.js';

/** A figure that is measured at both databases. */
export interface Line {
  readonly name: string;
  /** Called before each round, and not measured. */
  readonly prepare?: (filled: FilledGateway) => Promise<void>;
  /** @param round from 0; the first one warms up */
  readonly takeMs: (filled: FilledGateway, round: number) => Promise<number>;
}

/** One of the two databases, with the figures of each round of each line, by the line's name. */
export interface Side {
  readonly filled: FilledGateway;
  readonly work: () => Promise<Work | undefined>;
  readonly takenMs: Map<string, number[]>;
  readonly blocks: Map<string, number[]>;
}

const dayMs = 86_400_000;
const hotConsents = 32;
/** The gateway keeps a consent in memory for a second, also after the refresh of its token. */
const forgottenAfterMs = 1_100;
const questions = 50;
/** As many as a sweep removes in one statement. */
const obsolete = 1_000;
/** As many as retention looks at in one statement. */
const blocksAtOnce = 64;

/** The median of a read, in bursts of six. */
export function readLines(bursts: number): Line[] {
  const read = async (filled: FilledGateway, asked: readonly Burst[]): Promise<number> =>
    (await readAll(filled.agent, asked)).p50Ms;
  return [
    {
      name: 'a read, hot consents',
      takeMs: async (filled) => {
        const hot = await refreshedBursts(filled, filled.usable.slice(0, hotConsents));
        return read(
          filled,
          Array.from({ length: bursts }, (_, index) => hot[index % hot.length] as Burst),
        );
      },
    },
    {
      name: 'a read, cold consents',
      takeMs: async (filled, round) => {
        const cold = filled.usable.slice(round * bursts, (round + 1) * bursts);
        const asked = await refreshedBursts(filled, cold);
        await delay(forgottenAfterMs);
        return read(filled, asked);
      },
    },
  ];
}

/** The bank's list of a customer's consents, and the operators' search. */
export async function bankLines(sides: readonly Side[]): Promise<Line[]> {
  const credentials = new Map<FilledGateway, string>();
  for (const { filled } of sides) {
    const body = { name: 'anna', role: 'admin' };
    const { Credential } = (await askBank(filled, '/operators', undefined, body)) as { Credential: string };
    credentials.set(filled, Credential);
  }
  const line = (name: string, pathOf: (index: number) => string, credentialOf?: typeof credentials): Line => ({
    name,
    takeMs: async (filled, round) => {
      const times: number[] = [];
      for (let question = 1; question <= questions; question++) {
        // Scattered over all consents.
        const path = pathOf(((round * questions + question) * 7_919) % filled.consents);
        times.push(await timeMs(() => askBank(filled, path, credentialOf?.get(filled))));
      }
      return median(times);
    },
  });
  const customer = (index: number): string => `customer-${Math.floor((index * 2) / 3)}`;
  const find = '/cases/consents?';
  return [
    line('the bank’s list of a customer', (index) => `/customers/${customer(index)}/consents`),
    line('cases, by customer', (index) => `${find}customer=${customer(index)}`, credentials),
    line('cases, by account', (index) => `${find}account=${customer(index)}-${index % 3}`, credentials),
    line('cases, by TPP', (index) => `${find}tpp=tpp-${index % 40}`, credentials),
  ];
}

/** The bank's port. @throws Error for any answer but 2xx */
async function askBank(
  { gateway: { environment } }: FilledGateway,
  path: string,
  credential = environment['BANK_CREDENTIAL'],
  body?: object,
): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${environment['BANK_PORT']}/bank/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

/** Sweeps and retention, as the gateway and its command run them, on a database that no gateway uses. */
export async function databaseLines({ undo }: BenchRun, sides: readonly Side[]): Promise<Line[]> {
  const clients = new Map<FilledGateway, PrismaService>();
  const clientOf = (filled: FilledGateway): PrismaService => clients.get(filled) as PrismaService;
  for (const { filled } of sides) {
    const client = await PrismaService.open({ url: filled.databaseUrl, dataDir: '', ...patience });
    undo.push(() => client.onApplicationShutdown());
    clients.set(filled, client);
    await withoutAutovacuum(filled.databaseUrl);
  }
  const swept = sweeps.map(({ rows, obsoleteRows, sweep }) => ({
    name: `sweep of ${obsolete.toLocaleString('en')} ${rows}`,
    prepare: async ({ databaseUrl }: FilledGateway): Promise<void> => {
      await withSchema(databaseUrl, (client) => client.query(obsoleteRows));
    },
    takeMs: (filled: FilledGateway): Promise<number> =>
      timeMs(async () => {
        const removed = await sweepAll(sweep, clientOf(filled), Date.now());
        if (removed < obsolete) throw new Error(`a sweep removed ${removed} ${rows}`);
      }),
  }));
  return [...swept, await retentionLine(sides, clientOf)];
}

/** PostgreSQL begins it after a fifth of the rows has changed: a few rounds on the smaller database, and never on the larger. */
function withoutAutovacuum(databaseUrl: string): Promise<unknown> {
  return withSchema(databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
    );
    for (const { name } of rows)
      await client.query(`ALTER TABLE ${client.escapeIdentifier(name)} SET (autovacuum_enabled = off)`);
  });
}

const past = (interval: string): string => `now() AT TIME ZONE 'UTC' - interval '${interval}'`;
const copies = (table: string, members: string): string =>
  `INSERT INTO ${table} SELECT copy.* FROM generate_series(1, ${obsolete}) AS index,
   (SELECT ${table} AS one FROM ${table} LIMIT 1) AS kept, jsonb_populate_record(one, jsonb_build_object(${members})) AS copy`;

const sweeps: readonly { readonly rows: string; readonly obsoleteRows: string; readonly sweep: Sweep }[] = [
  {
    rows: 'lapsed consents',
    obsoleteRows: `INSERT INTO consents (consent_id, issuer, client_id, kind, permissions, status, created_at, created_in, status_updated_at)
      SELECT 'aac-' || gen_random_uuid(), 'embedded', 'tpp-1', 'account-access', ARRAY['ReadBalances'], 'awaiting', at, 'v3.1', at
      FROM generate_series(1, ${obsolete}), LATERAL (SELECT ${past('2 days')}) AS long (at)`,
    sweep: sweepUnauthorisedConsents(dayMs),
  },
  {
    rows: 'expired artefacts',
    obsoleteRows: copies(
      'oidc_artefacts',
      `'key', gen_random_uuid() || '-' || index, 'model', 'ReplayDetection', 'grant_id', NULL, 'expires_at', ${past('1 hour')}`,
    ),
    sweep: sweepArtefacts,
  },
  {
    rows: 'forgotten journeys',
    obsoleteRows: copies(
      'customer_journeys',
      `'key', gen_random_uuid() || '-' || index, 'expires_at', ${past('2 days')}`,
    ),
    sweep: sweepForgottenJourneys,
  },
  {
    rows: 'old counts of limits',
    obsoleteRows: copies(
      'limit_counts',
      `'subject', gen_random_uuid() || '-' || index, 'newest_at', ${past('2 days')}`,
    ),
    sweep: sweepLimitCounts,
  },
];

/**
 * The part of a run that its statements do at a time. The rows stand in the order of their age, so that each round works in
 * the same part of both tables: as many consents have ended there.
 */
async function retentionLine(
  sides: readonly Side[],
  clientOf: (filled: FilledGateway) => PrismaService,
): Promise<Line> {
  const places = new Map<FilledGateway, Blocks>();
  for (const { filled } of sides) places.set(filled, await blocksOfConsents(filled.databaseUrl));
  const parts = Math.floor(Math.min(...[...places.values()].map(({ count }) => count)) / blocksAtOnce);
  const days = (count: number): Date => new Date(Date.now() - count * dayMs);
  return {
    name: `retention, ${blocksAtOnce} blocks of consents`,
    takeMs: (filled, round) => {
      const { first, count } = places.get(filled) as Blocks;
      const from = first + Math.floor((count * (round % parts)) / parts);
      const terms = { eraseEndedBy: days(30), removeEndedBy: days(60) };
      return timeMs(() => retainNext(clientOf(filled), terms, from, new Date()));
    },
  };
}

interface Blocks {
  readonly first: number;
  readonly count: number;
}

/** From the block of the oldest consent to the end of the table. */
function blocksOfConsents(databaseUrl: string): Promise<Blocks> {
  return withSchema(databaseUrl, async (client) => {
    const { rows } = await client.query<Blocks>(
      `SELECT first, (pg_relation_size('consents') / current_setting('block_size')::int)::int - first AS count
       FROM (SELECT trunc((ctid::text::point)[0])::int AS first FROM consents ORDER BY created_at LIMIT 1) AS oldest`,
    );
    const [blocks] = rows;
    if (blocks === undefined) throw new Error('there is no consent');
    return blocks;
  });
}

/** The time until the gateway is ready. */
export function startLine(setting: Setting): Line {
  return {
    name: 'start-up',
    takeMs: async ({ gateway }) => {
      const { server } = await setting.again(gateway);
      await server.stop();
      return server.readyMs;
    },
  };
}

async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}
