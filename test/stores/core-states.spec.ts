import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { CoreState } from '../../packages/core-adapter/core.adapter.js';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import type { BankClock } from '../../src/clock/clock.js';
import { CoreStateStore, sweepExpiredCoreStates } from '../../src/consents/core-state.store.js';
import { CoreStates } from '../../src/consents/core-states.js';
import { ConsentStore } from '../../src/consents/consent.store.js';
import type { PrismaService } from '../../src/persistence/prisma.service.js';
import { sweepAll } from '../../src/persistence/sweep.js';
import { FakeClock } from '../support/fake-clock.js';
import { emptyDatabase, type EmptyDatabase } from '../support/lent-pglite.js';
import { tppNamed } from '../support/tpp-named.js';

const noon = Date.parse('2026-06-15T12:00:00Z');
const deadlineMs = 3_000;

describe('the core state of a consent', () => {
  const clock = new FakeClock(noon);
  const now = new Date(noon);
  let database: EmptyDatabase;
  let prisma: PrismaService;
  let consents: ConsentStore;
  let states: CoreStates;
  /** Another process. */
  let others: CoreStates;
  beforeAll(async () => {
    database = await emptyDatabase();
    prisma = database.prisma;
    consents = new ConsentStore(prisma);
    [states, others] = [process(), process()];
  });
  afterAll(async () => {
    await database.close();
  });

  const process = (idKey = 'the key of all ids', sees: Pick<BankClock, 'nowMs'> = clock): CoreStates =>
    new CoreStates(new CoreStateStore(prisma), sees, { idKey, cores: [{ deadlineMs }] });
  const signal = (): AbortSignal => AbortSignal.timeout(10_000);
  const set = (state: CoreState, text: string, used?: string): Promise<string> =>
    state.replace(used, () => Promise.resolve(text), signal());
  async function authorised(clientId = 'tpp-1', expiresAtMs?: number): Promise<string> {
    const consentId = randomUUID();
    await consents.create({
      consentId,
      tpp: tppNamed(clientId),
      permissions: ['ReadAccountsBasic'],
      status: 'awaiting',
      createdAt: now,
      statusUpdatedAt: now,
      ...(expiresAtMs !== undefined && { expires: { text: new Date(expiresAtMs).toISOString(), atMs: expiresAtMs } }),
    });
    await consents.authorise(consentId, { customerRef: 'C1', accounts: [], lastAuthenticatedAt: now }, now);
    return consentId;
  }
  const rows = (consentId: string): Promise<number> => prisma.coreState.count({ where: { consentId } });
  const faultOf = (reading: Promise<unknown>): Promise<unknown> => reading.catch((error: unknown) => error);

  it('is absent at first, and then the text that a read made, in every process', async () => {
    const consentId = await authorised();
    expect(await states.of(consentId).read()).toBeUndefined();
    expect(await set(states.of(consentId), 'refresh-1')).toBe('refresh-1');
    expect(await others.of(consentId).read()).toBe('refresh-1');
    expect(await set(others.of(consentId), 'refresh-2', 'refresh-1')).toBe('refresh-2');
    expect(await states.of(consentId).read()).toBe('refresh-2');
  });

  it('is sealed in the database, for its consent and by the gateway’s key', async () => {
    const [one, other] = [await authorised(), await authorised()];
    await set(states.of(one), 'refresh-of-one');
    await set(states.of(other), 'refresh-of-other');
    const row = await prisma.coreState.findFirstOrThrow({ where: { consentId: one } });
    expect(Buffer.from(row.sealed ?? '', 'base64').toString('latin1')).not.toContain('refresh');
    await expect(process('another key').of(one).read()).rejects.toThrow();
    await prisma.coreState.updateMany({ where: { consentId: other }, data: { sealed: row.sealed } });
    await expect(states.of(other).read()).rejects.toThrow();
  });

  it('of one core is never that of another core, or opens as such', async () => {
    const consentId = await authorised();
    await set(states.of(consentId), 'of the first core');
    expect(await states.of(consentId, 'cards').read()).toBeUndefined();
    await set(states.of(consentId, 'cards'), 'of the cards');
    expect(await states.of(consentId).read()).toBe('of the first core');
    const { sealed } = await prisma.coreState.findFirstOrThrow({ where: { consentId, core: 'cards' } });
    await prisma.coreState.updateMany({ where: { consentId, core: '' }, data: { sealed } });
    await expect(states.of(consentId).read()).rejects.toThrow();
    await consents.revoke(consentId, now, 'bank');
    expect(await rows(consentId)).toBe(0);
  });

  it('is replaced once by reads that used the same text at a time, and each read gets the new text', async () => {
    const consentId = await authorised();
    await set(states.of(consentId), 'refresh-1');
    let sent = 0;
    const refresh = async (): Promise<string> => {
      sent++;
      await new Promise((resolve) => setTimeout(resolve, 30));
      return `refresh-${sent + 1}`;
    };
    const reads = [states, others, states, others, states].map((process) =>
      process.of(consentId).replace('refresh-1', refresh, signal()),
    );
    expect(await Promise.all(reads)).toEqual(Array(5).fill('refresh-2'));
    expect([sent, await states.of(consentId).read()]).toEqual([1, 'refresh-2']);
  });

  it('stays as it is where the core cannot make a new text, and the next read takes its turn', async () => {
    const consentId = await authorised();
    await set(states.of(consentId), 'refresh-1');
    const down = new CoreError('unavailable', 'the core is down');
    expect(await faultOf(states.of(consentId).replace('refresh-1', () => Promise.reject(down), signal()))).toBe(down);
    expect(await others.of(consentId).read()).toBe('refresh-1');
    expect(await set(others.of(consentId), 'refresh-2', 'refresh-1')).toBe('refresh-2');
  });

  it('is stored although the TPP left while the core made it', async () => {
    const consentId = await authorised();
    const leaving = new AbortController();
    const change = async (own: AbortSignal): Promise<string> => {
      leaving.abort();
      await new Promise((resolve) => setTimeout(resolve, 10));
      return own.aborted ? 'ended' : 'refresh-1';
    };
    await states.of(consentId).replace(undefined, change, leaving.signal);
    expect(await states.of(consentId).read()).toBe('refresh-1');
  });

  it('is waited for until the read’s own deadline', async () => {
    const consentId = await authorised();
    let release = (): void => undefined;
    const slow = states
      .of(consentId)
      .replace(undefined, () => new Promise((end) => (release = () => end('1'))), signal());
    while ((await rows(consentId)) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const hasty = await faultOf(
      others.of(consentId).replace(undefined, () => Promise.resolve('2'), AbortSignal.timeout(50)),
    );
    expect(hasty).toEqual(new CoreError('timeout', 'another read replaces the core state of the consent'));
    release();
    expect(await slow).toBe('1');
  });

  it('is free again some seconds after the deadline of a process that died in its turn', async () => {
    const consentId = await authorised();
    const died = { consentId, core: '', holder: 'died' };
    await new CoreStateStore(prisma).take(died, now, new Date(noon + deadlineMs + 5_000));
    const later = (ms: number): CoreStates => process(undefined, new FakeClock(noon + deadlineMs + ms));
    const early = later(4_999).of(consentId);
    expect(await faultOf(early.replace(undefined, () => Promise.resolve('1'), AbortSignal.timeout(50)))).toMatchObject({
      kind: 'timeout',
    });
    expect(await set(later(5_000).of(consentId), '1')).toBe('1');
    expect(await new CoreStateStore(prisma).end(died, 'late')).toBe(false);
  });

  it('has at most 4096 bytes', async () => {
    const consentId = await authorised();
    await set(states.of(consentId), 'é'.repeat(2048));
    expect(await faultOf(set(states.of(consentId), 'é'.repeat(2048) + 'x', 'é'.repeat(2048)))).toEqual(
      new CoreError('bad-record', 'the adapter made a core state of more than 4096 bytes'),
    );
    expect(await states.of(consentId).read()).toHaveLength(2048);
  });

  it.each<[string, (consentId: string) => Promise<unknown>]>([
    ['revokes it', (consentId) => consents.revoke(consentId, now, 'customer')],
    ['ends the access', (consentId) => consents.endAccess(consentId, now, 'bank')],
    ['deletes it', (consentId) => consents.delete(consentId, tppNamed('tpp-1'), now)],
  ])('is erased by the statement that %s, and is not written again', async (_, end) => {
    const consentId = await authorised();
    await set(states.of(consentId), 'refresh-1');
    const during = states.of(consentId).replace('refresh-1', () => end(consentId).then(() => 'refresh-2'), signal());
    const over = new CoreError('account-not-permitted', 'the consent ended while the core was asked');
    expect(await faultOf(during)).toEqual(over);
    expect(await rows(consentId)).toBe(0);
    expect(await faultOf(set(states.of(consentId), 'refresh-3'))).toEqual(over);
    expect(await rows(consentId)).toBe(0);
  });

  it('is erased when the bank revokes all consents of the TPP, and no other TPP’s with it', async () => {
    const [one, other] = [await authorised('tpp-revoked'), await authorised('tpp-2')];
    for (const consentId of [one, other]) await set(states.of(consentId), 'refresh-1');
    const { issuer, clientId } = tppNamed('tpp-revoked');
    await prisma.tppStanding.create({ data: { issuer, clientId, consentsRevokedAt: [now] } });
    expect([await rows(one), await rows(other)]).toEqual([0, 1]);
    expect(await faultOf(set(states.of(one), 'refresh-2'))).toMatchObject({ kind: 'account-not-permitted' });
  });

  it('is removed by a sweep once the consent has expired', async () => {
    const [expiring, openEnded] = [await authorised('tpp-1', noon + 1_000), await authorised()];
    for (const consentId of [expiring, openEnded]) await set(states.of(consentId), 'refresh-1');
    await sweepAll(sweepExpiredCoreStates, prisma, noon + 999);
    expect(await rows(expiring)).toBe(1);
    await sweepAll(sweepExpiredCoreStates, prisma, noon + 1_000);
    expect([await rows(expiring), await rows(openEnded)]).toEqual([0, 1]);
  });
});
