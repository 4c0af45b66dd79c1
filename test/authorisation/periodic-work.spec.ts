import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WatchedDatabase } from '../support/watched-database.js';
import { AuthorisationSetting } from './setting.js';

describe('the periodic work of the authorization server', () => {
  const database = new WatchedDatabase('no such row\n    at the customer Mary of C-0001');
  let setting: AuthorisationSetting;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start({ persistence: database.module });
  }, 60_000);
  afterAll(() => setting.close());

  it('says in the log what failed and where, and nothing of what the database says', async () => {
    const { log } = setting.stack;
    const before = log.length;
    database.failing = true;
    await setting.server.tend();
    database.failing = false;
    const told = log.slice(before).join('');
    expect(told).toMatch(/"fault":"Error","stack":" *at .*the periodic work .* failed/);
    expect(told).not.toMatch(/no such row|Mary/);
  });

  it('removes all that is over, however much came in a minute, so many rows at a time', async () => {
    const { prisma } = database;
    const before = new Date(setting.clock.nowMs() - 2 * 86_400_000);
    await prisma.$executeRaw`INSERT INTO oidc_artefacts (key, model, payload, expires_at)
      SELECT 'over-' || n, 'AuthorizationCode', '', ${before} FROM generate_series(1, 2500) AS n`;
    await prisma.$executeRaw`INSERT INTO customer_journeys (key, version, state, expires_at)
      SELECT 'over-' || n, 1, '', ${before} FROM generate_series(1, 2500) AS n`;
    await prisma.$executeRaw`INSERT INTO sign_in_attempts (login_key, failures, updated_at)
      SELECT 'over-' || n, 1, ${before} FROM generate_series(1, 2500) AS n`;
    database.statements.length = 0;
    await setting.server.tend();
    expect([
      await prisma.oidcArtefact.count(),
      await prisma.customerJourney.count(),
      await prisma.signInAttempts.count(),
    ]).toEqual([0, 0, 0]);
    expect(database.statements.filter((statement) => statement.startsWith('DELETE')).length).toBe(9);
  });
});
