import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { decodeJwt } from 'jose';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { Stack, type Answer } from '../support/stack.js';
import { until } from '../support/until.js';

const patienceMs = 600_000;
const loader = new URL('../support/typescript-loader.mjs', import.meta.url).href;
const program = fileURLToPath(new URL('./killed-process.ts', import.meta.url));

describe('events on PostgreSQL', () => {
  let database: FreshDatabase;
  let prisma: PrismaService;
  beforeAll(async () => {
    database = await freshDatabase();
    prisma = await PrismaService.open(database.config);
  }, patienceMs);
  afterAll(async () => {
    await prisma.onApplicationShutdown();
    await database.drop();
  });

  const poll = async (stack: Stack, asked: object = {}): Promise<Answer> =>
    stack.ask('/open-banking/v3.1/events', {
      method: 'POST',
      token: await stack.clientToken(),
      payload: { returnImmediately: true, ...asked },
    });

  it(
    'are neither lost nor shown under a second jti by processes that are killed at 50 random moments',
    async () => {
      const shown = new Map<string, Set<string>>();
      const note = (consentId: string, eventId: string): void =>
        void shown.set(consentId, (shown.get(consentId) ?? new Set()).add(eventId));
      for (let kill = 0; kill < 50; kill++) {
        const child = spawn(process.execPath, ['--import', loader, program, JSON.stringify(database.config)], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        let said = '';
        child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
        await until(() => said.includes('\n') || child.exitCode !== null, patienceMs);
        await sleep(Math.random() * 300);
        child.kill('SIGKILL');
        await once(child, 'close');
        for (const line of said.split('\n').slice(0, -1)) {
          const [consentId = '', eventId = ''] = line.split(' ');
          note(consentId, eventId);
        }
      }
      for (const { consentId, eventId } of await prisma.consentEvent.findMany({ where: { kind: 'withdrawn' } }))
        note(consentId, eventId);
      const cancelled = await prisma.consent.findMany({ where: { status: 'cancelled' }, select: { consentId: true } });
      expect(cancelled.length).toBeGreaterThan(50);
      expect(cancelled.filter(({ consentId }) => shown.get(consentId)?.size !== 1)).toEqual([]);
      expect(shown.size).toBe(cancelled.length);
    },
    patienceMs,
  );

  it(
    'reach a TPP that polls two processes, whichever of them made the change, and are acknowledged at both',
    async () => {
      const [one, other] = [await Stack.start({ database }), await Stack.start({ database })];
      try {
        await prisma.consentEvent.deleteMany();
        const { consentId } = await one.consent({ persona: 'saver' });
        await poll(one, { ack: Object.keys((await poll(one)).json.sets) });
        // The same bank issues the tokens of both only where both have its keys: the other is asked by its own TPP of the same name.
        const waiting = poll(other, { returnImmediately: false });
        await sleep(50);
        await one.report(`/consents/${consentId}/revoke`, {});
        const [[jti, token]] = Object.entries<string>((await waiting).json.sets) as [[string, string]];
        expect(decodeJwt(token).sub).toContain(consentId);
        expect(Object.keys((await poll(one)).json.sets)).toEqual([jti]);
        expect((await poll(other, { ack: [jti] })).json.sets).toEqual({});
        expect((await poll(one)).json).toEqual({ sets: {}, moreAvailable: false });
      } finally {
        await one.close();
        await other.close();
      }
    },
    patienceMs,
  );

  it(
    'are polled in flat memory where 100,000 wait',
    async () => {
      const stack = await Stack.start({ database });
      try {
        const [{ issuer } = { issuer: '' }] = await prisma.$queryRaw<{ issuer: string }[]>`SELECT issuer FROM consents
          WHERE client_id = 'tpp-one' AND consent_id LIKE 'aac-%' LIMIT 1`;
        await prisma.$executeRaw`INSERT INTO consent_events (issuer, client_id, consent_id, created_in, kind, occurred_at)
          SELECT ${issuer}, 'tpp-one', 'aac-' || n, 'v3.1', 'withdrawn', now() FROM generate_series(1, 100000) AS n`;
        const heapMb = async (): Promise<number> => {
          for (let times = 0; times < 5; times++) await poll(stack);
          globalThis.gc?.();
          return process.memoryUsage().heapUsed / 2 ** 20;
        };
        const before = await heapMb();
        for (let times = 0; times < 40; times++) {
          const { sets, moreAvailable } = (await poll(stack)).json;
          expect([Object.keys(sets).length, moreAvailable]).toEqual([100, true]);
        }
        expect((await heapMb()) - before).toBeLessThan(64);
        expect(await prisma.consentEvent.count()).toBe(100_000);
      } finally {
        await stack.close();
      }
    },
    patienceMs,
  );
});
