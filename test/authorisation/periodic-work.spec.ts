import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RunningClock } from '../support/running-clock.js';
import { until } from '../support/until.js';
import { WatchedDatabase } from '../support/watched-database.js';
import { DirectoryServer } from './directory-server.js';
import { AuthorisationSetting, type Access } from './setting.js';

describe('the periodic work of the authorization server', () => {
  const database = new WatchedDatabase('no such row\n    at the customer Mary of C-0001');
  let setting: AuthorisationSetting;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start({ persistence: database.module });
  });
  afterAll(() => setting.close());

  it('logs the fault and its place, without the database’s words', async () => {
    const { log } = setting.stack;
    const before = log.length;
    database.failing = true;
    await setting.server.runPeriodicWork();
    database.failing = false;
    const told = log.slice(before).join('');
    expect(told).toMatch(/"fault":"Error","stack":" *at .*the periodic work .* failed/);
    expect(told).not.toMatch(/no such row|Mary/);
  });

  it('removes all expired rows, however many, in batches', async () => {
    const { prisma } = database;
    const before = new Date(setting.clock.nowMs() - 2 * 86_400_000);
    await prisma.$executeRaw`INSERT INTO oidc_artefacts (key, model, payload, expires_at)
      SELECT 'over-' || n, 'AuthorizationCode', '', ${before} FROM generate_series(1, 2500) AS n`;
    await prisma.$executeRaw`INSERT INTO customer_journeys (key, version, state, expires_at)
      SELECT 'over-' || n, 1, '', ${before} FROM generate_series(1, 2500) AS n`;
    await prisma.$executeRaw`INSERT INTO dashboard_sessions (key, customer, expires_at)
      SELECT 'over-' || n, '', ${before} FROM generate_series(1, 2500) AS n`;
    database.statements.length = 0;
    await setting.server.runPeriodicWork();
    expect([
      await prisma.oidcArtefact.count({ where: { key: { startsWith: 'over-' } } }),
      await prisma.customerJourney.count({ where: { key: { startsWith: 'over-' } } }),
      await prisma.dashboardSession.count({ where: { key: { startsWith: 'over-' } } }),
    ]).toEqual([0, 0, 0]);
    expect(database.statements.filter((statement) => statement.startsWith('DELETE')).length).toBe(9);
  });

  it('removes the keys and the tokens of a TPP that was deleted, and keeps its name and its consents', async () => {
    const { prisma } = database;
    const [gone, other] = [await setting.tpp('tpp-gone'), await setting.tpp('tpp-stays')];
    const [ended, lasting] = [await setting.access(gone, 'saver'), await setting.access(other, 'saver')];
    const grants = async ({ consentId }: Access): Promise<number> => {
      const { authorisationId } = await prisma.consent.findUniqueOrThrow({ where: { consentId } });
      return authorisationId === null ? 0 : prisma.oidcArtefact.count({ where: { grantId: authorisationId } });
    };
    const before = [await prisma.oidcArtefact.count(), await grants(ended), await grants(lasting)] as const;
    expect(before[1]).toBeGreaterThan(1);
    await setting.server.tpps.remove('tpp-gone');
    await setting.server.runPeriodicWork();
    expect([await prisma.oidcArtefact.count(), await grants(ended), await grants(lasting)]).toEqual([
      before[0] - before[1],
      0,
      before[2],
    ]);
    expect(await prisma.tpp.findUnique({ where: { clientId: 'tpp-gone' } })).toMatchObject({
      status: 'deleted',
      name: 'The tpp-gone app',
      metadata: {},
    });
    expect(await prisma.consent.count({ where: { consentId: ended.consentId, status: 'authorised' } })).toBe(1);
    expect((await other.ask('/accounts', lasting.accessToken)).status).toBe(200);
    database.statements.length = 0;
    await setting.server.runPeriodicWork();
    expect((await other.refresh(lasting.refreshToken)).access_token).toEqual(expect.any(String));
  });

  it('removes the data of a deleted TPP with many consents in batches', async () => {
    const { prisma } = database;
    await setting.tpp('tpp-large');
    const now = new Date(setting.clock.nowMs());
    await prisma.$executeRaw`INSERT INTO consents (consent_id, issuer, client_id, kind, permissions, status, created_at,
        created_in, status_updated_at, customer_ref, accounts, last_authenticated_at, authorised_at, authorisation_id)
      SELECT 'large-' || n, 'embedded', 'tpp-large', 'account-access', '{ReadBalances}', 'authorised', ${now}, 'v3.1', ${now}, 'C1', '[]', ${now}, ${now},
        'large-' || n
      FROM generate_series(1, 2500) AS n`;
    await prisma.$executeRaw`INSERT INTO oidc_artefacts (key, model, payload, grant_id, expires_at)
      SELECT 'large-' || n, 'RefreshToken', '', 'large-' || n, ${new Date(setting.clock.nowMs() + 86_400_000)}
      FROM generate_series(1, 2500) AS n`;
    await setting.server.tpps.remove('tpp-large');
    database.statements.length = 0;
    await setting.server.runPeriodicWork();
    expect(await prisma.oidcArtefact.count({ where: { grantId: { startsWith: 'large-' } } })).toBe(0);
    expect(await prisma.tpp.findUnique({ where: { clientId: 'tpp-large' } })).toMatchObject({ metadata: {} });
    expect(database.statements.filter((statement) => statement.startsWith('UPDATE consents')).length).toBe(3);
  });

  it('goes on with its other parts after one that failed', async () => {
    const { prisma } = database;
    const before = new Date(setting.clock.nowMs() - 2 * 86_400_000);
    await prisma.dashboardSession.create({ data: { key: 'over', customer: '', expiresAt: before } });
    database.before = (statement) =>
      statement.startsWith('DELETE FROM oidc_artefacts') ? Promise.reject(new Error('the test says no')) : undefined;
    await setting.server.runPeriodicWork();
    database.before = () => undefined;
    expect(await prisma.dashboardSession.count({ where: { key: 'over' } })).toBe(0);
  });

  it('has one turn at a time, and the stop of the gateway waits for it and lets no other question begin', async () => {
    const clock = new RunningClock();
    const directory = await DirectoryServer.start(clock);
    const watched = new WatchedDatabase();
    const own = await AuthorisationSetting.start({
      clock,
      persistence: watched.module,
      authorisationServer: { directory: directory.config },
    });
    const now = new Date(0);
    await watched.prisma.tpp.createMany({
      data: ['one', 'two'].map((softwareId) => {
        const times = { createdAt: now, updatedAt: now, checkedAt: now };
        const software = { softwareId, organisationId: 'organisation', statement: 'e30.e30.e30' };
        return { clientId: softwareId, name: softwareId, status: 'registered', metadata: {}, ...software, ...times };
      }),
    });
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    directory.statements.set('one', () => answered);
    const runs = [own.server.runPeriodicWork(), own.server.runPeriodicWork()];
    await until(() => directory.asked.length > 0);
    let closed = false;
    const closing = own.close().then(() => (closed = true));
    expect(closed).toBe(false);
    answer();
    await Promise.all([...runs, closing]);
    expect(directory.asked.filter((path) => path.endsWith('/statement'))).toHaveLength(1);
    await directory.close();
  });
});
