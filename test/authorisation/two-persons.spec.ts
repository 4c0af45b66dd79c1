import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readOperatorAddress } from '../../src/config/bank-address.js';
import { opsCommand } from '../support/ops-command.js';
import { portOf } from '../support/raw-http.js';
import { bankCredential } from '../support/stack.js';
import { temporaryFile } from '../support/temporary-file.js';
import { WatchedDatabase } from '../support/watched-database.js';
import { AuthorisationSetting } from './setting.js';
import type { TestTpp } from './tpp.js';

describe('with TWO_PERSONS, the metadata of a registered TPP', () => {
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  let thief: TestTpp;
  let operators: string[];
  const database = new WatchedDatabase();
  beforeEach(async () => {
    setting = await AuthorisationSetting.start({ persistence: database.module, config: { twoPersons: true } });
    const add = async (name: string, role: string, by: string): Promise<string> =>
      (await setting.stack.report('/operators', { name, role }, by)).json.Credential;
    const admin = await add('anna', 'admin', bankCredential);
    operators = [await add('otto', 'operate', admin), await add('olga', 'operate', admin)];
    tpp = await setting.stranger('tpp-two');
    thief = await setting.stranger('tpp-thief');
  });
  afterEach(() => setting.close());

  const put = async (by: string, { registration }: TestTpp, changes: object = {}) => {
    const { name, metadata } = registration;
    const { client_id: _own, ...theirs } = metadata as Record<string, unknown>;
    const answer = await setting.stack.gateway.bankServer.inject({
      method: 'PUT',
      url: '/bank/v1/tpps/tpp-two',
      headers: { authorization: `Bearer ${by}` },
      payload: { name, metadata: { ...theirs, ...changes } },
    });
    return { status: answer.statusCode, json: answer.json() };
  };
  const approve = (id: string, by: string) => setting.stack.report(`/cases/proposals/${id}/approve`, {}, by);
  const works = (client: TestTpp): Promise<boolean> =>
    client.ownToken().then(
      () => true,
      () => false,
    );

  it('needs a second operator where it changes, and shows that operator what it would be', async () => {
    const [otto = '', olga = ''] = operators;
    expect((await put(otto, tpp)).status).toBe(200);
    expect((await put(otto, { registration: { ...tpp.registration, name: 'Renamed' } } as TestTpp)).status).toBe(200);
    const { status, json } = await put(otto, thief);
    expect([status, json.Act, json.Registration]).toEqual([
      202,
      'registration',
      expect.objectContaining({ clientId: 'tpp-two', metadata: expect.objectContaining({ jwks: expect.anything() }) }),
    ]);
    expect((await put(otto, thief)).json.ProposalId).toBe(json.ProposalId);
    expect((await put(otto, tpp, { redirect_uris: ['https://thief.example/back'] })).status).toBe(202);
    expect(await works(tpp)).toBe(true);
    expect((await approve(json.ProposalId, otto)).status).toBe(403);
    // The approval fails as a whole, so the proposal waits on.
    database.before = (statement) =>
      statement === 'tpp.upsert' ? Promise.reject(new Error('the database fails')) : undefined;
    expect((await approve(json.ProposalId, olga)).status).toBe(503);
    database.before = () => undefined;
    expect((await approve(json.ProposalId, olga)).status).toBe(200);
    expect([await works(tpp), await works(thief.as('tpp-two'))]).toEqual([false, true]);
  });

  it('is only proposed by `tpps add`, which says so where a later entry of the file is refused', async () => {
    const [OPERATOR_CREDENTIAL = ''] = operators;
    expect((await put(OPERATOR_CREDENTIAL, tpp)).status).toBe(200);
    const { clientId, name, metadata } = (await setting.stranger('tpp-new')).registration;
    const newTpp = { clientId, name, metadata };
    const changed = {
      ...newTpp,
      clientId: 'tpp-two',
      metadata: { ...metadata, client_id: 'tpp-two', redirect_uris: ['https://new.example/back'] },
    };
    const path = await temporaryFile(
      'tpps.json',
      JSON.stringify([newTpp, changed, { ...newTpp, clientId: 'tpp-wrong', name: 5 }]),
    );
    const BANK_PORT = String(portOf(setting.stack.gateway.bankServer));
    const operator = () => readOperatorAddress({ BANK_PORT, OPERATOR_CREDENTIAL });
    const { code, told } = await opsCommand(['tpps', 'add', path], { operator });
    expect([code, told]).toEqual([
      1,
      [
        expect.stringMatching(
          /\[2\] tpp-wrong: name .*; before it: 1 registered, 1 waiting for another operator \(see `cases proposals`\)$/,
        ),
      ],
    ]);
  });
});
