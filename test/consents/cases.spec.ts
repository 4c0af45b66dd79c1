import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { withdrawalReasons } from '../../src/trail/withdrawal-reasons.js';
import { eventsOf, trailEvents } from '../support/read-trail.js';
import { bankCredential, minuteMs, Stack, type Answer, type Json } from '../support/stack.js';
import { until } from '../support/until.js';
import { WatchedDatabase } from '../support/watched-database.js';

const text = 'Her son called, see file 4711';

describe('a case', () => {
  let stack: Stack;
  let database: WatchedDatabase;
  let [admin, reader, fraudDesk] = ['', '', ''];

  let twoPersons = false;

  beforeEach(async () => {
    database = new WatchedDatabase();
    stack = await Stack.start({ persistence: database.module, config: { twoPersons } });
    admin = await operator('anna', 'admin', bankCredential);
    reader = await operator('rita', 'read');
    fraudDesk = await operator('fred', 'withdraw');
  });
  afterEach(async () => {
    database.failing = false;
    await stack.close();
  });

  const operator = async (name: string, role: string, by = admin): Promise<string> =>
    (await stack.report('/operators', { name, role }, by)).json.Credential;
  const find = (query: string, by = reader): Promise<Answer> => stack.report(`/cases/consents?${query}`, undefined, by);
  const withdraw = (body: object, by = fraudDesk): Promise<Answer> => stack.report('/cases/withdrawals', body, by);
  const timeline = async (consentId: string): Promise<Json> =>
    (await stack.report(`/cases/consents/${consentId}/timeline`, undefined, reader)).json;
  const works = async (token: string): Promise<boolean> => (await stack.ask('/accounts', { token })).status === 200;
  const withdrawals = async (): Promise<string[]> =>
    (await eventsOf(stack.config.trail.directory, 'withdrawal')).map(({ event }) => event);

  it('lists the consents of a customer, newest first, with those that ended or were deleted', async () => {
    const ended = await stack.consent({ persona: 'saver' });
    await stack.report(`/consents/${ended.consentId}/revoke`, {});
    stack.clock.advance(minuteMs);
    const deleted = await stack.consent({ persona: 'saver' });
    await stack.ask(`/account-access-consents/${deleted.consentId}`, {
      method: 'DELETE',
      token: await stack.clientToken(),
    });
    stack.clock.advance(minuteMs);
    const live = await stack.consent({ persona: 'saver' });
    await stack.consent({ persona: 'complete' });
    const { status, json } = await find(`customer=${live.customerRef}`);
    expect(status).toBe(200);
    expect(json.Consents.map(({ ConsentId, Status }: Json) => [ConsentId, Status])).toEqual([
      [live.consentId, 'authorised'],
      [deleted.consentId, 'authorised'],
      [ended.consentId, 'cancelled'],
    ]);
    expect(json.Consents[1].DeletedDateTime).toEqual(expect.any(String));
    const first = await find(`customer=${live.customerRef}&limit=2`);
    const rest = await find(`customer=${live.customerRef}&limit=2&cursor=${first.json.NextCursor}`);
    expect([first.json.Consents.length, rest.json.Consents.length, rest.json.NextCursor]).toEqual([2, 1, undefined]);
  });

  it('lists the consents of an account and of a TPP', async () => {
    const saver = await stack.consent({ persona: 'saver' });
    const complete = await stack.consent({ persona: 'complete' });
    const [account] = stack.persona('saver').accounts;
    const ids = async (query: string): Promise<string[]> =>
      (await find(query)).json.Consents.map(({ ConsentId }: Json) => ConsentId);
    expect(await ids(`account=${account?.ref}`)).toEqual([saver.consentId]);
    expect(await ids('account=unknown')).toEqual([]);
    expect((await ids('tpp=tpp-one')).sort()).toEqual([saver.consentId, complete.consentId].sort());
    expect(await find('tpp=tpp-one&issuer=embedded')).toMatchObject({
      status: 400,
      json: { Errors: [{ Path: 'issuer' }] },
    });
  });

  const wrongQueries = [
    '',
    'customer=a&account=b',
    'customer=a&customer=b',
    'customer=',
    'customer=%00',
    'customer=a&core=b',
    'customer=a&issuer=b',
    'account=a&core=unknown',
    'customer=a&other=b',
    'customer=a&limit=0',
    'customer=a&cursor=x',
  ];
  it('is not found by a query that names no subject or several, or a foreign parameter', async () => {
    for (const query of wrongQueries) expect([query, (await find(query)).status]).toEqual([query, 400]);
  });

  it('ends every consent of a customer at once, and no other, with the reason in the trail and its text in neither log nor trail', async () => {
    const [one, two] = [await stack.consent({ persona: 'saver' }), await stack.consent({ persona: 'saver' })];
    const other = await stack.consent({ persona: 'complete' });
    expect(await Promise.all([one, two, other].map(({ token }) => works(token)))).toEqual([true, true, true]);
    const { status, json } = await withdraw({ customer: one.customerRef, reason: 'fraud', text });
    expect([status, json]).toEqual([
      200,
      {
        WithdrawnDateTime: '2026-06-15T12:00:00+00:00',
        Count: 2,
        Consents: expect.arrayContaining(
          [one, two].map(({ consentId }) => ({
            ConsentId: consentId,
            TppId: 'tpp-one',
            TppIssuer: 'urn:example:sandbox-bank',
          })),
        ),
      },
    ]);
    expect(await Promise.all([one, two, other].map(({ token }) => works(token)))).toEqual([false, false, true]);
    expect(await withdrawals()).toEqual(['consent-revoked', 'consent-revoked']);
    const { directory } = stack.config.trail;
    await until(async () => (await eventsOf(directory, 'consent')).some(({ event }) => event === 'revoked'));
    const ended = (await eventsOf(directory, 'consent')).filter(({ event }) => event === 'revoked');
    expect(ended.map(({ consent, by, reason }) => [consent, by, reason]).sort()).toEqual(
      [one, two].map(({ consentId }) => [consentId, 'operator:fred', 'fraud']).sort(),
    );
    await until(async () =>
      (await eventsOf(directory, 'operator')).some(({ command }) => command === 'withdrawConsents'),
    );
    expect((await eventsOf(directory, 'operator')).at(-1)).toMatchObject({
      command: 'withdrawConsents',
      by: 'operator:fred',
      outcome: 'done',
      reason: 'fraud',
      count: 2,
      target: { customer: expect.stringMatching(/^[\w-]{4}\./) },
    });
    for (const kept of [JSON.stringify(await trailEvents(directory)), stack.log.join('')])
      expect(kept).not.toMatch(/Her son|file 4711/);
    expect(await withdraw({ customer: one.customerRef, reason: 'fraud' })).toMatchObject({
      status: 200,
      json: { Count: 0 },
    });
  });

  it('removes an account from its consents, ends those without another, and notes both in their timelines', async () => {
    const [account, another] = stack.persona('complete').accounts.map(({ ref }) => ref);
    const given = (...accounts: string[]) => stack.consent({ persona: 'complete', accounts });
    const [alone, both, other] = [await given(account!), await given(account!, another!), await given(another!)];
    stack.clock.advance(minuteMs);
    expect((await withdraw({ account, reason: 'other', text })).json.Count).toBe(2);
    expect(await Promise.all([alone, both, other].map(({ token }) => works(token)))).toEqual([false, true, true]);
    const accountIds = (await stack.ask('/accounts', { token: both.token })).json.Data.Account;
    expect(accountIds.map(({ AccountId }: Json) => AccountId)).toEqual(
      other.accounts.map(({ AccountId }) => AccountId),
    );
    const last = async ({ consentId }: { consentId: string }) =>
      (await timeline(consentId)).Events.filter(({ By }: Json) => By === 'operator:fred');
    await until(async () => (await last(alone)).length === 2);
    const noted = { By: 'operator:fred', Reason: 'other', Text: text };
    expect(await last(both)).toEqual([{ DateTime: expect.any(String), Event: 'account-left', ...noted }]);
    expect(await last(alone)).toContainEqual(expect.objectContaining({ Event: 'withdrawn', ...noted }));
  });

  it('ends the consents of a TPP, those that await their customer as well', async () => {
    const saver = await stack.consent({ persona: 'saver' });
    const created = await stack.ask('/account-access-consents', {
      method: 'POST',
      token: await stack.clientToken(),
      payload: { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} },
    });
    const awaiting = created.json.Data.ConsentId as string;
    const polled = async (payload: object = {}): Promise<string[]> => {
      const asked = { method: 'POST', token: await stack.clientToken(), payload };
      return Object.keys((await stack.ask('/open-banking/v3.1/events', asked)).json.sets);
    };
    await polled({ ack: await polled(), maxEvents: 0 });
    const answer = await withdraw({ tpp: 'tpp-one', reason: 'tpp-misconduct', text });
    expect(answer.json).toEqual({ WithdrawnDateTime: expect.any(String), Count: 2 });
    expect(await works(saver.token)).toBe(false);
    expect((await stack.report(`/consents/${awaiting}`)).json.Status).toBe('rejected');
    // They are written after the withdrawal, and without waiting for the minute.
    expect(await polled()).not.toEqual([]);
    for (const id of [saver.consentId, awaiting])
      expect((await timeline(id)).Events).toContainEqual(
        expect.objectContaining({ Event: 'withdrawn', By: 'operator:fred', Reason: 'tpp-misconduct', Text: text }),
      );
  });

  it('may end for each reason of the list', async () => {
    expect(withdrawalReasons).toHaveLength(8);
    for (const reason of withdrawalReasons) {
      const { customerRef } = await stack.consent({ persona: 'saver' });
      const { status, json } = await withdraw({ customer: customerRef, reason, ...(reason === 'other' && { text }) });
      expect([reason, status, json.Count]).toEqual([reason, 200, 1]);
    }
  });

  const wrongBodies: readonly (readonly [string, object])[] = [
    ['an unknown reason', { customer: 'C1', reason: 'whim' }],
    ['no reason', { customer: 'C1' }],
    ['the reason other without a text', { customer: 'C1', reason: 'other' }],
    ['an empty text', { customer: 'C1', reason: 'other', text: '' }],
    ['a text of 1,001 characters', { customer: 'C1', reason: 'other', text: 'a'.repeat(1_001) }],
    ['a text with a line break', { customer: 'C1', reason: 'other', text: 'a\nb' }],
    ['two subjects', { customer: 'C1', account: 'A1', reason: 'fraud' }],
    ['no subject', { reason: 'fraud' }],
    ['a foreign member', { customer: 'C1', reason: 'fraud', all: true }],
  ];
  it('is not ended by a body that breaks a rule', async () => {
    for (const [fault, body] of wrongBodies) expect([fault, (await withdraw(body)).status]).toEqual([fault, 400]);
  });

  it('ends for a customer with many consents, in one statement', async () => {
    const { customerRef, consentId } = await stack.consent({ persona: 'saver' });
    // Prisma's client would take a second to make the statement for 2,000 rows.
    await database.prisma.$executeRaw`
      INSERT INTO consents
      SELECT (jsonb_populate_record(consents, jsonb_build_object('consent_id', 'aac-copy-' || number))).*
      FROM consents CROSS JOIN generate_series(1, 2000) AS number WHERE consent_id = ${consentId}`;
    expect((await withdraw({ customer: customerRef, reason: 'death' })).json.Count).toBe(2_001);
    expect(await database.prisma.consent.count({ where: { customerRef, status: 'authorised' } })).toBe(0);
    expect(await database.prisma.consentWithdrawal.count()).toBe(2_001);
  });

  it('ends nothing where the database fails in the middle, and all once it is asked again', async () => {
    const [one, two] = [await stack.consent({ persona: 'saver' }), await stack.consent({ persona: 'saver' })];
    // The note of the second consent cannot be written: its row is there already.
    const noted = { consentId: two.consentId, withdrawnAt: new Date(stack.clock.nowMs()) };
    await database.prisma.consentWithdrawal.create({ data: { ...noted, withdrawnBy: 'operator:x', reason: 'error' } });
    const failed = await withdraw({ customer: one.customerRef, reason: 'fraud' });
    expect([failed.status, failed.json.Message]).toEqual([503, expect.stringContaining('is not known')]);
    expect(await Promise.all([one, two].map(({ token }) => works(token)))).toEqual([true, true]);
    expect(await database.prisma.consentWithdrawal.count()).toBe(1);
    stack.clock.advance(1);
    expect((await withdraw({ customer: one.customerRef, reason: 'fraud' })).json.Count).toBe(2);
    expect(await Promise.all([one, two].map(({ token }) => works(token)))).toEqual([false, false]);
  });

  it('ends each consent once, when two operators withdraw at once', async () => {
    const { customerRef } = await stack.consent({ persona: 'saver' });
    await stack.consent({ persona: 'saver' });
    const both = await Promise.all([
      withdraw({ customer: customerRef, reason: 'fraud' }),
      withdraw({ customer: customerRef, reason: 'death' }, admin),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both.map(({ json }) => json.Count).reduce((sum, count) => sum + count)).toBe(2);
    expect(await database.prisma.consentWithdrawal.count()).toBe(2);
  });

  it('ends one consent alone, with its event, and none that is unknown', async () => {
    const [one, other] = [await stack.consent({ persona: 'saver' }), await stack.consent({ persona: 'saver' })];
    const { status, json } = await withdraw({ consent: one.consentId, reason: 'fraud' });
    expect([status, json.Count, json.Consents[0].ConsentId]).toEqual([200, 1, one.consentId]);
    expect([await works(one.token), await works(other.token)]).toEqual([false, true]);
    expect((await withdraw({ consent: `${one.consentId}x`, reason: 'fraud' })).status).toBe(400);
    expect((await withdraw({ consent: other.consentId, customer: other.customerRef, reason: 'fraud' })).status).toBe(
      400,
    );
    const acts = async () => (await eventsOf(stack.config.trail.directory, 'operator')).map(({ target }) => target);
    await until(async () => (await acts()).some((target) => target?.consent === one.consentId));
  });

  it('has a timeline: created, given, used, authenticated again, withdrawn by an operator and why', async () => {
    const { consentId, customerRef, token } = await stack.consent({ persona: 'saver' });
    await works(token);
    stack.clock.advance(minuteMs);
    for (let times = 0; times < 2; times += 1) {
      const authenticatedAt = new Date(stack.clock.nowMs()).toISOString();
      await stack.report(`/consents/${consentId}/reauthentications`, { customerRef, authenticatedAt });
      stack.clock.advance(minuteMs);
    }
    await withdraw({ customer: customerRef, reason: 'other', text });
    // The trail alone has the earlier authentication.
    await until(
      async () => (await timeline(consentId)).Events.length === 5 && (await timeline(consentId)).Uses.length > 0,
    );
    const told = await timeline(consentId);
    expect(told.Consent).toMatchObject({ ConsentId: consentId, Status: 'cancelled', CustomerRef: customerRef });
    expect(told.Events.map(({ Event, By, Reason, Text }: Json) => [Event, By, Reason, Text])).toEqual([
      ['created', 'tpp', undefined, undefined],
      ['authorised', 'customer', undefined, undefined],
      ['authenticated', 'customer', undefined, undefined],
      ['authenticated', 'customer', undefined, undefined],
      ['withdrawn', 'operator:fred', 'other', text],
    ]);
    const times = told.Events.map(({ DateTime }: Json) => DateTime);
    expect(times).toEqual(times.toSorted());
    expect(told.Uses).toContainEqual(expect.objectContaining({ Endpoint: 'accounts', Answered: 1 }));
  });

  it('has no timeline by an id that no consent has, or can have', async () => {
    for (const id of ['x', 'aac-00000000-0000-0000-0000-000000000000', '%00', '"kind"']) {
      const answer = await stack.report(`/cases/consents/${encodeURIComponent(id)}/timeline`, undefined, reader);
      expect([id, answer.status]).toEqual([id, 400]);
    }
  });

  it('is for operators with the role, and for no system of the bank', async () => {
    const { customerRef } = await stack.consent({ persona: 'saver' });
    expect((await find(`customer=${customerRef}`, bankCredential)).status).toBe(403);
    for (const by of [bankCredential, reader])
      expect((await withdraw({ customer: customerRef, reason: 'fraud' }, by)).status).toBe(403);
  });

  describe('with TWO_PERSONS', () => {
    const lapsesMs = 120 * minuteMs;
    let second = '';
    let operate = '';
    beforeAll(() => void (twoPersons = true));
    afterAll(() => void (twoPersons = false));
    beforeEach(async () => {
      second = await operator('sue', 'withdraw');
      operate = await operator('otto', 'operate');
    });
    const approve = (id: string, by: string): Promise<Answer> => stack.report(`/cases/proposals/${id}/approve`, {}, by);
    const proposed = async (): Promise<{ id: string; tokens: string[]; customerRef: string }> => {
      const [one, two] = [await stack.consent({ persona: 'saver' }), await stack.consent({ persona: 'saver' })];
      const { status, json } = await withdraw({ customer: one.customerRef, reason: 'fraud', text });
      if (status !== 202) throw new Error(`nothing was proposed: ${status}`);
      return { id: json.ProposalId, tokens: [one.token, two.token], customerRef: one.customerRef };
    };
    const alive = (tokens: readonly string[]): Promise<boolean[]> => Promise.all(tokens.map(works));

    it('ends one consent at once', async () => {
      const { customerRef, token } = await stack.consent({ persona: 'saver' });
      expect((await withdraw({ customer: customerRef, reason: 'fraud' })).status).toBe(200);
      expect(await works(token)).toBe(false);
    });

    it('ends several once another operator approves, those that came after the proposal too', async () => {
      const { id, tokens, customerRef } = await proposed();
      expect(await alive(tokens)).toEqual([true, true]);
      const listed = await stack.report('/cases/proposals', undefined, second);
      expect(listed.json.Proposals).toEqual([
        {
          ProposalId: id,
          Act: 'withdrawal',
          Customer: customerRef,
          Reason: 'fraud',
          Text: text,
          ProposedBy: 'operator:fred',
          ProposedDateTime: '2026-06-15T12:00:00+00:00',
          ExpirationDateTime: '2026-06-15T14:00:00+00:00',
        },
      ]);
      const later = await stack.consent({ persona: 'saver' });
      const { status, json } = await approve(id, second);
      expect([status, json.Withdrawal.Count]).toEqual([200, 3]);
      expect(await alive([...tokens, later.token])).toEqual([false, false, false]);
      expect((await approve(id, second)).status).toBe(404);
      expect((await stack.report('/cases/proposals', undefined, second)).json.Proposals).toEqual([]);
    });

    it('refuses the proposer, another role and the bank, and the trail has the refused acts', async () => {
      const { id, tokens } = await proposed();
      for (const by of [fraudDesk, reader, bankCredential]) expect((await approve(id, by)).status).toBe(403);
      expect((await approve(id, 'wrong')).status).toBe(401);
      expect(await alive(tokens)).toEqual([true, true]);
      const { directory } = stack.config.trail;
      const refused = async () =>
        (await eventsOf(directory, 'operator')).filter(({ command }) => command === 'approveProposal');
      await until(async () => (await refused()).length === 4);
      expect((await refused()).map(({ by, outcome, reason }) => [by, outcome, reason])).toEqual([
        ['operator:fred', 'refused', 'own-proposal'],
        ['operator:rita', 'refused', 'role-missing'],
        ['bank', 'refused', 'role-missing'],
        ['unknown', 'refused', 'credential-wrong'],
      ]);
      expect(JSON.stringify(await trailEvents(directory))).not.toMatch(/Her son|file 4711/);
    });

    it('can be approved in the last millisecond of two hours, and not after', async () => {
      const { id, tokens } = await proposed();
      stack.clock.advance(lapsesMs - 1);
      expect((await approve(id, second)).status).toBe(200);
      const again = await proposed();
      stack.clock.advance(lapsesMs);
      expect((await approve(again.id, second)).status).toBe(404);
      expect((await stack.report('/cases/proposals', undefined, second)).json.Proposals).toEqual([]);
      expect(await database.prisma.proposal.count()).toBe(1);
      // Also where another sweep fails.
      database.before = (statement) =>
        statement.startsWith('DELETE FROM consents') ? Promise.reject(new Error('the database fails')) : undefined;
      await stack.gateway.sweep();
      database.before = () => undefined;
      expect(await database.prisma.proposal.count()).toBe(0);
      expect(tokens).toHaveLength(2);
    });

    it('cannot be approved where it expires during the approval: nothing has ended then', async () => {
      const { id, customerRef } = await proposed();
      // The row goes between the check of the approval and its transaction, as when the proposal expires or another person approves it.
      database.before = (statement) =>
        statement.includes('SELECT consent_id AS id') ? database.prisma.proposal.deleteMany() : undefined;
      expect((await approve(id, second)).status).toBe(404);
      database.before = () => undefined;
      expect(await database.prisma.consent.count({ where: { customerRef, status: 'authorised' } })).toBe(2);
    });

    it('cannot be approved by an operator who is removed during the approval: the proposal waits on', async () => {
      const { id, customerRef } = await proposed();
      database.before = (statement) =>
        statement.includes('SELECT consent_id AS id')
          ? database.prisma.operator.deleteMany({ where: { name: 'sue' } })
          : undefined;
      expect((await approve(id, second)).status).toBe(401);
      database.before = () => undefined;
      expect(await database.prisma.consent.count({ where: { customerRef, status: 'authorised' } })).toBe(2);
      expect((await approve(id, admin)).status).toBe(200);
    });

    it('is approved once, when two operators approve at once', async () => {
      const { id } = await proposed();
      const both = await Promise.all([approve(id, second), approve(id, admin)]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
      expect(await database.prisma.consentWithdrawal.count()).toBe(2);
    });

    it('stays open where the database failed during the approval', async () => {
      const { id, tokens } = await proposed();
      const [consent] = await database.prisma.consent.findMany();
      const noted = { consentId: consent?.consentId ?? '', withdrawnAt: new Date(stack.clock.nowMs()) };
      await database.prisma.consentWithdrawal.create({
        data: { ...noted, withdrawnBy: 'operator:x', reason: 'error' },
      });
      expect((await approve(id, second)).status).toBe(503);
      expect(await alive(tokens)).toEqual([true, true]);
      stack.clock.advance(1);
      expect((await approve(id, second)).status).toBe(200);
      expect(await alive(tokens)).toEqual([false, false]);
    });

    it('proposes the withdrawal of a TPP’s consents whatever their number, and its suspension, which needs the role operate', async () => {
      const { token } = await stack.consent({ persona: 'saver' });
      expect((await withdraw({ tpp: 'tpp-one', reason: 'tpp-misconduct' })).status).toBe(202);
      const { status, json } = await stack.report('/tpps/tpp-one/suspend', {}, operate);
      expect([status, json.Act, json.TppId]).toEqual([202, 'suspension', 'tpp-one']);
      expect(await works(token)).toBe(true);
      expect((await approve(json.ProposalId, second)).status).toBe(403);
      expect((await approve(json.ProposalId, operate)).status).toBe(403);
      expect((await approve(json.ProposalId, admin)).status).toBe(200);
      expect(await works(token)).toBe(false);
      expect((await stack.report('/tpps', undefined, reader)).json.Tpps).toMatchObject([{ Status: 'suspended' }]);
    });

    it('proposes the end of a suspension too', async () => {
      const { token } = await stack.consent({ persona: 'saver' });
      const suspension = await stack.report('/tpps/tpp-one/suspend', {}, operate);
      expect((await approve(suspension.json.ProposalId, admin)).status).toBe(200);
      const { status, json } = await stack.report('/tpps/tpp-one/reinstate', {}, operate);
      expect([status, json.Act, await works(token)]).toEqual([202, 'reinstatement', false]);
      expect((await stack.report('/tpps/tpp-one/reinstate', {}, bankCredential)).status).toBe(403);
      expect((await approve(json.ProposalId, operate)).status).toBe(403);
      expect((await approve(json.ProposalId, admin)).status).toBe(200);
      expect(await works(token)).toBe(true);
      expect((await approve(json.ProposalId, admin)).status).toBe(404);
    });

    it('stays open where the reinstatement fails in the middle', async () => {
      const suspension = await stack.report('/tpps/tpp-one/suspend', {}, operate);
      expect((await approve(suspension.json.ProposalId, admin)).status).toBe(200);
      const { json } = await stack.report('/tpps/tpp-one/reinstate', {}, operate);
      database.before = (statement) =>
        statement === 'tppStanding.updateMany' ? Promise.reject(new Error('the database fails')) : undefined;
      expect((await approve(json.ProposalId, admin)).status).toBe(503);
      database.before = () => undefined;
      expect((await approve(json.ProposalId, admin)).status).toBe(200);
    });

    it('has one proposal for equal ones of one operator', async () => {
      const { id, customerRef } = await proposed();
      const again = await withdraw({ customer: customerRef, reason: 'fraud', text });
      expect([again.status, again.json.ProposalId]).toEqual([202, id]);
      const other = await withdraw({ customer: customerRef, reason: 'customer-request' });
      const ofSecond = await stack.report(
        '/cases/withdrawals',
        { customer: customerRef, reason: 'fraud', text },
        second,
      );
      expect(new Set([id, other.json.ProposalId, ofSecond.json.ProposalId]).size).toBe(3);
      stack.clock.advance(lapsesMs);
      expect((await withdraw({ customer: customerRef, reason: 'fraud', text })).json.ProposalId).not.toBe(id);
    });

    it('leaves no way round the second operator', async () => {
      const { token } = await stack.consent({ persona: 'saver' });
      expect((await stack.report('/tpps/tpp-one/revoke-consents', {}, operate)).status).toBe(403);
      expect(await works(token)).toBe(true);
    });
  });
});
