import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registerTppsOfFile } from '../../src/authorisation-server/tpps/tpps-file.js';
import { BootError } from '../../src/config/boot-error.js';
import { AuthorisationSetting } from './setting.js';
import { TestTpp, type ServerUrls } from './tpp.js';
import { CertificateAuthority } from '../support/certificates.js';
import { eventsOf } from '../support/read-trail.js';

type Entry = Readonly<Record<string, unknown>> & { readonly metadata: Readonly<Record<string, unknown>> };

/** As a person writes the file. */
const entryOf = ({ registration: { clientId, name, metadata } }: TestTpp): Entry => ({ clientId, name, metadata });

describe('onboarding by TPPS_FILE', () => {
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  let good: Entry;
  /** With the keys of another TPP: not yet as the TPP has it. */
  let early: Entry;
  let atBoot: unknown;
  let folder: string;
  let file: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tpps-'));
    file = join(folder, 'tpps.json');
    const nowhere: ServerUrls = { issuer: '', tppUrl: '', ca: '' };
    const { metadata } = entryOf(await TestTpp.make('other', nowhere, new CertificateAuthority().issue('tpp-one')));
    const named = { clientId: 'tpp-one', name: 'The tpp-one app' };
    early = { ...named, metadata: { ...metadata, client_id: 'tpp-one' } };
    const barred = { ...named, clientId: 'tpp-barred', metadata: { ...metadata, client_id: 'tpp-barred' } };
    await writeFile(file, JSON.stringify([early, { ...barred, status: 'suspended' }]));
    setting = await AuthorisationSetting.start({ authorisationServer: { tppsFile: file } });
    atBoot = await setting.server.tpps.find('tpp-one');
    tpp = await setting.stranger('tpp-one');
    good = entryOf(tpp);
  });
  afterAll(async () => {
    await setting.close();
    await rm(folder, { recursive: true });
  });

  /** Does the same as a boot with this file, once the database is open. */
  const boot = async (content: unknown): Promise<void> => {
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    await registerTppsOfFile(file, setting.server.registry);
  };
  const refusal = async (content: unknown): Promise<string> => {
    const error: unknown = await boot(content).then(
      () => undefined,
      (fault: unknown) => fault,
    );
    expect(error).toBeInstanceOf(BootError);
    const { message } = error as BootError;
    expect(message.startsWith(`TPPS_FILE "${file}" `)).toBe(true);
    expect(message).not.toContain('\n');
    return message.slice(`TPPS_FILE "${file}" `.length);
  };
  const status = async (clientId: string): Promise<unknown> => {
    const { Tpps } = (await setting.stack.report('/tpps')).json;
    return (Tpps as { ClientId: string; Status: string }[]).find(({ ClientId }) => ClientId === clientId)?.Status;
  };

  it('registers the TPPs of the file at boot, also one that it suspends', async () => {
    expect(atBoot).toMatchObject({ name: 'The tpp-one app', status: 'registered' });
    expect([await status('tpp-one'), await status('tpp-barred')]).toEqual(['active', 'suspended']);
    // So a restored backup has it too: see `recover`.
    const withdrawals = await eventsOf(setting.stack.config.trail.directory, 'withdrawal');
    const barred = withdrawals.filter(({ tpp }) => tpp === 'tpp-barred');
    expect(barred).toEqual([expect.objectContaining({ event: 'tpp-suspended' })]);
  });

  it('lets a TPP use its registration, after the file was changed at a later boot', async () => {
    await boot([early]);
    await expect(tpp.ownToken()).rejects.toThrow();
    await boot([good]);
    expect(await tpp.ownToken()).toEqual(expect.any(String));
  });

  it('leaves a TPP alone that the file names no more', async () => {
    await boot([good]);
    await boot([]);
    expect(await tpp.ownToken()).toEqual(expect.any(String));
  });

  it('writes nothing where nothing changed', async () => {
    await boot([good]);
    const save = jest.spyOn(setting.server.tpps, 'save');
    await boot([good]);
    expect(save).not.toHaveBeenCalled();
    await boot([{ ...good, name: 'Renamed' }]);
    expect(save).toHaveBeenCalledTimes(1);
    save.mockRestore();
    await boot([good]);
  });

  it('keeps a TPP suspended that was suspended by command, whatever the file says', async () => {
    await boot([good]);
    await setting.order('suspend', 'tpp-one');
    await boot([{ ...good, name: 'Renamed', status: 'active' }]);
    expect((await setting.server.tpps.find('tpp-one'))?.name).toBe('Renamed');
    expect(await status('tpp-one')).toBe('suspended');
    await expect(tpp.ownToken()).rejects.toThrow();
    await setting.order('reinstate', 'tpp-one');
    expect(await tpp.ownToken()).toEqual(expect.any(String));
  });

  it('suspends a TPP that the file calls suspended', async () => {
    await boot([good]);
    await boot([{ ...good, status: 'suspended' }]);
    expect(await status('tpp-one')).toBe('suspended');
    await setting.order('reinstate', 'tpp-one');
  });

  it('suspends it before it changes the registration, which may fail', async () => {
    await boot([good]);
    const save = jest.spyOn(setting.server.tpps, 'save').mockRejectedValue(new Error('the database fails'));
    await expect(boot([{ ...good, name: 'Renamed', status: 'suspended' }])).rejects.toThrow('the database fails');
    save.mockRestore();
    await expect(tpp.ownToken()).rejects.toThrow();
    await setting.order('reinstate', 'tpp-one');
    expect(await tpp.ownToken()).toEqual(expect.any(String));
  });

  it('changes nothing at all where one entry is at fault', async () => {
    expect(
      await refusal([
        { ...good, clientId: 'tpp-before', metadata: { ...good.metadata, client_id: 'tpp-before' } },
        { ...good, name: '' },
      ]),
    ).toMatch(/^\[1\]\.name /);
    expect(await status('tpp-before')).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['is not valid JSON', '{'],
    ['must hold a JSON list of TPPs', {}],
    ['[0] must be an object', [5]],
    ['[0] must be an object', [null]],
  ])('refuses a file that %s', async (fault, content) => {
    expect(await refusal(content)).toBe(fault);
  });

  it('refuses a file that is not there', async () => {
    await expect(registerTppsOfFile(join(folder, 'absent'), setting.server.registry)).rejects.toThrow(
      `TPPS_FILE "${join(folder, 'absent')}" is not a readable file`,
    );
  });

  it.each<[string, (entry: Entry) => unknown]>([
    ['clientId is required', ({ clientId: _, ...rest }) => rest],
    ['clientId has a value that this request does not allow', (entry) => ({ ...entry, clientId: 'a b' })],
    ['clientId must have at most 128 characters', (entry) => ({ ...entry, clientId: 'x'.repeat(129) })],
    [
      'name must have no control or format character but a joiner between letters',
      (entry) => ({ ...entry, name: 'a\u0007b' }),
    ],
    ['name must have a letter or a digit', (entry) => ({ ...entry, name: '---' })],
    ['name must not be the name of the bank', (entry) => ({ ...entry, name: 'YOUR  bank' })],
    ['status must be one of active, suspended', (entry) => ({ ...entry, status: 'gone' })],
    ['metadata must be a JSON object', (entry) => ({ ...entry, metadata: 5 })],
    ['secret is not a member of this request', (entry) => ({ ...entry, secret: 'x' })],
    ['metadata.client_id must be the clientId, or be omitted', (entry) => ({ ...entry, clientId: 'another' })],
  ])('names the member at fault: %s', async (fault, spoil) => {
    expect(await refusal([spoil(good)])).toBe(`[0].${fault}`);
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['redirect_uris must be a list of one URI or more', { redirect_uris: [] }],
    ['redirect_uris must be a list of one URI or more', { redirect_uris: undefined }],
    ...['http://tpp.example/callback', 'https://user@tpp.example/', 'https://tpp.example/#here', 'tpp:callback', 5].map(
      (uri): [string, Record<string, unknown>] => [
        'redirect_uris[1] must be an https URI without user name and fragment',
        { redirect_uris: ['https://tpp.example/callback', uri] },
      ],
    ),
    [
      'redirect_uris for web clients using implicit flow MUST only register URLs using the https scheme',
      { redirect_uris: ['http://127.0.0.1:3005/callback'] },
    ],
    ['jwks_uri must be an https URL', { jwks: undefined, jwks_uri: 'http://tpp.example/jwks' }],
    ['jwks_uri must be an https URL', { jwks: undefined, jwks_uri: 'https://*.tpp.example/jwks' }],
    ...[
      'https://*.tpp.example/callback',
      'https://tpp.example;script-src/',
      'https://tpp.example/*',
      'https://tpp_1/',
    ].map((uri): [string, Record<string, unknown>] => [
      'redirect_uris[0] must be an https URI without user name and fragment, of one host and without wildcards',
      { redirect_uris: [uri] },
    ]),
    ...['client_uri', 'logo_uri', 'policy_uri', 'tos_uri'].map((member): [string, Record<string, unknown>] => [
      `${member} must be an http or https URL of one host`,
      { [member]: "https://tpp.example;img-src/'" },
    ]),
    ['application_type must be web', { application_type: 'native' }],
    ['client_secret is not a member that can be registered', { client_secret: 'secret' }],
    ['scope must be a text of openid, accounts, fundsconfirmations', { scope: 'openid payments' }],
    ['request_object_signing_alg must be ', { request_object_signing_alg: 'RS256' }],
    ['request_object_signing_alg must be ', { request_object_signing_alg: 'none' }],
    ['id_token_signed_response_alg must be ', { id_token_signed_response_alg: 'RS256' }],
    ['token_endpoint_auth_signing_alg must be ', { token_endpoint_auth_signing_alg: 'RS256' }],
    ['response_types can only contain ', { response_types: ['token'] }],
    ['grant_types can only contain ', { grant_types: ['password'] }],
  ])('refuses metadata by its path: %s', async (fault, changes) => {
    const metadata = Object.fromEntries(
      Object.entries({ ...good.metadata, ...changes }).filter(([, value]) => value !== undefined),
    );
    expect((await refusal([{ ...good, metadata }])).slice(0, `[0].metadata.${fault}`.length)).toBe(
      `[0].metadata.${fault}`,
    );
  });

  it.each<[Readonly<Record<string, unknown>>]>([
    [{ tls_client_certificate_bound_access_tokens: false }],
    [{ token_endpoint_auth_method: 'client_secret_basic' }],
    [{ token_endpoint_auth_method: 'none' }],
    [{ fapi_profile: '3.0' }],
    [{ jwks: undefined }],
    [{ jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } }],
    [{ token_endpoint_auth_method: 'tls_client_auth', token_endpoint_auth_signing_alg: undefined }],
  ])('refuses metadata with %j', async (changes) => {
    const metadata = Object.fromEntries(
      Object.entries({ ...good.metadata, ...changes }).filter(([, value]) => value !== undefined),
    );
    expect(await refusal([{ ...good, metadata }])).toMatch(/^\[0\]\.metadata[:.]/);
  });

  it('refuses a private key among the public ones', async () => {
    const keys = [{ kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', d: 'AA' }];
    expect(await refusal([{ ...good, metadata: { ...good.metadata, jwks: { keys } } }])).toMatch(/^\[0\]\.metadata/);
  });

  it('refuses two entries of one client', async () => {
    expect(await refusal([good, good])).toBe('[1].clientId occurs in an earlier entry');
  });

  it('takes a plain redirect URI of this machine where browsers are on this machine as well', async () => {
    const metadata = {
      ...good.metadata,
      response_types: ['code'],
      grant_types: ['authorization_code', 'client_credentials'],
      redirect_uris: ['http://localhost:3005/callback'],
    };
    await boot([{ ...good, metadata }]);
    expect((await setting.server.tpps.find('tpp-one'))?.metadata.redirect_uris).toEqual([
      'http://localhost:3005/callback',
    ]);
  });
});
