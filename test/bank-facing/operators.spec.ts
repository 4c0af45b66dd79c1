import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventsOf, trailEvents } from '../support/read-trail.js';
import { until } from '../support/until.js';
import { WatchedDatabase } from '../support/watched-database.js';
import { bankCredential, Stack, type Answer } from '../support/stack.js';

const roles = ['read', 'withdraw', 'operate', 'admin'] as const;

describe('the operators of the bank', () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await Stack.start();
  });
  afterEach(() => stack.close());

  const add = (name: string, role: string, credential = bankCredential): Promise<Answer> =>
    stack.report('/operators', { name, role }, credential);
  const credentialOf = async (name: string, role: string, by?: string): Promise<string> => {
    const { status, json } = await add(name, role, by);
    if (status !== 201) throw new Error(`the operator was not added: ${status}`);
    return json.Credential;
  };
  const remove = (name: string, credential: string) =>
    stack.gateway.bankServer.inject({
      method: 'DELETE',
      url: `/bank/v1/operators/${encodeURIComponent(name)}`,
      headers: { authorization: `Bearer ${credential}` },
    });

  it('begin with an admin, whom the credential of the bank adds, and who adds the others', async () => {
    for (const role of ['read', 'withdraw', 'operate'])
      expect(await add('anna', role)).toMatchObject({ status: 400, json: { Errors: [{ Path: 'role' }] } });
    const anna = await credentialOf('anna', 'admin');
    expect((await add('bert', 'admin')).status).toBe(403);
    const { status, json } = await add('bert', 'read', anna);
    expect([status, json]).toEqual([
      201,
      {
        Name: 'bert',
        Role: 'read',
        AddedDateTime: '2026-06-15T12:00:00+00:00',
        AddedBy: 'operator:anna',
        Credential: expect.stringMatching(/^bert\.[A-Za-z0-9_-]{43}$/),
      },
    ]);
    const listed = await stack.report('/operators', undefined, anna);
    expect(
      listed.json.Operators.map(({ Name, Role, AddedBy }: Record<string, string>) => [Name, Role, AddedBy]),
    ).toEqual([
      ['anna', 'admin', 'bank'],
      ['bert', 'read', 'operator:anna'],
    ]);
    expect(listed.body).not.toContain(anna);
  });

  it('have one first admin, when two are added at once', async () => {
    const statuses = (await Promise.all([add('anna', 'admin'), add('bert', 'admin')])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 403]);
  });

  it('keep an admin, when two admins remove each other at once', async () => {
    const anna = await credentialOf('anna', 'admin');
    const bert = await credentialOf('bert', 'admin', anna);
    await Promise.all([remove('bert', anna), remove('anna', bert)]);
    const left = await Promise.all([anna, bert].map((one) => stack.report('/operators', undefined, one)));
    expect(left.map(({ status }) => status).sort()).toEqual([200, 401]);
    const last = left[0]?.status === 200 ? anna : bert;
    expect((await remove(last.split('.')[0] ?? '', last)).statusCode).toBe(400);
  });

  it('are refused at once when they were removed, and may have their name again with another credential', async () => {
    const anna = await credentialOf('anna', 'admin');
    const bert = await credentialOf('bert', 'read', anna);
    expect((await stack.report('/tpps', undefined, bert)).status).toBe(200);
    expect((await remove('bert', anna)).statusCode).toBe(200);
    expect((await stack.report('/tpps', undefined, bert)).status).toBe(401);
    expect((await remove('bert', anna)).statusCode).toBe(404);
    const again = await credentialOf('bert', 'read', anna);
    expect((await stack.report('/tpps', undefined, bert)).status).toBe(401);
    expect((await stack.report('/tpps', undefined, again)).status).toBe(200);
  });

  it('have unlike names', async () => {
    const anna = await credentialOf('anna', 'admin');
    expect((await add('anna', 'read', anna)).status).toBe(400);
    expect((await stack.report('/operators', undefined, anna)).status).toBe(200);
  });

  const wrongNames = ['', 'Anna', 'a b', 'a:b', '-a', 'a.', 'ä', 'a\u0000', 'a'.repeat(65)];
  it('cannot have an empty name, a long one, or one with a sign of another use', async () => {
    for (const name of wrongNames) expect([name, (await add(name, 'admin')).status]).toEqual([name, 400]);
    const anna = await credentialOf('anna', 'admin');
    for (const name of wrongNames) {
      expect([name, (await add(name, 'read', anna)).status]).toEqual([name, 400]);
      expect([400, 404, 405]).toContain((await remove(name, anna)).statusCode);
    }
  });

  it('may have the longest name', async () => {
    const anna = await credentialOf('a'.repeat(64), 'admin');
    expect((await stack.report('/operators', undefined, anna)).status).toBe(200);
  });

  it('are known by a hash alone', async () => {
    const database = new WatchedDatabase();
    await stack.close();
    stack = await Stack.start({ persistence: database.module });
    const anna = await credentialOf('anna', 'admin');
    const rows = await database.prisma.operator.findMany();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(anna.split('.')[1]);
    expect(stack.log.join('')).not.toContain(anna.split('.')[1]);
  });

  it('are distinguished from a caller with a part of a credential, or with the secret of another operator', async () => {
    const anna = await credentialOf('anna', 'admin');
    const bert = await credentialOf('bert', 'admin', anna);
    const [, secret = ''] = bert.split('.');
    for (const wrong of ['anna', 'anna.', secret, `anna.${secret}`, `${anna}x`, anna.slice(0, -1), `x.${anna}`])
      expect((await stack.report('/operators', undefined, wrong)).status).toBe(401);
  });

  const asked: readonly (readonly [
    string,
    'GET' | 'POST' | 'PUT',
    string,
    (typeof roles)[number] | undefined,
    boolean,
  ])[] = [
    ['read a consent', 'GET', '/consents/x', 'read', true],
    ['list the TPPs', 'GET', '/tpps', 'read', true],
    ['ask the trail', 'GET', '/trail/why/12345678', 'read', true],
    ['authorise a consent', 'POST', '/consents/x/authorise', undefined, true],
    ['reject a consent', 'POST', '/consents/x/reject', undefined, true],
    ['revoke a consent', 'POST', '/consents/x/revoke', undefined, true],
    ['authenticate again', 'POST', '/consents/x/reauthentications', undefined, true],
    ['suspend a TPP', 'POST', '/tpps/x/suspend', 'operate', false],
    ['reinstate a TPP', 'POST', '/tpps/x/reinstate', 'operate', false],
    ['revoke all consents of a TPP', 'POST', '/tpps/x/revoke-consents', 'operate', false],
    ['register a TPP', 'PUT', '/tpps/x', 'operate', false],
    ['rotate the signing keys', 'POST', '/signing-keys/rotate', 'operate', false],
    ['unlock a sign-in', 'POST', '/sign-ins/unlock', 'operate', false],
    ['list the operators', 'GET', '/operators', 'admin', false],
  ];
  it('may do each thing by role alone, once there is an admin', async () => {
    const mayDo = async (by: Readonly<Record<string, string>>, [, method, url]: (typeof asked)[number]) => {
      const allowed: string[] = [];
      for (const [role, credential] of Object.entries(by)) {
        const headers = { authorization: `Bearer ${credential}` };
        const answer = await stack.gateway.bankServer.inject({ method, url: `/bank/v1${url}`, headers });
        if (![401, 403].includes(answer.statusCode)) allowed.push(role);
      }
      return allowed;
    };
    for (const one of asked) expect([one[0], await mayDo({ bank: bankCredential }, one)]).toEqual([one[0], ['bank']]);
    const admin = await credentialOf('anna', 'admin');
    const by: Record<string, string> = { bank: bankCredential };
    for (const role of roles) by[role] = role === 'admin' ? admin : await credentialOf(role, role, admin);
    for (const one of asked) {
      const [act, , , role, ofBank] = one;
      const least = role === undefined ? roles.length : roles.indexOf(role);
      expect([act, await mayDo(by, one)]).toEqual([act, [...(ofBank ? ['bank'] : []), ...roles.slice(least)]]);
    }
  });

  it('are named in the trail, also where their act was refused; a wrong credential has no name', async () => {
    const anna = await credentialOf('anna', 'admin');
    const bert = await credentialOf('bert', 'read', anna);
    await stack.report('/tpps/tpp-one/suspend', {}, bert);
    await stack.report('/tpps/tpp-one/suspend', {}, anna);
    await stack.report('/tpps/tpp-one/suspend', {}, 'wrong');
    const { directory } = stack.config.trail;
    await until(async () => (await eventsOf(directory, 'operator')).length === 5);
    const acts = await eventsOf(directory, 'operator');
    expect(acts.map(({ command, by, outcome, reason, target }) => ({ command, by, outcome, reason, target }))).toEqual([
      { command: 'addOperator', by: 'bank', outcome: 'done', target: { operator: 'anna' } },
      { command: 'addOperator', by: 'operator:anna', outcome: 'done', target: { operator: 'bert' } },
      { command: 'suspendTpp', by: 'operator:bert', outcome: 'refused', reason: 'role-missing', target: {} },
      {
        command: 'suspendTpp',
        by: 'operator:anna',
        outcome: 'done',
        target: { issuer: 'urn:example:sandbox-bank', tpp: 'tpp-one' },
      },
      { command: 'suspendTpp', by: 'unknown', outcome: 'refused', reason: 'credential-wrong', target: {} },
    ]);
    expect(await eventsOf(directory, 'tpp')).toMatchObject([{ event: 'suspended', by: 'operator:anna' }]);
    expect(JSON.stringify(await trailEvents(directory))).not.toContain(anna.split('.')[1]);
  });
});
