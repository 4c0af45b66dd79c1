import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Consent } from '../../src/consents/consent.js';
import { ConsentStore } from '../../src/consents/consent.store.js';
import type { PrismaService } from '../../src/persistence/prisma.service.js';
import { TppStandingStore } from '../../src/security/tpp-standing.store.js';
import { pseudonymOfAccount } from '../../src/trail/pseudonyms.js';
import type { Withdrawal } from '../../src/trail/withdrawal-event.js';
import { WrittenTrail, type Withdrawn } from '../support/written-trail.js';
import { emptyDatabase, type EmptyDatabase } from '../support/lent-pglite.js';
import { anIssuer, tppNamed } from '../support/tpp-named.js';
import { opsCommand } from '../support/ops-command.js';
import { trailKeys } from '../support/trail-keys.js';
import { embeddedIssuer } from '../../src/open-banking/tpp-id.js';

const earlierKey = 'earlier-pseudonym-key-0123456789abcdef012';
const backedUp = new Date('2026-06-15T12:00:00.000Z');
const since = backedUp.toISOString();
/** From this time on withdrawals are applied. */
const margin = '2026-06-15T11:55:00.000Z';
/** A time this number of seconds after the backup. */
const after = (seconds: number): string => new Date(backedUp.getTime() + seconds * 1_000).toISOString();

