import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SoftwareRegister } from '../../sandbox/directory/software-register.js';
import { openBank, registrationFile } from '../../sandbox/actions/registration.js';
import { Stack } from '../../sandbox/clients/stack.js';
import { TppSetting } from './tpp-setting.js';

describe('registration in the sandbox', () => {
  let setting: TppSetting;
  beforeAll(async () => {
    setting = await TppSetting.start();
  });
  afterAll(() => setting.close());

  const kept = async () => JSON.parse(await readFile(registrationFile(setting.running.config.dataDir), 'utf8'));
  const registered = async () => {
    const all = await setting.server.tpps.list();
    return all.map(({ clientId, name, metadata }) => ({ clientId, name, redirectUris: metadata.redirect_uris }));
  };
  async function open(tppUrl = setting.running.config.tppUrl): Promise<void> {
    const client = await openBank(new Stack({ ...setting.running.config, tppUrl }));
    expect(await client.isRegistered()).toBe(true);
    await client.close();
  }

  describe('the sandbox’s TPP', () => {
    it('registers with its software statement only once', async () => {
      const { clientId, softwareId } = await kept();
      expect(clientId).not.toBe(softwareId);
      await open();
      await open();
      expect(await registered()).toEqual([
        { clientId, name: 'Moneyview', redirectUris: [setting.endpoint.redirectUri] },
      ]);
    });

    it('changes its registration when its redirect URI has changed, and keeps its client id', async () => {
      const before = await kept();
      const redirectUri = 'http://localhost:4005/callback';
      await open('http://localhost:4005');
      expect(await kept()).toEqual({ ...before, redirectUri });
      expect(await registered()).toEqual([
        { clientId: before.clientId, name: 'Moneyview', redirectUris: [redirectUri] },
      ]);
      await open();
      expect(await kept()).toEqual(before);
    });

    it('cannot register while it is suspended, and repeats the bank’s reason', async () => {
      const { clientId } = await kept();
      await setting.stack.report(`/tpps/${clientId}/suspend?issuer=embedded`, {});
      await expect(openBank(setting.running)).rejects.toThrow(
        'the bank does not register us: 400, the software is suspended by the bank',
      );
      await setting.stack.report(`/tpps/${clientId}/reinstate?issuer=embedded`, {});
      await open();
      expect((await kept()).clientId).toBe(clientId);
    });

    it('registers again with a bank that does not know it', async () => {
      const { clientId, softwareId } = await kept();
      await setting.server.tpps.remove(clientId);
      await open();
      const after = await kept();
      expect([after.softwareId, after.clientId === clientId]).toEqual([softwareId, false]);
    });
  });

  describe('the directory’s register', () => {
    it('keeps its software over a restart', async () => {
      const file = join(setting.running.config.dataDir, 'directory.json');
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
