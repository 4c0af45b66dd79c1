import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { v4_0 } from '../../src/versions/v4.0/v4.0.js';
import { trailEvents } from '../support/read-trail.js';
import { until } from '../support/until.js';
import { base, dayMs, Stack, type Answer } from '../support/stack.js';
import { WatchedDatabase } from '../support/watched-database.js';
import { AsksForFunds, debtorOf, gbp } from './asks-for-funds.js';

const errorOf = ({ status, json }: Answer) => [status, json?.Errors[0].ErrorCode];

describe.each([v3_1, v4_0])('confirmation of funds in $name', (version) => {
  const isOld = version === v3_1;
  const word = (old: string, code: string): string => (isOld ? old : code);
  let stack: Stack;
  let tpp: AsksForFunds;
  beforeAll(async () => {
    stack = await Stack.start();
    tpp = new AsksForFunds(stack, version);
  });
  afterAll(() => stack.close());

  describe('a consent', () => {
    it('has the account as the TPP named it, and awaits the customer', async () => {
      const { iban, DebtorAccount } = debtorOf(stack, 'joint');
      const spaced = iban.replace(/(.{4})/g, '$1 ').trim();
      const named = {
        ...DebtorAccount,
        SchemeName: 'UK.OBIE.IBAN',
        Identification: spaced,
        Name: 'GRACE  LINDQVIST',
        SecondaryIdentification: 'roll 7',
        ...(!isOld && { Proxy: { Identification: '+44 7700 900000', Code: 'MBNO' } }),
      };
      const created = await tpp.create({ DebtorAccount: named, ExpirationDateTime: '2026-12-31T10:00:00.999-07:00' });
      expect([created.status, created.json.Data]).toEqual([
        201,
        {
          ConsentId: expect.stringMatching(/^fcc-/),
          CreationDateTime: '2026-06-15T12:00:00+00:00',
          Status: word('AwaitingAuthorisation', 'AWAU'),
          StatusUpdateDateTime: '2026-06-15T12:00:00+00:00',
          ExpirationDateTime: '2026-12-31T10:00:00.999-07:00',
          DebtorAccount: named,
        },
      ]);
      expect((await tpp.of(created.json.Data.ConsentId)).json).toEqual(created.json);
    });

    it.each<[string, object]>([
      ['another name', { Name: 'Grace Lindquist' }],
      ['the number of no account', { Identification: '04000499999999' }],
      ['letters in place of a number', { Identification: 'x' }],
      ['an unknown scheme', { SchemeName: 'UK.OBIE.Paym' }],
      ['a scheme that every object has', { SchemeName: 'constructor' }],
      ['the number of another scheme', { SchemeName: 'UK.OBIE.IBAN' }],
    ])('is refused with %s, in the same words as with any other', async (_fault, over) => {
      const { DebtorAccount } = debtorOf(stack, 'joint');
      const answer = await tpp.create({ DebtorAccount: { ...DebtorAccount, ...over } });
      expect(errorOf(answer)).toEqual([400, word('UK.OBIE.Unsupported.AccountIdentifier', 'U021')]);
      expect(answer.json.Errors[0]).toMatchObject({
        Message:
          'The bank has no account with this SchemeName, Identification and Name for which it confirms funds. It does not say which of them is wrong.',
        Path: 'Data.DebtorAccount',
      });
    });

    it('is refused with the same bytes, whether its account is unknown, malformed or of another name', async () => {
      const { DebtorAccount } = debtorOf(stack, 'joint');
      const answers: unknown[] = [];
      for (const over of [{ Identification: '04000499999999' }, { Identification: 'x' }, { Name: 'Nobody' }]) {
        const { status, headers, json, body } = await tpp.create({ DebtorAccount: { ...DebtorAccount, ...over } });
        const told = [json.Id, headers['x-fapi-interaction-id']].reduce((text, id) => text.replaceAll(id, 'id'), body);
        answers.push([status, Object.keys(headers), headers['content-length'], told]);
      }
      expect(answers).toEqual(Array.from(answers, () => answers[0]));
    });

    it.each([
      '2026-06-16T12:00:00Z',
      '2026-06-16T12:00:00-07:00',
      '2026-06-16T12:00:00.999Z',
      '2026-06-16T12:00:00.999-07:00',
    ])('ends at %s, which it repeats', async (ExpirationDateTime) => {
      const { DebtorAccount } = debtorOf(stack, 'joint');
      const { status, json } = await tpp.create({ DebtorAccount, ExpirationDateTime });
      expect([status, json.Data.ExpirationDateTime]).toEqual([201, ExpirationDateTime]);
    });

    it('is taken and answered as JSON in UTF-8', async () => {
      const { DebtorAccount } = debtorOf(stack, 'joint');
      const answer = await stack.ask(tpp.consents, {
        method: 'POST',
        token: await tpp.clientToken(),
        headers: { 'content-type': 'application/json; charset=utf-8' },
        payload: JSON.stringify({ Data: { DebtorAccount } }),
      });
      expect([answer.status, answer.headers['content-type']]).toEqual([201, 'application/json; charset=utf-8']);
    });

    it('is refused to another TPP', async () => {
      const consentId = await tpp.consented('joint');
      const other = new AsksForFunds(stack, version, 'tpp-two');
      const answers = [await other.of(consentId), await other.of(consentId, 'DELETE')];
      expect(answers.map(({ status }) => status)).toEqual([403, 403]);
      expect((await other.check(consentId, '1.00')).status).toBe(401);
      expect(await tpp.confirms(consentId, '1.00')).toBe(true);
    });

    it('confirms nothing before the customer has approved it, nor after its end', async () => {
      const { DebtorAccount } = debtorOf(stack, 'joint');
      const ExpirationDateTime = '2026-06-16T12:00:00Z';
      const { ConsentId } = (await tpp.create({ DebtorAccount, ExpirationDateTime })).json.Data;
      const refused = [400, word('UK.OBIE.Resource.InvalidConsentStatus', 'U009')];
      expect(errorOf(await tpp.check(ConsentId, '1.00'))).toEqual(refused);
      await tpp.approved(ConsentId, 'joint');
      expect(await tpp.confirms(ConsentId, '1.00')).toBe(true);
      stack.clock.set(stack.clock.nowMs() + dayMs);
      stack.bank.timeMoved();
      expect(errorOf(await tpp.check(ConsentId, '1.00'))).toEqual(refused);
      expect((await tpp.of(ConsentId)).json.Data.Status).toBe(word('Authorised', 'EXPD'));
      stack.clock.set(stack.clock.nowMs() - dayMs);
      stack.bank.timeMoved();
    });

    it('needs no name', async () => {
      const { Name: _, ...DebtorAccount } = debtorOf(stack, 'joint').DebtorAccount;
      expect((await tpp.create({ DebtorAccount })).status).toBe(201);
    });

    it.each<[string, (DebtorAccount: object) => object, string]>([
      ['without an account', () => ({}), 'Data.DebtorAccount'],
      ['with an unknown member', (DebtorAccount) => ({ DebtorAccount, Permissions: [] }), 'Data.Permissions'],
      [
        'that has ended already',
        (DebtorAccount) => ({ DebtorAccount, ExpirationDateTime: '2026-01-01T00:00:00Z' }),
        'Data.ExpirationDateTime',
      ],
      [
        'with too long a name',
        (debtor) => ({ DebtorAccount: { ...debtor, Name: 'x'.repeat(351) } }),
        'Data.DebtorAccount.Name',
      ],
      [
        'with too long a number',
        (debtor) => ({ DebtorAccount: { ...debtor, Identification: '1'.repeat(257) } }),
        'Data.DebtorAccount.Identification',
      ],
    ])('is refused %s', async (_fault, dataOf, path) => {
      const { status, json } = await tpp.create(dataOf(debtorOf(stack, 'joint').DebtorAccount));
      expect([status, json.Errors[0].Path]).toEqual([400, path]);
    });

    it('is deleted by its TPP, and then unknown', async () => {
      const consentId = await tpp.consented('joint');
      expect((await tpp.of(consentId, 'DELETE')).status).toBe(204);
      expect((await tpp.of(consentId)).status).toBe(400);
      expect((await tpp.check(consentId, '1.00')).status).toBe(401);
      for (const unknown of ['fcc-unknown', '42']) expect((await tpp.of(unknown, 'DELETE')).status).toBe(400);
    });

    it('is authorised for the account that the TPP named, and no other', async () => {
      const { DebtorAccount, customerRef, ref } = debtorOf(stack, 'joint');
      const { ConsentId } = (await tpp.create({ DebtorAccount })).json.Data;
      const authenticatedAt = new Date(stack.clock.nowMs()).toISOString();
      const authorise = (accounts: readonly string[]) =>
        stack.report(`/consents/${ConsentId}/authorise`, { customerRef, accounts, authenticatedAt });
      const other = debtorOf(stack, 'joint', 1).ref;
      expect((await authorise([other])).status).toBe(400);
      expect((await authorise([ref, other])).status).toBe(400);
      expect((await authorise([ref])).status).toBe(200);
      expect((await tpp.of(ConsentId)).json.Data.Status).toBe(word('Authorised', 'AUTH'));
    });

    it('that was withdrawn says so, and is not given again', async () => {
      const consentId = await tpp.consented('joint');
      expect((await stack.report(`/consents/${consentId}/revoke`, {})).status).toBe(200);
      expect((await tpp.of(consentId)).json.Data.Status).toBe(word('Revoked', 'CANC'));
      expect(errorOf(await tpp.check(consentId, '1.00'))).toEqual([
        400,
        word('UK.OBIE.Resource.InvalidConsentStatus', 'U009'),
      ]);
      const { customerRef } = debtorOf(stack, 'joint');
      const authenticatedAt = new Date(stack.clock.nowMs() + 1).toISOString();
      const again = await stack.report(`/consents/${consentId}/reauthentications`, { customerRef, authenticatedAt });
      expect(again.status).toBe(400);
    });
  });

  describe('the kinds of consents are kept apart', () => {
    it('for their TPP', async () => {
      const consentId = await tpp.consented('joint');
      const access = await stack.consent({ persona: 'joint' });
      const accountToken = await stack.clientToken();
      expect((await tpp.of(access.consentId)).status).toBe(400);
      expect((await tpp.of(access.consentId, 'DELETE')).status).toBe(400);
      for (const method of ['GET', 'DELETE'])
        expect((await stack.ask(`/account-access-consents/${consentId}`, { method, token: accountToken })).status).toBe(
          400,
        );
      expect((await stack.ask(`${tpp.consents}/${consentId}`, { token: accountToken })).status).toBe(403);
      const fundsToken = await tpp.clientToken();
      expect((await stack.ask(`/account-access-consents/${access.consentId}`, { token: fundsToken })).status).toBe(403);
      expect((await stack.ask('/accounts', { token: access.token })).status).toBe(200);
    });

    it.each(['accounts', 'fundsconfirmations', 'accounts fundsconfirmations'])(
      'also with tokens of the scope %s',
      async (scope) => {
        const [consentId, access] = [await tpp.consented('joint'), await stack.consent({ persona: 'joint' })];
        const mint = (id: string) => stack.bank.mintToken({ clientId: 'tpp-one', consentId: id, scope });
        const [ofFunds, ofAccess] = [await mint(consentId), await mint(access.consentId)];
        const accounts = await stack.ask('/accounts', { token: ofFunds });
        expect(accounts.status).toBe(403);
        const payload = { Data: { ConsentId: access.consentId, Reference: 'r', InstructedAmount: gbp('1.00') } };
        const path = `${version.fundsPath}/funds-confirmations`;
        expect((await stack.ask(path, { method: 'POST', token: ofAccess, payload })).status).toBe(403);
      },
    );
  });

  describe('a check', () => {
    it('repeats what was asked, and says yes or no', async () => {
      const consentId = await tpp.consented('joint');
      const answer = await tpp.check(consentId, '25.00', { Reference: 'Purchase 02' });
      expect([answer.status, answer.json]).toEqual([
        201,
        {
          Data: {
            FundsConfirmationId: expect.stringMatching(/^fc-[0-9a-f-]{36}$/),
            ConsentId: consentId,
            CreationDateTime: '2026-06-15T12:00:00+00:00',
            FundsAvailable: true,
            Reference: 'Purchase 02',
            InstructedAmount: gbp('25.00'),
          },
          Links: { Self: `https://gateway.example${version.fundsPath}/funds-confirmations` },
          Meta: {},
        },
      ]);
    });

    it('is exact to the penny', async () => {
      const consentId = await tpp.consented('joint');
      expect(await tpp.confirms(consentId, '2204.90')).toBe(true);
      expect(await tpp.confirms(consentId, '2204.91')).toBe(false);
    });

    it.each([0, 1, 2])('never confirms a negative balance: account %i of the overdrawn', async (place) => {
      const consentId = await tpp.consented('overdrawn', place);
      for (const amount of ['0.01', '150.33', '500.00']) expect(await tpp.confirms(consentId, amount)).toBe(false);
    });

    it('never confirms a blocked account', async () => {
      const consentId = await tpp.consented('joint');
      const { ref } = debtorOf(stack, 'joint');
      stack.bank.setAccountState(ref, 'not-permitted');
      expect(await tpp.confirms(consentId, '0.01')).toBe(false);
      stack.bank.setAccountState(ref, 'valid');
      expect(await tpp.confirms(consentId, '0.01')).toBe(true);
    });

    it.each<[string, object, readonly [number, string, string]]>([
      [
        'another currency',
        { InstructedAmount: { Amount: '1.00', Currency: 'EUR' } },
        [400, 'Unsupported.Currency', 'U023'],
      ],
      ['no currency', { InstructedAmount: { Amount: '1.00', Currency: 'XXX' } }, [400, 'Unsupported.Currency', 'U023']],
      ['a part of a penny', { InstructedAmount: gbp('1.001') }, [400, 'Field.Invalid', 'U002']],
      ['a sign', { InstructedAmount: gbp('-1.00') }, [400, 'Resource.InvalidFormat', 'U010']],
      ['another consent', { ConsentId: 'fcc-another' }, [400, 'Resource.ConsentMismatch', 'U008']],
      ['an exponent', { InstructedAmount: gbp('1e3') }, [400, 'Resource.InvalidFormat', 'U010']],
      ['more than a penny can say', { InstructedAmount: gbp('9999999999999.99999') }, [400, 'Field.Invalid', 'U002']],
      ['a quoted amount', { InstructedAmount: gbp('"25.001"') }, [400, 'Resource.InvalidFormat', 'U010']],
      ['a number', { InstructedAmount: { Amount: 25, Currency: 'GBP' } }, [400, 'Resource.InvalidFormat', 'U010']],
      ['a list of amounts', { InstructedAmount: [gbp('1.00')] }, [400, 'Resource.InvalidFormat', 'U010']],
      ['no amount', { InstructedAmount: undefined }, [400, 'Resource.InvalidFormat', 'U010']],
      ['no reference', { Reference: undefined }, [400, 'Resource.InvalidFormat', 'U010']],
      ['an empty reference', { Reference: '' }, [400, 'Resource.InvalidFormat', 'U010']],
      ['an unknown member', { FundsAvailable: true }, [400, 'Resource.InvalidFormat', 'U010']],
      ['too long a reference', { Reference: 'x'.repeat(36) }, [400, 'Resource.InvalidFormat', 'U010']],
    ])('is refused with %s', async (_fault, over, [status, old, code]) => {
      const consentId = await tpp.consented('joint');
      expect(errorOf(await tpp.check(consentId, '1.00', over))).toEqual([status, word(`UK.OBIE.${old}`, code)]);
    });

    it('is refused with the id of another consent of the same customer', async () => {
      const [consentId, another] = [await tpp.consented('joint'), await tpp.consented('joint')];
      expect(errorOf(await tpp.check(consentId, '1.00', { ConsentId: another }))).toEqual([
        400,
        word('UK.OBIE.Resource.ConsentMismatch', 'U008'),
      ]);
    });

    it.each(['0', '0.00'])('of %s is answered', async (amount) => {
      expect(await tpp.confirms(await tpp.consented('joint'), amount)).toBe(true);
    });

    it('takes each reference once under a consent, and again where it could not be answered', async () => {
      const [first, second] = [await tpp.consented('joint'), await tpp.consented('joint')];
      const Reference = 'once';
      const refused = await tpp.check(first, '1.00', {
        Reference,
        InstructedAmount: { Amount: '1.00', Currency: 'EUR' },
      });
      expect(refused.status).toBe(400);
      expect((await tpp.check(first, '1.00', { Reference })).status).toBe(201);
      expect(errorOf(await tpp.check(first, '2.00', { Reference }))).toEqual([
        400,
        word('UK.OBIE.Rules.DuplicateReference', 'U013'),
      ]);
      expect((await tpp.check(second, '1.00', { Reference })).status).toBe(201);
    });

    it('is answered for one of many requests at once with the same reference', async () => {
      const consentId = await tpp.consented('joint');
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => tpp.check(consentId, '1.00', { Reference: 'together' })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 400)]);
    });

    it('needs neither a customer nor a recent authentication', async () => {
      const consentId = await tpp.consented('joint');
      stack.clock.set(stack.clock.nowMs() + 100 * dayMs);
      stack.bank.timeMoved();
      for (let count = 0; count < 6; count++) expect((await tpp.check(consentId, '1.00')).status).toBe(201);
      stack.clock.set(stack.clock.nowMs() - 100 * dayMs);
      stack.bank.timeMoved();
    });
  });

  it('leaves in the trail that a check was asked and answered, and neither the amount nor the account', async () => {
    const consentId = await tpp.consented('joint');
    await tpp.check(consentId, '1234.56', { Reference: 'kept secret' });
    let asked: object | undefined;
    await until(async () => {
      const events = await trailEvents(stack.config.trail.directory);
      asked = events.find(
        (event) => 'endpoint' in event && event.endpoint === 'funds-confirmations' && event.consent === consentId,
      );
      return asked !== undefined;
    });
    expect(asked).toMatchObject({
      endpoint: 'funds-confirmations',
      status: 201,
      tpp: 'tpp-one',
      apiVersion: version.name,
    });
    expect(asked).not.toHaveProperty('account');
    expect(asked).not.toHaveProperty('facts');
    expect(JSON.stringify(asked)).not.toMatch(/1234\.56|kept secret/);
  });
});

