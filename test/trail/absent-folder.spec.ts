import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import { TrailRootsStore } from '../../src/trail/trail-roots.store.js';
import { freshPostgres, postgresUrl, type FreshDatabase } from '../support/fresh-database.js';
import { trailCommand } from '../support/ops-command.js';
import { pseudonymKey, request, WrittenTrail } from '../support/written-trail.js';

const instance = 'gateway-1-11111111';

// The embedded database belongs to the process of the gateway: a command cannot ask it.
(postgresUrl === undefined ? describe.skip : describe)('a question about a day whose folder was not given', () => {
  let database: FreshDatabase;
  let trail: WrittenTrail;
  beforeAll(async () => {
    database = await freshPostgres(postgresUrl ?? '');
    trail = await WrittenTrail.make();
    await trail.close('2026-11-27T14:00:00.000Z', instance, [request('id-1', '2026-11-27T14:03:00.000Z')]);
    await trail.close('2026-11-28T14:00:00.000Z', instance, [request('id-2', '2026-11-28T14:03:00.000Z')]);
    const prisma = await PrismaService.open(database.config);
    const store = new TrailRootsStore(prisma);
    for (const [place, record] of trail.records.entries()) await store.append(`${place}`, () => record);
    await prisma.$disconnect();
    await rm(join(trail.folder, '2026-11-28'), { recursive: true });
    Object.assign(process.env, { DATABASE_URL: database.config.url, PSEUDONYM_KEY: pseudonymKey });
  });
  afterAll(async () => {
    delete process.env['DATABASE_URL'];
    delete process.env['PSEUDONYM_KEY'];
    await trail.remove();
    await database.drop();
  });

  it('names the day, which the roots in the database know, and does not say that no TPP asked on it', async () => {
    const asked = ['customer', 'C1001', '--trail', trail.folder] as const;
    const { code, text } = await trailCommand(...asked);
    expect([code, text]).toEqual([
      3,
      expect.stringContaining('The trail of 2026-11-28 is incomplete: a segment is in no'),
    ]);
    expect(text).toContain('On the days that were searched, no TPP asked for the customer’s data.');
    expect((await trailCommand(...asked, '--to', '2026-11-26T23:00:00Z')).code).toBe(0);
    expect((await trailCommand('why', 'id-2', '--trail', trail.folder)).code).toBe(3);
  });

  it('is answered from the folders alone, and says so, where the database does not answer', async () => {
    const { url } = database.config;
    process.env['DATABASE_URL'] = 'postgresql://127.0.0.1:1/nothing';
    const { code, told } = await trailCommand('why', 'id-1', '--trail', trail.folder);
    const unanswered = await trailCommand('customer', 'C1001', '--trail', trail.folder);
    process.env['DATABASE_URL'] = url;
    expect([code, told.join()]).toEqual([0, expect.stringContaining('Missing days cannot be detected')]);
    expect(unanswered.code).toBe(3);
  });
});
