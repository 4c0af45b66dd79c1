import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as oidc from 'openid-client';
import { AuthorisationSetting, type Access } from '../authorisation/setting.js';
import type { TestTpp } from '../authorisation/tpp.js';
import { journalKey, journalLines } from '../support/journal-lines.js';
import type { Json } from '../support/stack.js';

describe('A withdrawal, where the bank keeps a revocation journal', () => {
  let folder: string;
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  let access: Access;
  let before: number;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'journal-'));
    setting = await AuthorisationSetting.start({
      config: { revocationJournal: { directory: folder, key: journalKey } },
    });
    tpp = await setting.tpp('tpp-one');
  });
  afterAll(async () => {
    await setting.close();
    await rm(folder, { recursive: true });
  });

  const given = async (): Promise<Access> => {
    access = await setting.access(tpp, 'saver');
    before = (await journalLines(folder)).length;
    return access;
  };
  const written = async (): Promise<readonly Json[]> => (await journalLines(folder)).slice(before);
  const revoke = ({ consentId }: Access) => setting.stack.report(`/consents/${consentId}/revoke`, {});
  const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

  it('by the bank is in the journal with its id and its time, without data of the customer', async () => {
    const { consentId } = await given();
    const { json } = await revoke(access);
    const lines = await written();
    expect(lines).toEqual([{ at, event: 'consent-revoked', id: consentId, by: 'bank' }]);
    expect(Date.parse(lines[0].at)).toBe(Date.parse(json.AccessEndedDateTime));
  });

  it('by its TPP is in the journal', async () => {
    const { consentId } = await given();
    const token = await tpp.ownToken();
    expect((await tpp.ask(`/account-access-consents/${consentId}`, token, { method: 'DELETE' })).status).toBe(204);
    expect(await written()).toEqual([{ at, event: 'consent-deleted', id: consentId }]);
  });

  it('by the customer is in the journal', async () => {
    const { consentId } = await given();
    const browser = setting.browser();
    await setting.signIn(browser, await browser.open('/as/dashboard'), 'saver');
    const page = await browser.open(`/as/dashboard/withdraw/${consentId}`);
    await browser.submit(page, { decision: 'continue' }, consentId);
    expect(await written()).toEqual([{ at, event: 'consent-revoked', id: consentId, by: 'customer' }]);
  });

  it('of the tokens alone is in the journal', async () => {
    await given();
    await oidc.tokenRevocation(await tpp.config(), access.refreshToken);
    expect(await written()).toEqual([{ at, event: 'authorisation-ended', id: expect.any(String) }]);
  });

  it('of a TPP is in the journal, and so is its reinstatement', async () => {
    await given();
    for (const verb of ['suspend', 'reinstate'])
      await setting.stack.report(`/tpps/tpp-one/${verb}?issuer=embedded`, {});
    expect(await written()).toEqual([
      { at, event: 'tpp-suspended', id: 'tpp-one', issuer: 'embedded' },
      { at, event: 'tpp-reinstated', id: 'tpp-one', issuer: 'embedded' },
    ]);
  });

  it('that was refused is not in the journal: of a consent that is not authorised, or unknown', async () => {
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

  describe('while the journal’s disk is full', () => {
    let mend: () => void;
    const fill = async (): Promise<void> => {
      const handle = await open(folder, 'r');
      const disk = Object.getPrototypeOf(handle) as FileHandle;
      await handle.close();
      const { datasync } = disk;
      mend = () => Object.assign(disk, { datasync });
      disk.datasync = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    };
    afterEach(() => mend());

    it('takes effect, is not acknowledged, and is written when the disk has room', async () => {
      const { accessToken, consentId } = await given();
      expect((await tpp.ask('/accounts', accessToken)).status).toBe(200);
      await fill();
      const refused = await revoke(access);
      expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);
      expect(refused.json.Errors[0].Message).toBe(
        "The bank's systems cannot answer now. The change took effect, but is not in the revocation journal yet; retry after 5 s.",
      );
      expect((await tpp.ask('/accounts', accessToken)).status).toBe(401);
      // A retry gets the answer that it is revoked, only after the line was written.
      expect((await revoke(access)).status).toBe(503);
      const line = { at, event: 'consent-revoked', id: consentId, by: 'bank' };
      mend();
      expect((await revoke(access)).status).toBe(400);
      const lines = await written();
      expect(lines).toEqual([line, line, line]);
      expect(new Set(lines.map((entry) => entry.at)).size).toBe(1);
    });

    it('leaves one line in the log that names the cause, and is counted', async () => {
      await given();
      await fill();
      await revoke(access);
      const metric = async () => (await setting.stack.gateway.bankServer.inject('/metrics')).body;
      expect(await metric()).toContain('gateway_revocation_journal_overdue 1');
      mend();
      await revoke(access);
      expect(await metric()).toContain('gateway_revocation_journal_overdue 0');
      const told = setting.stack.log
        .map((line) => JSON.parse(line))
        .filter(({ msg }) => String(msg).includes('revocation journal'));
      expect(told.slice(-2)).toMatchObject([
        { code: 'ENOSPC', msg: expect.stringContaining('cannot be written') },
        { msg: 'the revocation journal is written again, and lacks nothing' },
      ]);
    });
  });

  it('among many simultaneous ones is in the journal when the last is acknowledged', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => setting.stack.consent({ persona: 'saver' })));
    before = (await journalLines(folder)).length;
    await Promise.all(all.map(({ consentId }) => setting.stack.report(`/consents/${consentId}/revoke`, {})));
    const ids = (await written()).map(({ id }) => id);
    expect([...ids].sort()).toEqual(all.map(({ consentId }) => consentId).sort());
  });
});
