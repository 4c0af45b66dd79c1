import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Consent } from '../../src/consents/consent.js';
import { ConsentStore } from '../../src/consents/consent.store.js';
import type { Database } from '../../src/persistence/database.js';
import { openPgliteDatabase } from '../../src/persistence/pglite-database.js';
import { openPostgresDatabase } from '../../src/persistence/postgres-database.js';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import type { FreshDatabase } from '../support/fresh-database.js';
import { freshPglite, freshPostgres, postgresUrl } from '../support/fresh-database.js';
import { tppNamed } from '../support/tpp-named.js';

interface Backend {
  readonly database: Database;
  drop(): Promise<void>;
}

const backends: [name: string, open: () => Promise<Backend>][] = [
  [
    'PGlite',
    async () => {
      const { config, drop } = await freshPglite();
      return { database: await openPgliteDatabase(config), drop };
    },
  ],
];
if (postgresUrl !== undefined) {
  const server = new URL(postgresUrl);
  // Stands for a role or a database with a different time zone, which is also the session's zone from its start.
  server.searchParams.set('options', '-c TimeZone=Asia/Kathmandu');
  backends.push([
    'a PostgreSQL in another time zone',
    async () => {
      const { config, drop } = await freshPostgres(server.href);
      return { database: await openPostgresDatabase({ ...config, url: config.url! }), drop };
    },
  ]);
}

const at = new Date('2026-03-29T01:30:00.123Z');

const awaiting = (): Consent => ({
  consentId: randomUUID(),
  tpp: tppNamed('tpp-1'),
  kind: 'account-access',
  permissions: ['ReadAccountsBasic'],
  status: 'awaiting',
  createdAt: at,
  createdIn: 'v3.1',
  statusUpdatedAt: at,
});

const authorisation = {
  customerRef: 'customer-1',
  accounts: [{ ref: 'core/0001', product: 'Savings' as const }],
  lastAuthenticatedAt: at,
};

describe.each(backends)('The rows of the consent store on %s', (_name, open) => {
  let backend: Backend;
  let prisma: PrismaService;
  let store: ConsentStore;
  const statements: string[] = [];

  beforeAll(async () => {
    backend = await open();
    prisma = new PrismaService({ ...backend.database, adapter: recording(backend.database.adapter, statements) });
    store = new ConsentStore(prisma);
  });

  afterAll(async () => {
    await prisma.onApplicationShutdown();
    await backend.drop();
  });

  async function authorised(): Promise<string> {
    const consent = awaiting();
    await store.create(consent);
    await store.authorise(consent.consentId, authorisation, at);
    return consent.consentId;
  }

  describe('makes each transition in one statement:', () => {
    const moves: [name: string, move: (id: string) => Promise<unknown>][] = [
      ['authorise', (id) => store.authorise(id, authorisation, at)],
      ['reject', (id) => store.reject(id, at)],
      ['reauthenticate', (id) => store.reauthenticate(id, 'customer-1', at, at)],
      ['revoke', (id) => store.cancel(id, at, 'bank-withdrew')],
      ['delete', (id) => store.delete(id, tppNamed('tpp-1'), at)],
    ];

    it.each(moves)('%s', async (_move, move) => {
      const consent = awaiting();
      await store.create(consent);
      statements.splice(0);
      await move(consent.consentId);
      expect(statements).toEqual([expect.stringMatching(/^\s*UPDATE /)]);
    });
  });

  it('keeps times in UTC, including milliseconds, for every zone of the session', async () => {
    const consentId = await authorised();
    const rows = await prisma.$queryRaw`
      SELECT created_at::text AS created, status_updated_at::text AS updated, last_authenticated_at::text AS authenticated
      FROM consents WHERE consent_id = ${consentId}`;
    const text = '2026-03-29 01:30:00.123';
    expect(rows).toEqual([{ created: text, updated: text, authenticated: text }]);
    const later = new Date('2026-03-29T03:30:00.456Z');
    const consent = await store.reauthenticate(consentId, 'customer-1', later, later);
    expect(consent).toMatchObject({ createdAt: at, authorisation: { lastAuthenticatedAt: later } });
    expect(await store.find(consentId)).toStrictEqual(consent);
  });

  describe('fails with an error, instead of passing a part of a consent on, where a row has', () => {
    const faults: [name: string, column: string, assignment: string][] = [
      ['a status that is unknown', 'status', `status = 'Suspended'`],
      ['a permission that is unknown', 'permissions', `permissions = permissions || '{ReadEverything}'`],
      ['accounts that are not a list', 'accounts', `accounts = '{}'`],
      ['an account without a product', 'accounts', `accounts = '[{"ref": "core/0001"}]'`],
      ['an account whose product is not a name', 'accounts', `accounts = '[{"ref": "core/0001", "product": 5}]'`],
    ];

    beforeEach(async () => {
      // A later release may know more statuses than this one.
      await prisma.$executeRaw`ALTER TABLE consents DROP CONSTRAINT IF EXISTS consents_status_known`;
      await prisma.$executeRaw`ALTER TABLE consents DROP CONSTRAINT IF EXISTS consents_authorisation_whole`;
      await prisma.$executeRaw`ALTER TABLE consents DROP CONSTRAINT IF EXISTS consents_status_reason_of_ended`;
    });

    it.each(faults)('%s', async (_fault, column, assignment) => {
      const consentId = await authorised();
      await prisma.$executeRawUnsafe(`UPDATE consents SET ${assignment} WHERE consent_id = $1`, consentId);
      await expect(store.find(consentId)).rejects.toThrow(
        `The stored consent ${consentId} has a value in "${column}" that this version does not know`,
      );
    });
  });
});

