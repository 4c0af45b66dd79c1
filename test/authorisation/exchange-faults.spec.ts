import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DatabaseUnreachable } from '../../src/persistence/postgres-connections.js';
import { WatchedDatabase } from '../support/watched-database.js';
import { AuthorisationSetting, defaultPermissions } from './setting.js';
import { redirectUri, type ApiAnswer, type TestTpp } from './tpp.js';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

const unreachable = new DatabaseUnreachable({ host: 'db.bank.example', port: 5432 }, new Error('of the test'));

describe('a fault of the database in the exchange of a code', () => {
  const database = new WatchedDatabase();
  let setting: AuthorisationSetting;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start({ persistence: database.module });
  });
  afterAll(() => setting.close());

  /** The code of one more authorisation of the consent. */
  async function approved(tpp: TestTpp, consentId: string): Promise<string> {
    const back = await setting.approve(await tpp.begin(consentId), 'saver');
    return new URLSearchParams(back.hash.slice(1)).get('code') ?? '';
  }
  const exchange = (tpp: TestTpp, code: string): Promise<ApiAnswer> =>
    tpp.post('token', { grant_type: 'authorization_code', code, redirect_uri: redirectUri });

  /** Exchanges a code while the database refuses the statement where it comes for the `time`th time. */
  async function disturbed(tpp: TestTpp, code: string, fails?: string, time = 1): Promise<[string[], ApiAnswer]> {
    const heard: string[] = [];
    database.before = (statement) => {
      heard.push(statement);
      const isIt = statement === fails && heard.filter((each) => each === fails).length === time;
      return isIt ? Promise.reject(unreachable) : undefined;
    };
    const answer = await exchange(tpp, code);
    database.before = () => undefined;
    return [heard, answer];
  }
  const reads = async (tpp: TestTpp, token: string): Promise<boolean> =>
    (await tpp.ask('/accounts', token)).status === 200;

  it('leaves the earlier tokens and the code good, at whichever statement it comes', async () => {
    const tpp = await setting.tpp('tpp-one');
    const consentId = await tpp.createConsent(defaultPermissions);
    await exchange(tpp, await approved(tpp, consentId));
    const [statements] = await disturbed(tpp, await approved(tpp, consentId));
    let tokens = (await exchange(tpp, await approved(tpp, consentId))).json as Tokens;
    const failed: string[] = [];
    for (const [index, statement] of statements.entries()) {
      const code = await approved(tpp, consentId);
      const time = statements.slice(0, index + 1).filter((each) => each === statement).length;
      const [, { status, json }] = await disturbed(tpp, code, statement, time);
      if (status === 503) {
        failed.push(statement);
        expect([statement, await reads(tpp, tokens.access_token)]).toEqual([statement, true]);
        expect((await tpp.refresh(tokens.refresh_token)).refresh_token).toBe(tokens.refresh_token);
        const again = (await exchange(tpp, code)).json as Tokens;
        expect([await reads(tpp, tokens.access_token), await reads(tpp, again.access_token)]).toEqual([false, true]);
        tokens = again;
      } else {
        // The exchange did not need the row: one of the last second was there.
        expect([statement, status]).toEqual([statement, 200]);
        tokens = json as Tokens;
      }
    }
    expect(failed).toEqual(
      expect.arrayContaining([
        expect.stringContaining('UPDATE consents SET authorisation_id'),
        'oidcArtefact.updateMany',
        'oidcArtefact.create',
        'commit',
      ]),
    );
  });

  it('does so for a client that gets no refresh tokens, whose code is good once', async () => {
    const grants = ['authorization_code', 'client_credentials', 'implicit'];
    const tpp = await setting.tpp('tpp-without-refresh', { metadata: { grant_types: grants } });
    const code = await approved(tpp, await tpp.createConsent(defaultPermissions));
    const [, { status: broken, headers, json: told }] = await disturbed(tpp, code, 'commit');
    expect([broken, headers.get('retry-after'), told]).toEqual([
      503,
      '5',
      {
        error: 'temporarily_unavailable',
        error_description:
          "the bank's systems cannot answer now. Send the request again after 5 seconds, with a new client assertion if it has one",
      },
    ]);
    const { status, json } = await exchange(tpp, code);
    expect([status, 'refresh_token' in json, await reads(tpp, json.access_token as string)]).toEqual([
      200,
      false,
      true,
    ]);
    expect((await exchange(tpp, code)).status).toBe(400);
    expect(await reads(tpp, json.access_token as string)).toBe(false);
  });

  it('names the gateway where the gateway has the fault, and asks for no second request', async () => {
    const tpp = await setting.tpp('tpp-one');
    const code = await approved(tpp, await tpp.createConsent(defaultPermissions));
    database.before = (statement) => (statement === 'commit' ? Promise.reject(new Error('a bug')) : undefined);
    const { status, headers, json } = await exchange(tpp, code);
    database.before = () => undefined;
    expect([status, headers.get('retry-after'), json]).toEqual([
      500,
      null,
      {
        error: 'server_error',
        error_description: 'the gateway has a fault: report the time of this request to the bank',
      },
    ]);
  });

  it('shows the customer a page that says so, where the TPP cannot be read', async () => {
    const tpp = await setting.tpp('tpp-one');
    const { url } = await tpp.begin(await tpp.createConsent(defaultPermissions));
    database.before = (statement) => (statement.includes('FROM tpps') ? Promise.reject(unreachable) : undefined);
    const { status, html } = await setting.browser().open(url);
    database.before = () => undefined;
    expect([status, html]).toEqual([503, expect.stringContaining('This is not available at the moment')]);
  });
});

describe('a refresh', () => {
  const database = new WatchedDatabase();
  let setting: AuthorisationSetting;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start({ persistence: database.module });
  });
  afterAll(() => setting.close());

  it('makes three statements, without those for rows that each process keeps for a second', async () => {
    const tpp = await setting.tpp('tpp-one');
    const { refreshToken } = await setting.access(tpp, 'saver');
    const heard: string[] = [];
    database.before = (statement) => void heard.push(statement);
    await tpp.refresh(refreshToken);
    database.before = () => undefined;
    const kept = ['tppStanding.findUnique', 'signingKey.findMany', 'FROM tpps'];
    expect(heard.filter((statement) => !kept.some((each) => statement.includes(each)))).toEqual([
      expect.stringContaining('INSERT INTO oidc_artefacts'),
      expect.stringContaining('FROM oidc_artefacts'),
      expect.stringContaining('FROM consents'),
    ]);
  });
});