describe('recover, on a restored database', () => {
  let trail: WrittenTrail;
  let database: EmptyDatabase;
  let prisma: PrismaService;
  let store: ConsentStore;
  beforeAll(async () => {
    database = await emptyDatabase();
    prisma = database.prisma;
    store = new ConsentStore(prisma);
  });
  afterAll(async () => {
    await database.close();
  });
  beforeEach(async () => {
    trail = await WrittenTrail.make();
    await prisma.consent.deleteMany();
    await prisma.tpp.deleteMany();
    await prisma.tppStanding.deleteMany();
  });
  afterEach(() => trail.remove());

  interface Outcome {
    readonly code: number;
    readonly said: string;
    readonly complaint: string;
  }
  async function command(...args: readonly string[]): Promise<Outcome> {
    const { code, text, told } = await opsCommand(args, {
      trailFolder: () => trail.folder,
      trailKey: () => trailKeys.TRAIL_KEY,
      dataKeys: () => [trailKeys.PSEUDONYM_KEY, earlierKey],
      // The command closes the connection that it opened; the test's own stays open.
      openDatabase: async () => Object.create(prisma, { onApplicationShutdown: { value: async () => undefined } }),
    });
    return { code, said: text, complaint: told.join('\n') };
  }
  const recover = (...more: readonly string[]) => command('recover', '--since', since, ...more);

  const of = (seconds: number, event: Withdrawal, consent: string, by?: 'bank' | 'customer'): Withdrawn => ({
    at: after(seconds),
    event,
    ...(event === 'authorisation-ended' ? { authorisation: consent } : { consent }),
    ...(by && { by }),
  });
  const ofTpp = (seconds: number, event: Withdrawal, tpp: string, issuer = embeddedIssuer): Withdrawn => ({
    at: after(seconds),
    event,
    issuer,
    tpp,
  });
  let processes = 0;
  /** One run of a gateway writes these. @returns the segment's name */
  const written = (...withdrawals: readonly Withdrawn[]): Promise<string> =>
    trail.run(`host-7-0a1b2c${10 + processes++}`, backedUp.getTime(), withdrawals);

  const consent = (consentId: string): Consent => ({
    consentId,
    tpp: tppNamed('tpp-one'),
    kind: 'account-access',
    permissions: ['ReadAccountsBasic'],
    status: 'awaiting',
    createdAt: backedUp,
    createdIn: 'v3.1',
    statusUpdatedAt: backedUp,
  });
  async function given(...ids: readonly string[]): Promise<void> {
    const approved = {
      customerRef: 'C1',
      accounts: [],
      lastAuthenticatedAt: new Date(backedUp.getTime() - 86_400_000),
    };
    for (const consentId of ids) {
      await store.create(consent(consentId));
      await store.authorise(consentId, { ...approved, authorisationId: `${consentId}-1` }, backedUp);
    }
  }
  const found = (id: string) => store.find(id);
  const registered = (...ids: readonly string[]) =>
    prisma.tpp.createMany({
      data: ids.map((clientId) => ({
        clientId,
        name: clientId,
        status: 'registered',
        metadata: {},
        createdAt: backedUp,
        updatedAt: backedUp,
      })),
    });
  const statusOf = async (clientId: string) => (await prisma.tpp.findUnique({ where: { clientId } }))?.status;

  it('applies every kind of withdrawal, with its time and its author, and reports it', async () => {
    await given('revoked', 'ended', 'deleted', 'tokens', 'left-alone');
    await registered('suspended', 'gone', 'untouched');
    await written(
      of(1, 'consent-revoked', 'revoked', 'customer'),
      of(2, 'consent-revoked', 'ended', 'bank'),
      of(3, 'consent-deleted', 'deleted'),
      of(4, 'authorisation-ended', 'tokens-1'),
      ofTpp(5, 'tpp-suspended', 'suspended'),
      ofTpp(6, 'tpp-deleted', 'gone'),
    );
    expect(await recover()).toEqual({
      code: 0,
      said:
        'the TPP suspended of the issuer embedded is suspended: if the bank has reinstated it since, reinstate it again once a gateway runs\n' +
        `6 withdrawals since ${margin}, five minutes before --since, in 1 segment: 6 applied, 0 already done, 0 of an id that this database does not know`,
      complaint: '',
    });
    expect(await found('revoked')).toMatchObject({
      status: 'cancelled',
      statusUpdatedAt: new Date(after(1)),
      reason: 'customer-withdrew',
    });
    expect(await found('ended')).toMatchObject({ statusUpdatedAt: new Date(after(2)), reason: 'bank-withdrew' });
    expect((await found('ended'))?.authorisation?.authorisationId).toBeUndefined();
    expect(await found('deleted')).toBeUndefined();
    expect((await found('tokens'))?.authorisation?.authorisationId).toBeUndefined();
    expect(await found('left-alone')).toMatchObject({
      status: 'authorised',
      authorisation: { authorisationId: 'left-alone-1' },
    });
    expect([await statusOf('gone'), await statusOf('untouched')]).toEqual(['deleted', 'registered']);
    expect(await new TppStandingStore(prisma).list()).toEqual([
      { tpp: tppNamed('suspended', embeddedIssuer), standing: { suspendedAt: new Date(after(5)) } },
    ]);
  });

  const accountLeft = (seconds: number, consentId: string, ref: string, key: string): Withdrawn => ({
    at: after(seconds),
    event: 'account-left',
    consent: consentId,
    account: pseudonymOfAccount(key, undefined, ref),
  });

  it('removes the accounts that left, also those that an earlier key names, and ends a consent without another', async () => {
    for (const [id, ...refs] of [
      ['both', 'A1', 'A2'],
      ['alone', 'A1'],
    ] as const) {
      const accounts = refs.map((ref) => ({ ref, product: 'Savings' }));
      await store.create(consent(id));
      await store.authorise(id, { customerRef: 'C1', accounts, lastAuthenticatedAt: backedUp }, backedUp);
    }
    const { PSEUDONYM_KEY } = trailKeys;
    await written(
      accountLeft(1, 'both', 'A1', PSEUDONYM_KEY),
      accountLeft(2, 'alone', 'A1', earlierKey),
      accountLeft(3, 'unknown', 'A1', PSEUDONYM_KEY),
    );
    expect((await recover()).said).toContain('2 applied, 0 already done, 1 of an id');
    expect((await recover()).said).toContain('0 applied, 2 already done');
    expect(await found('both')).toMatchObject({ status: 'authorised', authorisation: { accounts: [{ ref: 'A2' }] } });
    expect(await found('alone')).toMatchObject({ status: 'cancelled', statusUpdatedAt: new Date(after(2)) });
  });

  it('changes nothing where an account has a name under a key that it was not given', async () => {
    await given('revoked');
    await written(
      of(1, 'consent-revoked', 'revoked', 'bank'),
      accountLeft(2, 'both', 'A1', 'a-key-that-nobody-kept-0123456789abcdef'),
    );
    const { code, complaint } = await recover();
    expect([code, complaint]).toEqual([1, expect.stringContaining('give it every key that the gateways have had')]);
    expect((await found('revoked'))?.status).toBe('authorised');
  });

  it('suspends TPPs that the backup does not know, names them, and revokes all consents of one', async () => {
    await given('of-tpp-one');
    await written(
      ofTpp(1, 'tpp-suspended', 'tpp-foreign', anIssuer),
      ofTpp(4, 'tpp-consents-revoked', 'tpp-one', anIssuer),
    );
    expect(JSON.parse((await recover('--json')).said)).toMatchObject({
      applied: 2,
      suspended: [{ issuer: anIssuer, tpp: 'tpp-foreign' }],
    });
    const standings = new TppStandingStore(prisma);
    expect(await standings.list()).toEqual([
      { tpp: tppNamed('tpp-foreign'), standing: { suspendedAt: new Date(after(1)) } },
      { tpp: tppNamed('tpp-one'), standing: { consentsRevokedAt: new Date(after(4)) } },
    ]);
    expect(await found('of-tpp-one')).toMatchObject({ status: 'cancelled', statusUpdatedAt: new Date(after(4)) });
  });

  it('reinstates no TPP that the backup has as suspended', async () => {
    await registered('tpp-one');
    await new TppStandingStore(prisma).suspend(tppNamed('tpp-one', embeddedIssuer), backedUp);
    await written(ofTpp(1, 'tpp-suspended', 'tpp-one'));
    await recover();
    expect((await new TppStandingStore(prisma).find(tppNamed('tpp-one', embeddedIssuer)))?.suspendedAt).toEqual(
      backedUp,
    );
  });

  it('withdraws from the TPP of the issuer that the trail names, and from no other TPP with its client id', async () => {
    await given('of-one');
    await store.create({ ...consent('of-other'), tpp: tppNamed('tpp-one', 'https://other.example') });
    await registered('tpp-one');
    await written(
      ofTpp(1, 'tpp-suspended', 'tpp-one', 'https://other.example'),
      ofTpp(2, 'tpp-consents-revoked', 'tpp-one', 'https://other.example'),
    );
    expect((await recover()).said).toContain('2 applied, 0 already done');
    const standings = new TppStandingStore(prisma);
    const standingAt = async (issuer?: string) => (await standings.find(tppNamed('tpp-one', issuer)))?.suspendedAt;
    expect([await standingAt('https://other.example'), await standingAt()]).toEqual([new Date(after(1)), undefined]);
    expect([(await found('of-one'))?.status, (await found('of-other'))?.status]).toEqual(['authorised', 'rejected']);
    expect(await statusOf('tpp-one')).toBe('registered');
  });

  it('changes nothing the second time', async () => {
    await given('c1', 'c2');
    await registered('tpp-one');
    await written(
      of(1, 'consent-revoked', 'c1', 'bank'),
      of(2, 'consent-deleted', 'c2'),
      ofTpp(3, 'tpp-suspended', 'tpp-one'),
    );
    await recover();
    const rows = async () => [
      await prisma.consent.findMany({ orderBy: { consentId: 'asc' } }),
      await prisma.tpp.findMany(),
      await prisma.tppStanding.findMany(),
    ];
    const before = await rows();
    const again = JSON.parse((await recover('--json')).said);
    expect(again).toEqual({
      withdrawals: 3,
      segments: 1,
      applied: 0,
      already: 3,
      unknown: 0,
      suspended: [],
      faults: [],
      notes: [],
    });
    expect(await rows()).toEqual(before);
  });

  it('reads the folders of several instances in place of TRAIL_DIR', async () => {
    await given('c1', 'c2', 'c3');
    const other = await WrittenTrail.make();
    await written(of(1, 'consent-revoked', 'c1', 'bank'));
    await other.run('host-8-00000001', backedUp.getTime(), [of(2, 'consent-revoked', 'c2', 'bank')], {
      ends: 'killed',
    });
    const both = await recover('--trail', trail.folder, '--trail', other.folder);
    await other.remove();
    expect([both.code, both.said]).toEqual([0, expect.stringContaining('in 2 segments: 2 applied')]);
    const statuses = await Promise.all(['c1', 'c2', 'c3'].map(async (id) => (await found(id))?.status));
    expect(statuses).toEqual(['cancelled', 'cancelled', 'authorised']);
  });

  it('applies withdrawals from just before the backup began, whose changes the backup may lack', async () => {
    await given('c1', 'c2');
    await written(of(-300, 'consent-revoked', 'c1', 'bank'), of(-300.001, 'consent-revoked', 'c2', 'bank'));
    expect((await recover()).said).toContain('1 withdrawal since');
    expect([(await found('c1'))?.status, (await found('c2'))?.status]).toEqual(['cancelled', 'authorised']);
  });

  it('also reads the day before, where the margin begins there', async () => {
    await given('c1');
    const beforeMidnight = Date.parse('2026-06-14T23:59:59.000Z');
    await trail.run('host-7-00000001', beforeMidnight, [of(-12 * 3_600 - 1, 'consent-revoked', 'c1', 'bank')]);
    expect((await command('recover', '--since', '2026-06-15T00:00:00Z')).said).toContain('1 applied');
  });

  it('makes it impossible to approve a revoked consent that awaits authorisation in the backup', async () => {
    await store.create(consent('c1'));
    await written(of(1, 'consent-revoked', 'c1', 'bank'));
    expect((await recover()).said).toContain('1 applied');
    expect(await found('c1')).toMatchObject({ status: 'rejected', statusUpdatedAt: new Date(after(1)) });
  });

  it('does not end an access that the customer gave again after its end', async () => {
    await given('c1');
    const later = new Date(after(10));
    await store.reauthenticate('c1', 'C1', later, later);
    await written(of(9, 'consent-revoked', 'c1', 'customer'));
    expect((await recover()).said).toContain('0 applied, 1 already done');
    expect((await found('c1'))?.status).toBe('authorised');
    await written(of(10, 'consent-revoked', 'c1', 'customer'));
    expect((await recover()).said).toContain('1 applied');
  });

  it('reports ids that the backup does not have', async () => {
    const events = ['consent-revoked', 'consent-deleted', 'authorisation-ended'] as const;
    await written(
      ...events.map((event, index) => of(index, event, `unknown-${index}`)),
      ofTpp(5, 'tpp-deleted', 'unknown-5'),
    );
    expect(await recover()).toMatchObject({
      code: 0,
      said: expect.stringContaining('0 already done, 4 of an id that'),
    });
  });

  it('applies all that a gateway wrote where the trail was changed, applies nothing else, and ends with code 1', async () => {
    await given('c1', 'c2', 'c3', 'victim');
    const segment = await written(...['c1', 'c2', 'c3'].map((id) => of(1, 'consent-revoked', id, 'bank')));
    const lines = await trail.lines(segment);
    const forged = (lines[2] ?? '').replace('c1', 'victim');
    await writeFile(trail.path(segment, 'closed'), [...lines.toSpliced(4, 1), forged, ''].join('\n'));
    const { code, said } = await recover();
    expect(code).toBe(1);
    const path = trail.path(segment, 'closed');
    expect(said.split('\n')).toEqual([
      `${path}: line 6 is not where the gateway wrote it: lines were removed, repeated or moved`,
      expect.stringContaining('of its signed root'),
      expect.stringContaining(`${path}: no gateway with this TRAIL_KEY wrote the withdrawals in line 7`),
      expect.stringContaining('2 withdrawals since'),
      expect.stringMatching(
        /^The trail is not as the gateways wrote it, so withdrawals may be missing\. Everything .* was applied\./,
      ),
    ]);
    const statuses = await Promise.all(['c1', 'c2', 'c3', 'victim'].map(async (id) => (await found(id))?.status));
    expect(statuses).toEqual(['cancelled', 'authorised', 'cancelled', 'authorised']);
  });

  it('refuses a time whose days the trail has dropped, and names the remedies', async () => {
    await given('c1');
    await written(of(1, 'consent-revoked', 'c1', 'bank'));
    for (const day of ['2026-06-13', '2026-06-14']) await writeFile(join(trail.folder, `dropped.${day}.ndjson`), '');
    expect(await command('recover', '--since', '2026-06-15T00:04:59Z')).toEqual({
      code: 1,
      said: '',
      complaint:
        `--since is before the kept days of the trail ${trail.folder}: 2026-06-14 was deleted, and its withdrawals are not known. ` +
        'Nothing was changed. Restore a later backup, or give with --trail a copy of the folder that still has the day',
    });
    expect((await found('c1'))?.status).toBe('authorised');
    expect((await command('recover', '--since', '2026-06-15T00:05:00Z')).said).toContain('1 applied');
  });

  it('refuses a folder without any day as the wrong one', async () => {
    await writeFile(join(trail.folder, 'notes.txt'), 'by hand');
    const { code, complaint } = await recover();
    expect([code, complaint]).toEqual([
      1,
      `${trail.folder} holds no day of a trail: name the TRAIL_DIR of each instance with --trail`,
    ]);
    await mkdir(join(trail.folder, '2026-06-15'));
    expect(await recover()).toMatchObject({ code: 0, said: expect.stringContaining('0 withdrawals since') });
  });

  it.each([
    [['--trail', '/absent', '--since', since], 1, 'the trail /absent cannot be read (ENOENT)'],
    ...['yesterday', '2026-06-15', '2026-06-15T12:00:00', '1781524800'].map((time): [string[], number, string] => [
      ['--since', time],
      1,
      '--since must be a date-time with its zone, such as 2026-05-02T09:30:00Z',
    ]),
    [['--trail', '/absent'], 2, 'see: npm run ops -- recover --help'],
    [['now', '--since', since], 2, 'see: npm run ops -- recover --help'],
  ])('does not guess: %j', async (args, code, complaint) => {
    const outcome = await command('recover', ...args);
    expect([outcome.code, outcome.said]).toEqual([code, '']);
    expect(outcome.complaint).toContain(complaint);
    expect(outcome.complaint).not.toContain('\n');
  });
});
