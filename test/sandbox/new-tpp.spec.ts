import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { removeTpp, type NewTpp } from '../../sandbox/actions/new-tpp.js';
import { tppFolders, type TppFolder } from '../../sandbox/new-tpps/tpp-folder.js';
import { TppSetting } from './tpp-setting.js';

const resources = [
  'balances',
  'transactions',
  'party',
  'scheduled-payments',
  'beneficiaries',
  'direct-debits',
  'standing-orders',
  'product',
  'offers',
];

describe('a developer’s TPP', () => {
  let setting: TppSetting;
  beforeAll(async () => {
    setting = await TppSetting.start();
  });
  afterAll(() => setting.close());

  const make = (name: string, wanted?: Partial<NewTpp>) => setting.make(name, wanted);
  const run = (tpp: TppFolder, customer: Parameters<TppSetting['run']>[2]) =>
    setting.run(tpp, [process.execPath, '--env-file=.env', 'read-accounts.js'], customer);
  const registered = async () => (await setting.server.tpps.list()).map(({ name }) => name);

  it.each([
    ['1 and v3.1', { fapi: '1', api: 'v3.1' }],
    ['2', { fapi: '2' }],
    ['2, by its certificate alone', { fapi: '2', auth: 'certificate' }],
  ] as const)(
    'FAPI %s: its program, as it was written, waits for the customer and reads every resource of every account',
    async (title, wanted) => {
      const tpp = await make(`Fapi ${title} Reader`, wanted);
      const version = 'api' in wanted ? wanted.api : 'v4.0';
      expect(await readFile(join(tpp.folder, '.env'), 'utf8')).toContain(`/open-banking/${version}/aisp"\n`);
      const { code, said } = await run(tpp, async (address) => {
        const back = await setting.approve(address, tpp);
        const answer = await fetch(back);
        expect([answer.status, await answer.text()]).toEqual([200, 'You can close this page. Go on in the terminal.']);
      });
      expect([code, said]).toEqual([0, expect.stringContaining('\n/accounts: 5 records\n')]);
      for (const resource of resources)
        expect([
          resource,
          said.split(new RegExp(`^/accounts/[\\w-]+/${resource} .*: \\d+ records$`, 'm')).length,
        ]).toEqual([resource, 6]);
      expect(said).toMatch(/\/transactions \(.+\): [1-9]\d* records\n/);
      expect(said).toMatch(/^event: urn:uk:org:openbanking:events:resource-update of https:.+\/aac-[\w-]+$/m);
      const { metadata } = (await setting.server.tpps.find(tpp.clientId)) ?? {};
      expect(metadata?.['fapi_profile']).toBe(wanted.fapi === '2' ? '2.0' : undefined);
      expect(metadata?.['token_endpoint_auth_method']).toBe('auth' in wanted ? 'tls_client_auth' : 'private_key_jwt');
    },
  );

  it.each(['v3.1', 'v4.0'] as const)(
    'for confirmation of funds asks in %s, once the customer has agreed',
    async (api) => {
      const tpp = await make(`Funds ${api}`, { scope: 'fundsconfirmations', api, fapi: api === 'v4.0' ? '2' : '1' });
      expect(await readFile(join(tpp.folder, '.env'), 'utf8')).toContain(`/open-banking/${api}/cbpii"\n`);
      const { metadata } = (await setting.server.tpps.find(tpp.clientId)) ?? {};
      expect(metadata?.['scope']).toBe('openid fundsconfirmations');
      const ask = async (amount: string) => {
        const { code, said } = await setting.run(
          tpp,
          [process.execPath, '--env-file=.env', 'ask-for-funds.js', amount],
          async (address) => void (await fetch(await setting.approve(address, tpp))),
        );
        expect([code, said]).toEqual([
          0,
          expect.stringMatching(/^event: \S+:resource-update of https:.+\/fcc-[\w-]+$/m),
        ]);
        return /^(\d.*)$/m.exec(said)?.[1];
      };
      expect([await ask('25.00'), await ask('999999.99')]).toEqual(['25.00 GBP: yes', '999999.99 GBP: no']);
      expect((await removeTpp(setting.running, tpp.name)).kept).toEqual([]);
      expect(await registered()).not.toContain(tpp.name);
    },
  );

  it('with a redirect URI on another machine asks for the address to which the bank sent the customer', async () => {
    const tpp = await make('Elsewhere', { redirectUri: 'https://tpp.example/callback' });
    const { code, said } = await run(tpp, async (address, answer) => {
      answer((await setting.approve(address, tpp)).href);
    });
    expect([code, said]).toEqual([0, expect.stringContaining('/accounts: 5 records\n')]);
  });

  it('has a complete folder that only its owner can read', async () => {
    const { folder } = await make('Folder & Sons');
    expect(folder).toBe(join(setting.running.config.dataDir, 'tpps', 'folder-sons'));
    const names = await readdir(folder);
    expect(names.sort()).toEqual([
      '.env',
      'authority.pem',
      'bank.js',
      'package.json',
      'read-accounts.js',
      'signing-key.jwk',
      'software-statement.jwt',
      'transport.pem',
    ]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const name of names) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    await expect(make('folder, sons')).rejects.toThrow(/folder-sons exists already: .* tpp remove "folder, sons"$/);
  });

  it('has an agent where one was asked for', async () => {
    const { folder } = await make('Principal', { agent: 'Oak Money' });
    const statement = await readFile(join(folder, 'software-statement.jwt'), 'utf8');
    expect(decodeJwt(statement)).toMatchObject({
      software_client_name: 'Principal',
      software_on_behalf_of_org: 'Oak Money',
    });
  });

  it('that the bank refuses leaves no files behind, and repeats the bank’s reason', async () => {
    await make('Accepted');
    const before = await readdir(join(setting.running.config.dataDir, 'tpps'));
    await expect(make('Refused', { redirectUri: 'http://tpp.example/callback' })).rejects.toThrow(
      /^the bank does not register us: 400, redirect_uris\[0\] must be an https URI/,
    );
    expect(await readdir(join(setting.running.config.dataDir, 'tpps'))).toEqual(before);
    expect(await registered()).not.toContain('Refused');
  });

  it('ends: its registration, its keys and its unedited programs are removed', async () => {
    const [kept, gone] = [await make('Edited'), await make('Unedited', { fapi: '2', auth: 'certificate' })];
    expect(await registered()).toEqual(expect.arrayContaining(['Edited', 'Unedited']));
    await appendFile(join(kept.folder, 'read-accounts.js'), '// mine\n');
    await writeFile(join(kept.folder, 'notes.txt'), 'mine');
    const remove = async ({ name }: TppFolder) => (await removeTpp(setting.running, name)).kept;
    expect(await remove(kept)).toEqual(['notes.txt', 'read-accounts.js']);
    expect(await remove(gone)).toEqual([]);
    expect(await registered()).not.toEqual(expect.arrayContaining(['Edited']));
    expect(await registered()).not.toEqual(expect.arrayContaining(['Unedited']));
    const names = (await tppFolders(setting.running.config.dataDir)).map(({ name }) => name);
    expect(names).not.toContain('Edited');
    expect(names).not.toContain('Unedited');
    expect((await make('Unedited')).softwareId).not.toBe(gone.softwareId);
  });
});