describe('a consent for confirmation of funds', () => {
  it('of v3.1 works unchanged in v4.0, and one of v4.0 is refused in v3.1', async () => {
    const stack = await Stack.start();
    try {
      const [older, newer] = [new AsksForFunds(stack, v3_1), new AsksForFunds(stack, v4_0)];
      const [ofOlder, ofNewer] = [await older.consented('joint'), await newer.consented('joint')];
      const data = async (tpp: AsksForFunds) => (await tpp.of(ofOlder)).json.Data;
      const { Status, ...details } = await data(older);
      expect(Status).toBe('Authorised');
      expect(await data(newer)).toMatchObject({ ...details, Status: 'AUTH' });
      expect(await newer.confirms(ofOlder, '1.00')).toBe(true);
      expect((await newer.of(ofOlder, 'DELETE')).status).toBe(204);
      for (const answer of [
        await older.of(ofNewer),
        await older.of(ofNewer, 'DELETE'),
        await older.check(ofNewer, '1.00'),
      ])
        expect(errorOf(answer)).toEqual([403, 'UK.OBIE.Resource.ConsentMismatch']);
      expect(await newer.confirms(ofNewer, '1.00')).toBe(true);
    } finally {
      await stack.close();
    }
  });
});

describe('a bank that confirms no funds', () => {
  it('has none of the paths', async () => {
    const stack = await Stack.start({ rules: { timeZone: 'Europe/London' } });
    try {
      const token = await stack.clientToken();
      for (const version of [v3_1, v4_0])
        for (const path of ['funds-confirmation-consents', 'funds-confirmations'])
          expect((await stack.ask(`${version.fundsPath}/${path}`, { method: 'POST', token, payload: {} })).status).toBe(
            404,
          );
      expect((await stack.ask(`${base}/accounts`, { token })).status).toBe(401);
    } finally {
      await stack.close();
    }
  });
});

