import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/commands/run.js';
import type { Consent } from '../../src/consents/consent.js';
import { ConsentStore } from '../../src/consents/consent.store.js';
import type { PrismaService } from '../../src/persistence/prisma.service.js';
import { TppStandingStore } from '../../src/security/tpp-standing.store.js';
import { emptyDatabase, type EmptyDatabase } from '../support/lent-pglite.js';
import { journalKey, sealedLines } from '../support/journal-lines.js';
import { anIssuer, tppNamed } from '../support/tpp-named.js';
import { noSettings } from '../support/no-settings.js';
import { embeddedIssuer } from '../../src/open-banking/tpp-id.js';

const backedUp = new Date('2026-06-15T12:00:00.000Z');
const since = backedUp.toISOString();
/** From this time on entries are applied. */
const margin = '2026-06-15T11:55:00.000Z';
/** A time this number of seconds after the backup. */
const after = (seconds: number): string => new Date(backedUp.getTime() + seconds * 1_000).toISOString();

describe('recover, on a restored database', () => {
  let folder: string;
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
    folder = await mkdtemp(join(tmpdir(), 'recover-'));
    await prisma.consent.deleteMany();
    await prisma.tpp.deleteMany();
    await prisma.tppStanding.deleteMany();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  interface Outcome {
    readonly code: number;
    readonly said: string;
    readonly complaint: string;
  }
  async function command(...args: readonly string[]): Promise<Outcome> {
    const [said, complaints]: [string[], string[]] = [[], []];
    const settings = {
      ...noSettings,
      journalKey: () => journalKey,
      // The command closes the connection that it opened; the test's own stays open.
      openDatabase: async () => Object.create(prisma, { onApplicationShutdown: { value: async () => undefined } }),
    };
    const code = await run(
      args,
      settings,
      (text) => said.push(text),
      (line) => complaints.push(line),
    );
    return { code, said: said.join('\n'), complaint: complaints.join('\n') };
  }
  const recover = (...more: readonly string[]) => command('recover', '--journal', folder, '--since', since, ...more);

  const line = (seconds: number, event: string, id: string, by?: string): string =>
    `${JSON.stringify({ at: after(seconds), event, id, ...(by && { by }) })}\n`;
  const tppLine = (seconds: number, event: string, id: string, issuer = embeddedIssuer): string =>
    `${JSON.stringify({ at: after(seconds), event, id, issuer })}\n`;
  const write = (content: string, name = '2026-06-15.host.7.0a1b2c3d.jsonl') =>
    writeFile(join(folder, name), sealedLines(name, content.split('\n').slice(0, -1)));

  const consent = (consentId: string): Consent => ({
    consentId,
    tpp: tppNamed('tpp-one'),
    permissions: ['ReadAccountsBasic'],
    status: 'awaiting',
    createdAt: backedUp,
    statusUpdatedAt: backedUp,
  });
  async function given(...ids: readonly string[]): Promise<void> {
    const approved = { customerRef: 'C1', accounts: [], lastAuthenticatedAt: backedUp };
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
        status: 'active',
        metadata: {},
        createdAt: backedUp,
        updatedAt: backedUp,
      })),
    });
  const statusOf = async (clientId: string) => (await prisma.tpp.findUnique({ where: { clientId } }))?.status;

  it('applies every kind of withdrawal, with its time and its author, and reports it', async () => {
    await given('revoked', 'ended', 'deleted', 'tokens', 'left-alone');
    await registered('suspended', 'gone', 'back');
    await write(
      [
        line(1, 'consent-revoked', 'revoked', 'customer'),
        line(2, 'access-ended', 'ended', 'bank'),
        line(3, 'consent-deleted', 'deleted'),
        line(4, 'authorisation-ended', 'tokens-1'),
        tppLine(5, 'tpp-suspended', 'suspended'),
        tppLine(6, 'tpp-deleted', 'gone'),
        tppLine(7, 'tpp-suspended', 'back'),
        tppLine(8, 'tpp-reinstated', 'back'),
      ].join(''),
    );
    expect(await recover()).toEqual({
      code: 0,
      said: `8 entries since ${margin}, five minutes before --since, in 1 files: 6 applied, 2 already so, 0 of an id that this database does not know`,
      complaint: '',
    });
    expect(await found('revoked')).toMatchObject({
      status: 'revoked',
      statusUpdatedAt: new Date(after(1)),
      ended: { at: new Date(after(1)), by: 'customer' },
    });
    expect(await found('ended')).toMatchObject({ status: 'authorised', ended: { at: new Date(after(2)), by: 'bank' } });
    expect((await found('ended'))?.authorisation?.authorisationId).toBeUndefined();
    expect(await found('deleted')).toBeUndefined();
    expect((await found('tokens'))?.authorisation?.authorisationId).toBeUndefined();
    expect(await found('left-alone')).toMatchObject({
      status: 'authorised',
      authorisation: { authorisationId: 'left-alone-1' },
    });
    expect([await statusOf('suspended'), await statusOf('gone'), await statusOf('back')]).toEqual([
      'suspended',
      'deleted',
      'active',
    ]);
  });

  it('suspends TPPs that the backup does not know, and revokes all consents of one', async () => {
    await given('of-tpp-one');
    await write(
      tppLine(1, 'tpp-suspended', 'tpp-foreign', anIssuer) +
        tppLine(2, 'tpp-suspended', 'tpp-back', anIssuer) +
        tppLine(3, 'tpp-reinstated', 'tpp-back', anIssuer) +
        tppLine(4, 'tpp-consents-revoked', 'tpp-one', anIssuer),
    );
    expect((await recover()).said).toContain('2 applied, 2 already so');
    const standings = new TppStandingStore(prisma);
    expect(await standings.list()).toEqual([
      { tpp: tppNamed('tpp-foreign'), standing: { suspendedAt: new Date(after(1)) } },
      { tpp: tppNamed('tpp-one'), standing: { consentsRevokedAt: new Date(after(4)) } },
    ]);
    expect(await found('of-tpp-one')).toMatchObject({ status: 'revoked', statusUpdatedAt: new Date(after(4)) });
    expect(JSON.parse((await recover('--json')).said)).toMatchObject({ entries: 4, already: 4, applied: 0 });
    expect((await standings.find(tppNamed('tpp-back')))?.suspendedAt).toBeUndefined();
  });

  it('withdraws from the TPP of the issuer that the line names, and from no other TPP with its client id', async () => {
    await given('of-one');
    await store.create({ ...consent('of-other'), tpp: tppNamed('tpp-one', 'https://other.example') });
    await registered('tpp-one');
    await write(
      tppLine(1, 'tpp-suspended', 'tpp-one', 'https://other.example') +
        tppLine(2, 'tpp-consents-revoked', 'tpp-one', 'https://other.example') +
        // The last entry about another TPP.
        tppLine(3, 'tpp-reinstated', 'tpp-one', anIssuer),
    );
    expect((await recover()).said).toContain('2 applied, 1 already so');
    const standings = new TppStandingStore(prisma);
    const standingAt = async (issuer?: string) => (await standings.find(tppNamed('tpp-one', issuer)))?.suspendedAt;
    expect([await standingAt('https://other.example'), await standingAt()]).toEqual([new Date(after(1)), undefined]);
    expect([(await found('of-one'))?.status, (await found('of-other'))?.status]).toEqual(['authorised', 'rejected']);
    expect(await statusOf('tpp-one')).toBe('active');
  });

  it('reports a line about a TPP whose issuer is missing', async () => {
    await write(line(1, 'tpp-suspended', 'tpp-one'));
    const { code, said } = await recover();
    expect([code, said]).toEqual([1, expect.stringContaining(':1: an entry that this version does not know')]);
  });

  it('changes nothing the second time', async () => {
    await given('c1', 'c2');
    await write(line(1, 'consent-revoked', 'c1', 'bank') + line(2, 'consent-deleted', 'c2'));
    await recover();
    const before = await prisma.consent.findMany({ orderBy: { consentId: 'asc' } });
    const again = JSON.parse((await recover('--json')).said);
    expect(again).toEqual({ entries: 2, files: 1, applied: 0, already: 2, unknown: 0, faults: [], notes: [] });
    expect(await prisma.consent.findMany({ orderBy: { consentId: 'asc' } })).toEqual(before);
  });

  it('applies the entries of several processes, in the order of their times, from the given time on', async () => {
    await registered('tpp-one');
    await write(
      tppLine(4, 'tpp-reinstated', 'tpp-one') + tppLine(5, 'tpp-suspended', 'tpp-one'),
      '2026-06-15.a.1.0.jsonl',
    );
    await write(tppLine(6, 'tpp-reinstated', 'tpp-one'), '2026-06-16.b.2.0.jsonl');
    await write(
      tppLine(0, 'tpp-suspended', 'tpp-one') + line(-301, 'consent-revoked', 'before', 'bank'),
      '2026-06-15.c.3.0.jsonl',
    );
    await writeFile(join(folder, '2026-06-14.c.3.0.jsonl'), 'not of these days');
    const { said } = await recover('--json');
    expect(JSON.parse(said)).toMatchObject({ entries: 4, files: 3, applied: 0, already: 4, faults: [] });
    expect(await statusOf('tpp-one')).toBe('active');
  });

  it('applies entries from just before the backup began, whose changes the backup may lack', async () => {
    await given('c1', 'c2');
    await write(line(-300, 'consent-revoked', 'c1', 'bank') + line(-300.001, 'consent-revoked', 'c2', 'bank'));
    expect((await recover()).said).toContain('1 entries since');
    expect([(await found('c1'))?.status, (await found('c2'))?.status]).toEqual(['revoked', 'authorised']);
  });

  it('also reads the file of the previous day, where the margin begins there', async () => {
    await given('c1');
    await write(line(-12 * 3_600 - 1, 'consent-revoked', 'c1', 'bank'), '2026-06-14.host.7.0.jsonl');
    const midnight = '2026-06-15T00:00:00Z';
    expect((await command('recover', '--journal', folder, '--since', midnight)).said).toContain('1 applied');
  });

  it('makes it impossible to approve a revoked consent that awaits authorisation in the backup', async () => {
    await store.create(consent('c1'));
    await write(line(1, 'consent-revoked', 'c1', 'bank'));
    expect((await recover()).said).toContain('1 applied');
    expect(await found('c1')).toMatchObject({ status: 'rejected', statusUpdatedAt: new Date(after(1)) });
  });

  it('does not end an access that the customer gave again after its end', async () => {
    await given('c1');
    const later = new Date(after(10));
    await store.reauthenticate('c1', 'C1', later, later);
    await write(line(9, 'access-ended', 'c1', 'customer'));
    expect((await recover()).said).toContain('0 applied, 1 already so');
    expect((await found('c1'))?.ended).toBeUndefined();
    await write(line(10, 'access-ended', 'c1', 'customer'));
    expect((await recover()).said).toContain('1 applied');
  });

  it('reports ids that the backup does not have', async () => {
    const lines = ['consent-revoked', 'access-ended', 'consent-deleted', 'authorisation-ended'];
    await write(
      lines.map((event, index) => line(index, event, `unknown-${index}`, 'bank')).join('') +
        tppLine(5, 'tpp-deleted', 'unknown-5'),
    );
    expect(await recover()).toMatchObject({ code: 0, said: expect.stringContaining('0 already so, 5 of an id that') });
  });

  it('refuses a folder without any journal as the wrong one', async () => {
    await writeFile(join(folder, 'notes.txt'), 'by hand');
    const { code, complaint } = await recover();
    expect([code, complaint]).toEqual([
      1,
      expect.stringContaining(`${folder} holds no file of a journal: name the folder`),
    ]);
    await write('', '2026-01-01.host.7.0.jsonl');
    expect(await recover()).toMatchObject({ code: 0, said: expect.stringContaining('0 entries since') });
  });

  it.each([
    [['--journal', '/absent', '--since', since], 1, 'the journal /absent cannot be read (ENOENT)'],
    ...['yesterday', '2026-06-15', '2026-06-15T12:00:00', '1781524800'].map((time): [string[], number, string] => [
      ['--journal', '/absent', '--since', time],
      1,
      '--since must be a date-time with its zone, such as 2026-05-02T09:30:00Z',
    ]),
    [['--journal', '/absent'], 2, '--help says more'],
    [['--since', since], 2, '--help says more'],
    [['now', '--journal', '/absent', '--since', since], 2, '--help says more'],
  ])('does not guess: %j', async (args, code, complaint) => {
    const outcome = await command('recover', ...args);
    expect([outcome.code, outcome.said]).toEqual([code, '']);
    expect(outcome.complaint).toContain(complaint);
    expect(outcome.complaint).not.toContain('\n');
  });
});
