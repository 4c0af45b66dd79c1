import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import { pseudonymOfCustomer } from '../../src/trail/pseudonyms.js';
import { freshRoles, postgresUrl, type FreshRoles } from '../support/fresh-database.js';
import { trailCommand } from '../support/ops-command.js';
import { pseudonymKey, request, WrittenTrail, type Members } from '../support/written-trail.js';

const budget = '6c7ae279-1111-4111-8111-111111111111';
const unknown = '6c7ae279-2222-4222-8222-222222222222';
const shown = `Copper Budget\ufffd (${budget})`;

// The embedded database belongs to the process of the gateway: a command cannot ask it.
(postgresUrl === undefined ? describe.skip : describe)('the name of a TPP in the answers of the trail', () => {
  let roles: FreshRoles;
  let trail: WrittenTrail;
  beforeAll(async () => {
    roles = await freshRoles(postgresUrl ?? '');
    const prisma = await PrismaService.open(roles.serving);
    const now = new Date('2026-11-27T12:00:00.000Z');
    const times = { createdAt: now, updatedAt: now };
    const tpp = { clientId: budget, name: 'Copper Budget\u009b', status: 'registered', metadata: {}, ...times };
    await prisma.tpp.create({ data: tpp });
    await prisma.$disconnect();
    trail = await WrittenTrail.make();
    const customer = pseudonymOfCustomer(pseudonymKey, 'C1001');
    const own = { issuer: 'embedded', customer, tpp: budget };
    const consent = { ...own, id: 'c-1', at: '2026-11-27T14:03:04.000Z', consent: 'aac-1', by: 'tpp' };
    await trail.close('2026-11-27T14:00:00.000Z', 'gateway-1-11111111', [
      request('id-1', '2026-11-27T14:03:00.000Z', own),
      request('id-2', '2026-11-27T14:03:01.000Z', { ...own, tpp: unknown }),
      request('id-3', '2026-11-27T14:03:02.000Z', { ...own, tpp: unknown, issuer: 'https://issuer.example' }),
      request('id-4', '2026-11-27T14:03:03.000Z', { ...own, listener: 'bank', tpp: undefined }),
      { ...consent, kind: 'consent', event: 'created' },
      { ...consent, kind: 'authorisation', id: 'a-1', step: 'approved' },
      { kind: 'operator', id: 'o-1', at: '2026-11-27T14:05:00.000Z', command: 'withdraw', target: own },
    ]);
    await trail.close('2026-11-28T14:00:00.000Z', 'gateway-1-11111111', [
      request('id-5', '2026-11-28T14:03:00.000Z', { ...own, issuer: 'https://issuer.example' }),
    ]);
    Object.assign(process.env, { DATABASE_URL: roles.serving.url, PSEUDONYM_KEY: pseudonymKey });
  });
  afterAll(async () => {
    delete process.env['DATABASE_URL'];
    delete process.env['PSEUDONYM_KEY'];
    await trail.remove();
    await roles.drop();
  });
  const ask = (...words: string[]) => trailCommand(...words, '--trail', trail.folder);
  const json = async (...words: string[]): Promise<Record<string, Members[]>> =>
    JSON.parse((await ask(...words, '--json')).text);
  const namesOf = (parts: readonly Members[] = []) => parts.map(({ tpp, name }) => [tpp, name]);

  it('is in the explanation of its requests and changes, and of the operators’ acts on it', async () => {
    expect((await ask('why', 'id-1')).text).toContain(`the TPP ${shown} of the issuer embedded asked GET balances`);
    expect((await ask('why', 'id-1')).text).toContain(`token: passed (the TPP ${shown} of the issuer embedded)`);
    expect((await ask('why', 'c-1')).text).toContain(`the consent aac-1 of the TPP ${shown}: created, by the TPP`);
    expect((await ask('why', 'o-1')).text).toContain(`tpp ${shown}`);
    expect((await json('why', 'id-1'))['explanations']).toEqual([
      expect.objectContaining({ name: 'Copper Budget\ufffd', event: expect.objectContaining({ tpp: budget }) }),
    ]);
  });

  it('is in the report on a customer, for its requests, consents and authorisations', async () => {
    const { text } = await ask('customer', 'C1001', '--to', '2026-11-27');
    expect(text).toContain(`  ${shown} (embedded), balances, under aac-1: 1 answer`);
    expect(text).toContain(`  aac-1 of ${shown} (embedded)`);
    expect(text).toContain(`the authorisation of the consent aac-1 of the TPP ${shown}: approved`);
    const { reads, consents, authorisations } = await json('customer', 'C1001', '--to', '2026-11-27');
    expect(namesOf(reads).slice(0, 2)).toEqual([
      [budget, 'Copper Budget\ufffd'],
      [unknown, undefined],
    ]);
    for (const parts of [consents, authorisations]) expect(namesOf(parts)).toEqual([[budget, 'Copper Budget\ufffd']]);
  });

  it('is in the load and above the requests of the TPP', async () => {
    expect((await ask('load', '--to', '2026-11-27')).text).toMatch(
      new RegExp(`^By TPP\nname +requests(?:.*\n)+?Copper Budget\ufffd \\(${budget}\\) +1 `),
    );
    expect(namesOf((await json('load', '--to', '2026-11-27'))['tpps']).sort()).toEqual([
      [budget, 'Copper Budget\ufffd'],
      [unknown, unknown],
    ]);
    expect((await ask('tpp', budget)).text).toMatch(
      new RegExp(`^Copper Budget\ufffd \\(${budget}\\)\nissuer +endpoint`),
    );
    expect(await json('tpp', budget)).toMatchObject({ tpp: budget, name: 'Copper Budget\ufffd' });
  });

  it('is not that of a TPP of another issuer with the same client id', async () => {
    expect((await ask('why', 'id-5')).text).toContain(`the TPP ${budget} of the issuer https://issuer.example`);
    expect(await json('tpp', budget, '--from', '2026-11-28')).not.toHaveProperty('name');
  });

  it('is read with the rights of the maintenance role', async () => {
    process.env['DATABASE_URL'] = roles.maintenance.url;
    const { text, told } = await ask('why', 'id-1');
    process.env['DATABASE_URL'] = roles.serving.url;
    expect([told, text]).toEqual([[], expect.stringContaining(shown)]);
  });

  it.each([
    ['without DATABASE_URL', ''],
    ['with a database that does not answer', 'postgresql://127.0.0.1:1/nothing'],
  ])('is the client id %s', async (_, url) => {
    process.env['DATABASE_URL'] = url;
    const { code, text } = await ask('why', 'id-1');
    process.env['DATABASE_URL'] = roles.serving.url;
    expect([code, text]).toEqual([0, expect.stringContaining(`the TPP ${budget} of the issuer embedded`)]);
  });
});