describe('the existence of an account', () => {
  it('shows neither in the answer to a consent nor in the work for it: the same reads and statements follow each refusal', async () => {
    const database = new WatchedDatabase();
    const reads: string[] = [];
    const stack = await Stack.start({
      persistence: database.module,
      adapter: (ledger) =>
        new Proxy(ledger, {
          get: (target, name) => {
            const value: unknown = Reflect.get(target, name);
            if (typeof value !== 'function') return value;
            return (...given: unknown[]): unknown => {
              reads.push(String(name));
              return value.apply(target, given);
            };
          },
        }),
    });
    try {
      const tpp = new AsksForFunds(stack);
      const { DebtorAccount } = debtorOf(stack, 'joint');
      const foreign = debtorOf(stack, 'saver').DebtorAccount;
      const workFor = async (over: object) => {
        const token = await tpp.clientToken();
        for (const noted of [reads, database.statements]) noted.length = 0;
        const asked = { method: 'POST', token, payload: { Data: { DebtorAccount: { ...DebtorAccount, ...over } } } };
        const { status } = await stack.ask(tpp.consents, asked);
        // The gateway may read a row again that it keeps for a second.
        const statements = database.statements.filter((statement) => /consent/i.test(statement));
        return { status, reads: [...reads], statements };
      };
      const search = ['findPaymentAccount'];
      expect(await workFor({})).toEqual({ status: 201, reads: search, statements: ['consent.create'] });
      const refused = await workFor({ Identification: '04000499999999' });
      expect(refused).toEqual({ status: 400, reads: search, statements: [] });
      for (const over of [{ Name: 'Nobody' }, { Identification: foreign.Identification }])
        expect(await workFor(over)).toEqual(refused);
    } finally {
      await stack.close();
    }
  });
});

describe('an account name', () => {
  it('is not compared where the profile says so', async () => {
    const fundsConfirmation = { countOverdraft: true, name: 'not-compared' } as const;
    const stack = await Stack.start({ rules: { fundsConfirmation } });
    try {
      const tpp = new AsksForFunds(stack);
      const { DebtorAccount } = debtorOf(stack, 'overdrawn');
      expect((await tpp.create({ DebtorAccount: { ...DebtorAccount, Name: 'Nobody' } })).status).toBe(201);
      // 150.33 overdrawn, 18.90 held, 500.00 arranged.
      const consentId = await tpp.consented('overdrawn');
      expect(await tpp.confirms(consentId, '300.00')).toBe(true);
      expect(await tpp.confirms(consentId, '350.00')).toBe(false);
    } finally {
      await stack.close();
    }
  });
});
