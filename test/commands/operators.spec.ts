import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBankAddress, readOperatorAddress } from '../../src/config/bank-address.js';
import { AuthorisationSetting, type Access } from '../authorisation/setting.js';
import type { TestTpp } from '../authorisation/tpp.js';
import { portOf } from '../support/raw-http.js';
import { bankCredential, Stack } from '../support/stack.js';
import { opsCommand } from '../support/ops-command.js';

const unknownTpp = 'No TPP is registered under this client id.';

interface Outcome {
  readonly code: number;
  readonly said: string;
  readonly complaint: string;
}

describe('the operators’ commands', () => {
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'commands-'));
    setting = await AuthorisationSetting.start();
    tpp = await setting.tpp('tpp-one');
  });
  afterAll(async () => {
    await setting.close();
    await rm(folder, { recursive: true });
  });

  async function command(args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Outcome> {
    const settings = { BANK_PORT: String(portOf(setting.stack.gateway.bankServer)), BANK_CREDENTIAL: bankCredential };
    const operator = () => readOperatorAddress({ ...settings, ...more });
    const { code, text, told } = await opsCommand(args, { operator });
    return { code, said: text, complaint: told.join('\n') };
  }
  const file = async (content: unknown): Promise<string> => {
    const path = join(folder, 'tpps.json');
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  const entryOf = ({ registration: { clientId, name, metadata } }: TestTpp) => ({ clientId, name, metadata });

  it('list the TPPs, for people and for programs', async () => {
    const { code, said } = await command(['tpps', 'list']);
    expect(code).toBe(0);
    expect(said.split('\n')).toContain('tpp-one  embedded  active  The tpp-one app');
    const listed = JSON.parse((await command(['tpps', 'list', '--json'])).said);
    expect(listed).toContainEqual({
      ClientId: 'tpp-one',
      Issuer: 'embedded',
      Name: 'The tpp-one app',
      Status: 'active',
      Metadata: expect.objectContaining({ client_id: 'tpp-one', token_endpoint_auth_method: 'private_key_jwt' }),
    });
  });

  it('add a TPP, which can use the gateway from then on', async () => {
    const added = await setting.stranger('tpp-added');
    await expect(added.ownToken()).rejects.toThrow();
    const { code, said } = await command(['tpps', 'add', await file(entryOf(added))]);
    expect([code, said]).toEqual([0, 'tpp-added  embedded  active  The tpp-added app']);
    expect(await added.ownToken()).toEqual(expect.any(String));
  });

  it('add the TPPs of a list until one is refused, and report its name and the reason in one line', async () => {
    const [first, second] = [await setting.stranger('tpp-first'), await setting.stranger('tpp-second')];
    const wrong = {
      ...entryOf(second),
      metadata: { ...entryOf(second).metadata, redirect_uris: ['http://x.example/'] },
    };
    const path = await file([entryOf(first), wrong]);
    expect(await command(['tpps', 'add', path])).toEqual({
      code: 1,
      said: '',
      complaint: `${path}: [1] tpp-second: metadata.redirect_uris[0] must be an https URI without user name and fragment, of one host and without wildcards; before it: 1 registered`,
    });
    const known = JSON.parse((await command(['tpps', 'list', '--json'])).said).map(
      (tpp: { ClientId: string }) => tpp.ClientId,
    );
    expect(known).toContain('tpp-first');
    expect(known).not.toContain('tpp-second');
  });

  it.each([
    ['{', 'is not valid JSON'],
    ['5', 'holds neither a TPP nor a list of TPPs'],
    ['[]', 'holds neither a TPP nor a list of TPPs'],
    ['[{}]', ': [0].clientId is needed'],
    ['[{"clientId":"x"}]', ': [0] x: name is required.'],
  ])('refuse the file %s', async (content, fault) => {
    const { code, complaint } = await command(['tpps', 'add', await file(content)]);
    expect(code).toBe(1);
    expect(complaint).toContain(fault);
    expect(complaint).not.toContain('\n');
  });

  describe('suspend a TPP', () => {
    let doomed: TestTpp;
    let access: Access;
    let clientToken: string;
    beforeAll(async () => {
      doomed = await setting.tpp('tpp-doomed');
      access = await setting.access(doomed, 'saver');
      clientToken = await doomed.ownToken();
    });

    const works = async (): Promise<Readonly<Record<string, boolean>>> => ({
      accessToken: (await doomed.ask('/accounts', access.accessToken)).status === 200,
      ownToken: (await doomed.ask(`/account-access-consents/${access.consentId}`, clientToken)).status === 200,
      refresh: await succeeds(doomed.refresh(access.refreshToken)),
      clientCredentials: await succeeds(doomed.ownToken()),
      authorizationRequest: (await authorize()) === 303,
    });
    const succeeds = (attempt: Promise<unknown>): Promise<boolean> =>
      attempt.then(
        () => true,
        () => false,
      );
    /** A request object that the TPP signed in advance. */
    const authorize = async (): Promise<number> => {
      const url = await doomed.beginWith(await doomed.requestObject(access.consentId));
      return (await doomed.fetch(url.href, { redirect: 'manual' } as never)).status;
    };

    it('so that all of its requests fail at once, its consents stay, and reinstating restores all of it', async () => {
      const all = {
        accessToken: true,
        ownToken: true,
        refresh: true,
        clientCredentials: true,
        authorizationRequest: true,
      };
      expect(await works()).toEqual(all);
      expect(await command(['tpps', 'suspend', 'tpp-doomed', '--issuer', 'embedded'])).toEqual({
        code: 0,
        said: 'tpp-doomed  embedded  suspended  The tpp-doomed app',
        complaint: '',
      });
      expect(await works()).toEqual(Object.fromEntries(Object.keys(all).map((name) => [name, false])));
      expect((await setting.stack.report(`/consents/${access.consentId}`)).json.Status).toBe('authorised');
      expect((await command(['tpps', 'reinstate', 'tpp-doomed', '--issuer', 'embedded'])).said).toBe(
        'tpp-doomed  embedded  active  The tpp-doomed app',
      );
      expect(await works()).toEqual(all);
    });

    it('do not affect any other TPP', async () => {
      await command(['tpps', 'suspend', 'tpp-doomed', '--issuer', 'embedded']);
      expect(await tpp.ownToken()).toEqual(expect.any(String));
      await command(['tpps', 'reinstate', 'tpp-doomed', '--issuer', 'embedded']);
    });

    it('keep it suspended when its registration is changed', async () => {
      await command(['tpps', 'suspend', 'tpp-doomed', '--issuer', 'embedded']);
      const { said } = await command(['tpps', 'add', await file({ ...entryOf(doomed), status: 'active' })]);
      expect(said).toBe('tpp-doomed  embedded  suspended  The tpp-doomed app');
      expect(await succeeds(doomed.ownToken())).toBe(false);
      await command(['tpps', 'reinstate', 'tpp-doomed', '--issuer', 'embedded']);
    });
  });

  it('need the issuer where two are configured, and change nothing without it', async () => {
    await setting.tpp('tpp-twice');
    const foreign = await setting.stack.consent({ persona: 'saver', clientId: 'tpp-twice' });
    const status = async () => (await setting.stack.ask('/accounts', { token: foreign.token })).status;
    const issuer = setting.stack.bank.issuer;
    for (const verb of ['suspend', 'reinstate', 'revoke-consents'])
      expect(await command(['tpps', verb, 'tpp-twice'])).toEqual({
        code: 1,
        said: '',
        complaint:
          'Nothing was changed: name the issuer of the TPP, by the parameter issuer or in a command by --issuer ISSUER. ' +
          `The configured issuers are: embedded, ${issuer}.`,
      });
    expect(await command(['tpps', 'suspend', 'tpp-twice', '--issuer', 'embedded'])).toMatchObject({
      said: 'tpp-twice  embedded  suspended  The tpp-twice app',
    });
    expect(await status()).toBe(200);
    await command(['tpps', 'suspend', 'tpp-twice', '--issuer', issuer]);
    expect(await status()).toBe(401);
    expect((await command(['tpps', 'list'])).said.split('\n').filter((line) => line.startsWith('tpp-twice'))).toEqual([
      'tpp-twice  embedded  suspended  The tpp-twice app',
      `tpp-twice  ${issuer}  suspended  (not registered here)`,
    ]);
    for (const name of ['embedded', issuer]) await command(['tpps', 'reinstate', 'tpp-twice', '--issuer', name]);
  });

  it('suspend a TPP of another issuer that has a consent here', async () => {
    const foreign = await setting.stack.consent({ persona: 'saver', clientId: 'tpp-foreign' });
    const status = async () => (await setting.stack.ask('/accounts', { token: foreign.token })).status;
    expect(await status()).toBe(200);
    expect((await command(['tpps', 'suspend', 'tpp-foreign', '--issuer', setting.stack.bank.issuer])).said).toBe(
      'tpp-foreign  urn:example:sandbox-bank  suspended  (not registered here)',
    );
    expect(await status()).toBe(401);
    await command(['tpps', 'reinstate', 'tpp-foreign', '--issuer', setting.stack.bank.issuer]);
    expect(await status()).toBe(200);
  });

  it('revoke all consents of a TPP, with its access and refresh tokens, and the TPP can continue', async () => {
    const cutOff = await setting.tpp('tpp-cut-off');
    const access = await setting.access(cutOff, 'saver');
    expect((await cutOff.ask('/accounts', access.accessToken)).status).toBe(200);
    expect((await command(['tpps', 'revoke-consents', 'tpp-cut-off', '--issuer', 'embedded'])).code).toBe(0);
    expect((await cutOff.ask('/accounts', access.accessToken)).status).toBe(401);
    await expect(cutOff.refresh(access.refreshToken)).rejects.toMatchObject({ error: 'invalid_grant' });
    const again = await setting.access(cutOff, 'saver');
    expect((await cutOff.ask('/accounts', again.accessToken)).status).toBe(200);
  });

  it('rotate the signing keys: a new key is published at once and signs later, and only one waits at a time', async () => {
    const before = setting.server.keys.published.length;
    const { code, said } = await command(['keys', 'rotate', '--json']);
    expect(code).toBe(0);
    const keys = JSON.parse(said);
    expect(keys).toHaveLength(before * 2);
    expect(keys[0]).toEqual({
      KeyId: expect.any(String),
      Algorithm: expect.stringMatching(/^(PS256|ES256)$/),
      SignsFromDateTime: expect.any(String),
      PublishedUntilDateTime: expect.any(String),
    });
    expect(JSON.parse((await command(['keys', 'rotate', '--json'])).said)).toEqual(keys);
    expect((await command(['keys', 'rotate'])).said.split('\n')).toHaveLength(keys.length);
  });

  it.each([
    [['tpps', 'suspend', 'nobody', '--issuer', 'embedded'], {}, unknownTpp],
    [['tpps', 'revoke-consents', 'nobody', '--issuer', 'embedded'], {}, unknownTpp],
    [['tpps', 'reinstate', '../consents', '--issuer', 'embedded'], {}, unknownTpp],
    [['tpps', 'list'], { BANK_CREDENTIAL: 'x'.repeat(32) }, 'BANK_CREDENTIAL is not the one of the gateway'],
    [
      ['tpps', 'list'],
      { BANK_CREDENTIAL: '' },
      'OPERATOR_CREDENTIAL is not set: it must be that of an operator, or before the first admin was added BANK_CREDENTIAL that of the gateway',
    ],
    [['tpps', 'add', '/absent.json'], {}, '/absent.json is not a readable file'],
    [
      ['tpps', 'list'],
      { BANK_PORT: '1' },
      'no gateway answers at http://127.0.0.1:1: start it, or set BANK_HOST and BANK_PORT',
    ],
  ])('fail in one line: %j with %j', async (args, more, complaint) => {
    expect(await command(args, more as never)).toEqual({ code: 1, said: '', complaint });
  });

  it.each([
    [[]],
    [['tpps']],
    [['tpps', 'list', 'all']],
    [['tpps', 'suspend']],
    [['tpps', 'suspend', 'a', 'b']],
    [['tpps', 'remove', 'a']],
    [['keys']],
    [['keys', 'rotate', 'now']],
    [['constructor']],
    [['tpps', 'list', '--verbose']],
    [['tpps', 'list', '--issuer', 'embedded']],
    [['tpps', 'add', 'tpps.json', '--issuer', 'embedded']],
    [['keys', 'rotate', '--issuer', 'embedded']],
    [['recover', '--since', 'x', '--issuer', 'embedded']],
  ])('do not guess: %j', async (args) => {
    const { code, said, complaint } = await command(args);
    expect([code, said]).toEqual([2, '']);
    expect(complaint).toContain('--help');
  });

  it('name the nearest command and option, and where the form of the command that was meant is shown', async () => {
    for (const [args, complaint] of [
      [['operator'], "unknown command 'operator' (Did you mean operators?), see: npm run ops -- --help"],
      [['tpps', 'lst'], "unknown command 'lst' (Did you mean list?), see: npm run ops -- tpps --help"],
      [
        ['erase', 'customer', 'C1001', '--withdrw'],
        "unknown option '--withdrw' (Did you mean --withdraw?), see: npm run ops -- erase customer --help",
      ],
    ] as const)
      expect((await command([...args])).complaint).toBe(complaint);
  });

  it('are all in one table, each with the words that it needs', async () => {
    const { code, said } = await command(['--help']);
    expect(code).toBe(0);
    for (const form of [
      'status',
      'tpps suspend <ID>',
      'keys rotate',
      'outages add --from <T> --to <T> --text <TEXT>',
      'cases withdraw --reason <CODE>',
      'operators add <NAME> --role <ROLE>',
      'trail why <ID>',
      'report explain <FIGURE> --day <D>',
      'migrate',
      'retention',
      'erase customer <REF>',
      'accept-key <SETTING>',
      'recover --since <T>',
      'feed load --delivery <DIR>',
    ])
      expect(said).toContain(`\n  ${form}  `);
  });

  it.each(['tpps', 'keys', 'recover', 'feed', 'migrate', 'retention', 'erase'])(
    'give help without a setting: npm run ops -- %s --help',
    async (name) => {
      const help = await opsCommand([name, '--help']);
      expect(help).toEqual({ code: 0, text: expect.stringMatching(`^Usage: npm run ops -- ${name} `), told: [] });
      expect(await opsCommand(['help', name])).toEqual(help);
    },
  );

  it.each([['tpps'], ['keys']])('say their form before they ask for a setting: %s', async (name) => {
    expect(await opsCommand([name, 'nonsense'])).toEqual({
      code: 2,
      text: '',
      told: [expect.stringMatching(`^unknown command 'nonsense'.*see: npm run ops -- ${name} --help$`)],
    });
  });

  it('reach a gateway that listens on every interface', () => {
    const settings = { BANK_CREDENTIAL: 'c', ALLOW_PLAIN_CONNECTIONS: 'sandbox' };
    const origin = (host: string) => readBankAddress({ ...settings, BANK_HOST: host }).origin;
    expect(['0.0.0.0', '::', '::1', '10.0.0.1'].map(origin)).toEqual([
      'http://127.0.0.1:3001',
      'http://127.0.0.1:3001',
      'http://[::1]:3001',
      'http://10.0.0.1:3001',
    ]);
  });

  it('send the credential to another machine over TLS only, unless that is allowed by name', () => {
    expect(() => readBankAddress({ BANK_CREDENTIAL: 'c', BANK_HOST: '10.0.0.1' })).toThrow(
      /^BANK_HOST is another machine and the credential would go there without TLS: set BANK_TLS_CERT_FILE .* ALLOW_PLAIN_CONNECTIONS=sandbox/,
    );
  });

  it('leave a record that names the suspended TPP', async () => {
    await setting.tpp('tpp-recorded');
    await command(['tpps', 'suspend', 'tpp-recorded', '--issuer', 'embedded']);
    const records = setting.stack.log.map((line) => JSON.parse(line)).filter((line) => line.bankAccess !== undefined);
    expect(records).toContainEqual(
      expect.objectContaining({
        bankAccess: expect.objectContaining({
          endpoint: '/bank/v1/tpps/:clientId/suspend',
          tpp: 'tpp-recorded',
          issuer: 'embedded',
          status: 200,
        }),
      }),
    );
  });
});

