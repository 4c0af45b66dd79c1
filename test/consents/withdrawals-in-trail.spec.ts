import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { open, readFile, type FileHandle } from 'node:fs/promises';
import * as oidc from 'openid-client';
import { trailKey } from '../../src/trail/root-record.js';
import { hasMac } from '../../src/trail/withdrawal-line.js';
import { AuthorisationSetting, type Access } from '../authorisation/setting.js';
import type { TestTpp } from '../authorisation/tpp.js';
import { eventsOf, trailFiles } from '../support/read-trail.js';
import type { Json } from '../support/stack.js';
import { until } from '../support/until.js';

describe('A withdrawal', () => {
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  let access: Access;
  let before: number;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start();
    tpp = await setting.tpp('tpp-one');
  });
  afterAll(() => setting.close());

  const withdrawals = () => eventsOf(setting.stack.config.trail.directory, 'withdrawal');
  const given = async (): Promise<Access> => {
    access = await setting.access(tpp, 'saver');
    before = (await withdrawals()).length;
    return access;
  };
  /** The withdrawals without the members that the writer adds. */
  const written = async (): Promise<readonly Json[]> =>
    (await withdrawals()).slice(before).map((event) => {
      const { v, seq, instance, release, kind, id, interactionId, number, mac, ...withdrawal } = event;
      expect([v, kind, seq > 1, number]).toEqual([1, 'withdrawal', true, expect.any(Number)]);
      for (const text of [instance, release, id, interactionId, mac]) expect(text).toEqual(expect.any(String));
      return withdrawal;
    });
  const revoke = ({ consentId }: Access) => setting.stack.report(`/consents/${consentId}/revoke`, {});
  const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

  it('by the bank is in the trail with its id and its time, without data of the customer', async () => {
    const { consentId } = await given();
    const { json } = await revoke(access);
    const events = await written();
    expect(events).toEqual([{ at, event: 'consent-revoked', consent: consentId, by: 'bank' }]);
    expect(Date.parse(events[0].at)).toBe(Date.parse(json.StatusUpdateDateTime));
  });

  it('by its TPP is in the trail', async () => {
    const { consentId } = await given();
    const token = await tpp.ownToken();
    expect((await tpp.ask(`/account-access-consents/${consentId}`, token, { method: 'DELETE' })).status).toBe(204);
    expect(await written()).toEqual([{ at, event: 'consent-deleted', consent: consentId }]);
  });

  it('by the customer is in the trail', async () => {
    const { consentId } = await given();
    const browser = setting.browser();
    await setting.signIn(browser, await browser.open('/as/dashboard'), 'saver');
    const page = await browser.open(`/as/dashboard/withdraw/${consentId}`);
    await browser.submit(page, { decision: 'continue' }, consentId);
    expect(await written()).toEqual([{ at, event: 'consent-revoked', consent: consentId, by: 'customer' }]);
  });

  it('of the tokens alone is in the trail', async () => {
    await given();
    await oidc.tokenRevocation(await tpp.config(), access.refreshToken);
    expect(await written()).toEqual([{ at, event: 'authorisation-ended', authorisation: expect.any(String) }]);
  });

  it('of a TPP, and of all its consents, is in the trail', async () => {
    await given();
    for (const act of ['suspend', 'reinstate', 'revoke-consents'])
      expect((await setting.stack.report(`/tpps/tpp-one/${act}?issuer=embedded`, {})).status).toBeLessThan(300);
    const ofTpp = { at, issuer: 'embedded', tpp: 'tpp-one' };
    expect(await written()).toEqual([
      { ...ofTpp, event: 'tpp-suspended' },
      { ...ofTpp, event: 'tpp-consents-revoked' },
    ]);
  });

  it('that was refused is not in the trail: of a consent that is not authorised, or unknown', async () => {
    await given();
    const payload = { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} };
    const token = await setting.stack.clientToken();
    const created = await setting.stack.ask('/account-access-consents', { method: 'POST', token, payload });
    const { ConsentId: consentId } = created.json.Data;
    for (const id of [consentId, 'aac-unknown'])
      expect((await setting.stack.report(`/consents/${id}/revoke`, {})).status).toBe(400);
    expect((await setting.stack.report(`/consents/${consentId}/reject`, {})).status).toBe(200);
    expect(await written()).toEqual([]);
  });

  it('is a line with a MAC that only a gateway with its TRAIL_KEY can make', async () => {
    await given();
    await revoke(access);
    const { directory, key } = setting.stack.config.trail;
    const files = (await trailFiles(directory)).filter(({ state }) => state !== 'root');
    const texts = await Promise.all(files.map(({ path }) => readFile(path, 'utf8')));
    const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.includes(access.consentId));
    const own = lines.filter((line) => JSON.parse(line).kind === 'withdrawal');
    expect(own.map((line) => hasMac(line, trailKey(key).macKey))).toEqual([true]);
    expect(hasMac(own[0] ?? '', trailKey(`another-${key}`).macKey)).toBe(false);
  });

  describe('while the trail’s disk is full', () => {
    let room: () => void;
    const fill = async (): Promise<void> => {
      const handle = await open(setting.stack.config.trail.directory, 'r');
      const disk = Object.getPrototypeOf(handle) as FileHandle;
      await handle.close();
      const { datasync, writeFile } = disk;
      room = () => Object.assign(disk, { datasync, writeFile });
      const full = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
      Object.assign(disk, { datasync: full, writeFile: full });
    };
    afterEach(() => room());

    it('takes effect, is not acknowledged, and is written when the disk has room', async () => {
      const { accessToken, consentId } = await given();
      expect((await tpp.ask('/accounts', accessToken)).status).toBe(200);
      await fill();
      const refused = await revoke(access);
      expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);
      expect(refused.json.Errors[0].Message).toBe(
        "The bank's systems cannot answer now. The change took effect, but is not in the decision trail yet; retry after 5 s.",
      );
      expect((await tpp.ask('/accounts', accessToken)).status).toBe(401);
      // A retry gets the answer that it is revoked, only after the event was written.
      expect((await revoke(access)).status).toBe(503);
      room();
      expect((await revoke(access)).status).toBe(400);
      const withdrawal = { at, event: 'consent-revoked', consent: consentId, by: 'bank' };
      await until(async () => (await withdrawals()).length === before + 3);
      const events = await written();
      expect(events).toEqual([withdrawal, withdrawal, withdrawal]);
      expect(new Set(events.map((event) => event.at)).size).toBe(1);
    });

    it('leaves one line in the log that names the cause, and is counted as waiting', async () => {
      await given();
      await fill();
      await revoke(access);
      const lag = async (): Promise<number> => {
        const { body } = await setting.stack.gateway.bankServer.inject('/metrics');
        return Number(/^gateway_trail_lag_seconds (\S+)$/m.exec(body)?.[1]);
      };
      await until(async () => (await lag()) > 1);
      room();
      await until(async () => (await lag()) < 1);
      const texts = setting.stack.log
        .map((line) => JSON.parse(line))
        .filter(({ msg }) => String(msg).includes('trail'));
      expect(texts.slice(-2)).toMatchObject([
        { code: 'ENOSPC', msg: expect.stringContaining('the decision trail cannot be written') },
        { msg: 'the decision trail can be written again' },
      ]);
    });
  });

  it('among many simultaneous ones is in the trail when the last is acknowledged', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => setting.stack.consent({ persona: 'saver' })));
    before = (await withdrawals()).length;
    await Promise.all(all.map(({ consentId }) => setting.stack.report(`/consents/${consentId}/revoke`, {})));
    const ids = (await written()).map(({ consent }) => consent);
    expect([...ids].sort()).toEqual(all.map(({ consentId }) => consentId).sort());
  });
});
