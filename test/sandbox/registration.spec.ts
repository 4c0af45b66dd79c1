import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SoftwareRegister } from '../../sandbox/directory/software-register.js';
import type { BankClient } from '../../sandbox/tpp/bank.client.js';
import { openBank, type RegistrationParts } from '../../sandbox/tpp/registration.js';
import { TppSetting } from './tpp-setting.js';

describe('registration in the sandbox', () => {
  let setting: TppSetting;
  beforeAll(async () => {
    setting = await TppSetting.start();
  });
  afterAll(() => setting.close());

  const kept = async ({ file }: RegistrationParts) => JSON.parse(await readFile(file, 'utf8'));
  const registered = async () => {
    const all = await setting.server.tpps.list();
    return all.map(({ clientId, name, metadata }) => ({ clientId, name, redirectUris: metadata.redirect_uris }));
  };
  async function open(changed: Partial<RegistrationParts> = {}): Promise<RegistrationParts> {
    const parts = { ...setting.parts, ...changed };
    const client: BankClient = await openBank(parts);
    expect(await client.isKnown()).toBe(true);
    await client.close();
    return parts;
  }

  describe('the sandbox’s TPP', () => {
    it('registers with its software statement only once', async () => {
      const { clientId, softwareId } = await kept(setting.parts);
      expect(clientId).not.toBe(softwareId);
      await open();
      await open();
      expect(await registered()).toEqual([
        { clientId, name: 'Moneyview', redirectUris: [setting.endpoint.redirectUri] },
      ]);
    });

    it('changes its registration when its redirect URI has changed, and keeps its client id', async () => {
      const before = await kept(setting.parts);
      const redirectUri = 'http://localhost:4005/callback';
      await open({ endpoint: { ...setting.endpoint, redirectUri } });
      expect(await kept(setting.parts)).toEqual({ ...before, redirectUri });
      expect(await registered()).toEqual([
        { clientId: before.clientId, name: 'Moneyview', redirectUris: [redirectUri] },
      ]);
      await open();
      expect(await kept(setting.parts)).toEqual(before);
    });

    it('cannot register while it is suspended, and repeats the bank’s reason', async () => {
      const { clientId } = await kept(setting.parts);
      await setting.server.tpps.setStatus(clientId, 'suspended');
      await expect(openBank(setting.parts)).rejects.toThrow(
        'the bank does not register us: 400, the software is suspended by the bank',
      );
      await setting.server.tpps.setStatus(clientId, 'active');
      await open();
      expect((await kept(setting.parts)).clientId).toBe(clientId);
    });

    it('registers again with a bank that does not know it', async () => {
      const { clientId, softwareId } = await kept(setting.parts);
      await setting.server.tpps.remove(clientId);
      const after = await kept(await open());
      expect([after.softwareId, after.clientId === clientId]).toEqual([softwareId, false]);
    });
  });

  describe('the directory’s register', () => {
    it('keeps its software over a restart', async () => {
      const file = join(setting.parts.file, '..', 'directory.json');
      const software = { softwareId: 'a', organisation: { organisationId: 'o' } } as never;
      const first = await SoftwareRegister.open(file);
      await Promise.all([first.put(software), first.put({ softwareId: 'b' } as never), first.remove('b')]);
      const second = await SoftwareRegister.open(file);
      expect([second.find('a'), second.find('b'), second.ofOrganisation('o')]).toEqual([
        software,
        undefined,
        [software],
      ]);
    });
  });
});