describe('the operators’ commands, to a gateway without an authorization server', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start();
    await stack.gateway.bankServer.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => stack.close());

  async function command(...args: readonly string[]): Promise<Pick<Outcome, 'code' | 'said'>> {
    const settings = { BANK_PORT: String(portOf(stack.gateway.bankServer)), BANK_CREDENTIAL: bankCredential };
    const { code, text } = await opsCommand(args, { operator: () => readOperatorAddress(settings) });
    return { code, said: text };
  }

  it('fail where they need registrations, and rotate the keys that sign events', async () => {
    const ask = (method: 'PUT' | 'POST', url: string, payload?: object) =>
      stack.gateway.bankServer.inject({
        method,
        url: `/bank/v1${url}`,
        headers: { authorization: `Bearer ${bankCredential}` },
        ...(payload && { payload }),
      });
    const refused = await ask('PUT', '/tpps/a', { name: 'A', metadata: {} });
    expect([refused.statusCode, JSON.parse(refused.body).Message]).toEqual([
      404,
      'This gateway runs without the embedded authorization server.',
    ]);
    const rotated = await ask('POST', '/signing-keys/rotate');
    expect([rotated.statusCode, JSON.parse(rotated.body).Keys.length]).toEqual([200, 4]);
  });

  it('suspend a TPP with tokens of another issuer, and reinstate it', async () => {
    const doomed = await stack.consent({ persona: 'saver', clientId: 'tpp-doomed' });
    const other = await stack.consent({ persona: 'saver', clientId: 'tpp-other' });
    const ownToken = await stack.clientToken('tpp-doomed');
    const statuses = async () => [
      (await stack.ask('/accounts', { token: doomed.token })).status,
      (await stack.ask(`/account-access-consents/${doomed.consentId}`, { token: ownToken })).status,
      (await stack.ask('/accounts', { token: other.token })).status,
    ];
    expect(await statuses()).toEqual([200, 200, 200]);
    expect(await command('tpps', 'suspend', 'tpp-doomed')).toEqual({
      code: 0,
      said: 'tpp-doomed  urn:example:sandbox-bank  suspended  (not registered here)',
    });
    expect(await statuses()).toEqual([401, 401, 200]);
    const refused = await stack.ask('/accounts', { token: doomed.token });
    expect(refused.headers['www-authenticate']).toContain('the bank has suspended the TPP');
    expect((await command('tpps', 'list')).said.split('\n')).toContain(
      'tpp-doomed  urn:example:sandbox-bank  suspended  (not registered here)',
    );
    expect((await stack.report(`/consents/${doomed.consentId}`)).json.Status).toBe('authorised');
    expect((await command('tpps', 'reinstate', 'tpp-doomed')).said).toBe(
      'tpp-doomed  urn:example:sandbox-bank  active  (not registered here)',
    );
    expect(await statuses()).toEqual([200, 200, 200]);
  });

  it('suspend a TPP that the gateway does not know yet', async () => {
    expect((await command('tpps', 'suspend', 'tpp-to-come')).code).toBe(0);
    const token = await stack.clientToken('tpp-to-come');
    const payload = { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} };
    expect((await stack.ask('/account-access-consents', { method: 'POST', token, payload })).status).toBe(401);
    await command('tpps', 'reinstate', 'tpp-to-come');
    expect((await stack.ask('/account-access-consents', { method: 'POST', token, payload })).status).toBe(201);
  });

  it('revoke all consents of a TPP, and neither later consents nor those of another TPP', async () => {
    const before = await stack.consent({ persona: 'saver', clientId: 'tpp-cut-off' });
    const other = await stack.consent({ persona: 'saver', clientId: 'tpp-other' });
    const token = await stack.clientToken('tpp-cut-off');
    const payload = { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} };
    const awaiting = await stack.ask('/account-access-consents', { method: 'POST', token, payload });
    const awaitingId = awaiting.json.Data.ConsentId as string;
    expect((await stack.ask('/accounts', { token: before.token })).status).toBe(200);
    stack.clock.advance(1_000);
    const { code, said } = await command('tpps', 'revoke-consents', 'tpp-cut-off');
    expect([code, said]).toEqual([
      0,
      'tpp-cut-off  urn:example:sandbox-bank  active  (not registered here), consents created up to 2026-06-15T12:00:01+00:00 are revoked',
    ]);
    expect((await stack.ask('/accounts', { token: before.token })).status).toBe(401);
    const seen = await stack.ask(`/account-access-consents/${before.consentId}`, { token });
    expect(seen.json.Data).toMatchObject({ Status: 'Revoked', StatusUpdateDateTime: '2026-06-15T12:00:01+00:00' });
    expect((await stack.report(`/consents/${awaitingId}`)).json).toMatchObject({ Status: 'rejected' });
    const approval = {
      customerRef: before.customerRef,
      accounts: [before.accounts[0]?.ref],
      authenticatedAt: new Date(stack.clock.nowMs()).toISOString(),
    };
    expect((await stack.report(`/consents/${awaitingId}/authorise`, approval)).status).toBe(400);
    expect((await stack.ask('/accounts', { token: other.token })).status).toBe(200);
    stack.clock.advance(1);
    const after = await stack.consent({ persona: 'saver', clientId: 'tpp-cut-off' });
    expect((await stack.ask('/accounts', { token: after.token })).status).toBe(200);
    // Again: the consents that the first revocation ended keep their time.
    stack.clock.advance(999);
    await command('tpps', 'revoke-consents', 'tpp-cut-off');
    const ends = await Promise.all(
      [before, after].map(async ({ consentId }) => (await stack.report(`/consents/${consentId}`)).json),
    );
    expect(ends.map(({ Status, StatusUpdateDateTime }) => [Status, StatusUpdateDateTime])).toEqual([
      ['cancelled', '2026-06-15T12:00:01+00:00'],
      ['cancelled', '2026-06-15T12:00:02+00:00'],
    ]);
  });

  it.each(['', '%00', 'a%0Ab', 'x'.repeat(1_001)])('refuse a text that cannot be a client id: %j', async (id) => {
    for (const verb of ['suspend', 'reinstate', 'revoke-consents'])
      expect([400, 404]).toContain((await stack.report(`/tpps/${id}/${verb}`, {})).status);
  });
});