describe('The schema', () => {
  let database: FreshDatabase;
  let prisma: PrismaService;

  beforeAll(async () => {
    database = await freshPglite();
    prisma = await PrismaService.open(database.config);
    const store = new ConsentStore(prisma);
    const consent = awaiting();
    await store.create(consent);
    await store.authorise(consent.consentId, authorisation, at);
  });

  afterAll(async () => {
    await prisma.onApplicationShutdown();
    await database.drop();
  });

  it.each(['authorisation_id', 'next_authorisation_id'])('finds a consent by its %s without a scan', async (column) => {
    const [, plan] = await prisma.$transaction([
      // PostgreSQL would rather scan this few rows.
      prisma.$executeRaw`SET LOCAL enable_seqscan = off`,
      prisma.$queryRawUnsafe(`EXPLAIN UPDATE consents SET ${column} = NULL WHERE ${column} = 'x'`),
    ]);
    expect(JSON.stringify(plan)).toContain(`using consents_${column}_`);
  });

  const faults: [name: string, assignment: string][] = [
    ['an unknown status', `status = 'Suspended'`],
    ['no permission', `permissions = '{}'`],
    ['a date-time without its instant', `expires_text = '2030-01-01T00:00:00Z'`],
    ['an instant without its date-time', `transactions_to_at_ms = 0`],
    ['an authorisation that is not whole', `accounts = NULL`],
    ['an authorisation without its time', `authorised_at = NULL`],
    ['a cancellation without its reason', `status = 'cancelled'`],
    ['an authorisation although it is rejected', `status = 'rejected'`],
  ];

  it.each(faults)('refuses a consent with %s', async (_fault, assignment) => {
    await expect(prisma.$executeRawUnsafe(`UPDATE consents SET ${assignment}`)).rejects.toThrow(/check constraint/);
  });
});

/** The adapter, which records each statement that Prisma sends through it. */
function recording(factory: Database['adapter'], statements: string[]): Database['adapter'] {
  return {
    ...factory,
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter = await factory.connect();
      return new Proxy(adapter, {
        get: (target, property) => {
          const value: unknown = Reflect.get(target, property);
          if (typeof value !== 'function') return value;
          return (...args: unknown[]): unknown => {
            if (property === 'startTransaction') statements.push('BEGIN');
            if (property === 'queryRaw' || property === 'executeRaw') statements.push((args[0] as { sql: string }).sql);
            return Reflect.apply(value, target, args);
          };
        },
      });
    },
  };
}
