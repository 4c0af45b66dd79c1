import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { permissionCodes } from '../../src/open-banking/permissions.js';
import { anyUuid, helpUrl, told } from '../support/error-shape.js';
import { dayMs, minuteMs, noon, Stack, type Answer, type Json } from '../support/stack.js';

const path = '/account-access-consents';
const iso = (ms: number): string => new Date(ms).toISOString();
const invalid = '400 BadRequest';
const format = 'UK.OBIE.Resource.InvalidFormat';
const field = 'UK.OBIE.Field.Invalid';
const date = 'UK.OBIE.Field.InvalidDate';

/** A valid request with other members of `Data`; `undefined` leaves one out. */
const asking = (data: Record<string, unknown> = {}): Record<string, unknown> => ({
  Data: { Permissions: ['ReadAccountsBasic'], ...data },
  Risk: {},
});

describe('POST /account-access-consents', () => {
  let stack: Stack;
  let token: string;
  beforeAll(async () => {
    stack = await Stack.start();
    token = await stack.clientToken();
  });
  afterAll(() => stack.close());

  const post = (payload: unknown): Promise<Answer> =>
    stack.ask(path, { method: 'POST', token, payload, headers: { 'content-type': 'application/json' } });

  it('creates a consent that awaits authorisation, with the complete resource and its address in the answer', async () => {
    const payload = asking({
      Permissions: ['ReadAccountsBasic', 'ReadBalances'],
      ExpirationDateTime: '2026-12-31T23:59:59+01:00',
      TransactionFromDateTime: '2026-01-01T00:00:00Z',
      TransactionToDateTime: '2026-06-15T08:00:00.5-04:00',
    });
    const { status, json, headers } = await post(payload);
    const ConsentId = json.Data.ConsentId as string;
    expect(status).toBe(201);
    expect(ConsentId).toMatch(/^aac-[0-9a-f-]{36}$/);
    const consent = {
      Data: {
        ConsentId,
        CreationDateTime: '2026-06-15T12:00:00+00:00',
        Status: 'AwaitingAuthorisation',
        StatusUpdateDateTime: '2026-06-15T12:00:00+00:00',
        ...(payload['Data'] as object),
      },
      Risk: {},
      Links: { Self: `https://gateway.example/open-banking/v3.1/aisp/account-access-consents/${ConsentId}` },
      Meta: {},
    };
    expect(json).toEqual(consent);
    expect(headers['x-fapi-interaction-id']).toMatch(anyUuid);
    const read = await stack.ask(`${path}/${ConsentId}`, { token });
    expect([read.status, read.json]).toEqual([200, consent]);
  });

  it('omits members that were absent or null', async () => {
    const dates = { ExpirationDateTime: null, TransactionFromDateTime: null, TransactionToDateTime: null };
    for (const payload of [asking(), asking(dates)]) {
      const { status, json } = await post(payload);
      expect([status, Object.keys(json.Data)]).toEqual([
        201,
        ['ConsentId', 'CreationDateTime', 'Status', 'StatusUpdateDateTime', 'Permissions'],
      ]);
    }
  });

  it.each<[string, string, string]>([
    ['with Z', '2026-06-01T10:00:00Z', '2026-06-01T10:00:00Z'],
    ['with an offset', '2026-06-01T10:00:00+05:30', '2026-06-01T10:00:00+05:30'],
    ['with fractions', '2026-06-01T10:00:00.123456-03:00', '2026-06-01T10:00:00.123456-03:00'],
    ['with the offset -00:00, which the standard ruled out', '2026-06-01T10:00:00-00:00', '2026-06-01T10:00:00+00:00'],
    ['without seconds', '2026-06-01T10:00+02:00', '2026-06-01T10:00:00+02:00'],
    ['in basic format', '20260601T100000+0530', '2026-06-01T10:00:00+05:30'],
    ['as an ordinal date', '2026-152T10:00:00Z', '2026-06-01T10:00:00+00:00'],
    ['as a week date', '2026-W23-1T10:00:00+01', '2026-06-01T10:00:00+01:00'],
    ['without a zone', '2026-06-01T10:00:00', '2026-06-01T10:00:00+00:00'],
  ])('understands a date %s and keeps its zone', async (_name, given, shown) => {
    const { status, json } = await post(asking({ TransactionFromDateTime: given }));
    expect([status, json.Data?.TransactionFromDateTime]).toEqual([201, shown]);
  });

  it('accepts Basic together with Detail, and returns a permission that is named twice once, in order of first mention', async () => {
    const Permissions = [
      'ReadBalances',
      'ReadAccountsBasic',
      'ReadBalances',
      'ReadAccountsDetail',
      'ReadAccountsBasic',
    ];
    const once = ['ReadBalances', 'ReadAccountsBasic', 'ReadAccountsDetail'];
    const { status, json } = await post(asking({ Permissions }));
    expect([status, json.Data.Permissions]).toEqual([201, once]);
    const read = await stack.ask(`/account-access-consents/${json.Data.ConsentId}`, {
      token: await stack.clientToken(),
    });
    expect(read.json.Data.Permissions).toEqual(once);
    expect((await stack.report(`/consents/${json.Data.ConsentId}`)).json.Permissions).toEqual(once);
  });

  const accounts = 'ReadAccountsBasic';
  it.each<[string, unknown, ...string[]]>([
    ['no body at all', '', format, ''],
    ['JSON that does not parse', '{"Data":', format, ''],
    ['JSON in single quotes', "{'Data':{}}", format, ''],
    ['null', 'null', format, ''],
    ['an array', '[]', format, ''],
    ['text', '"Data"', format, ''],
    ['a number', '1', format, ''],
    ['JSON in Latin-1', Buffer.from(JSON.stringify(asking({ 'd\u00e9but': 1 })), 'latin1'), format, ''],
    ['arrays without end', '['.repeat(60_000), format, ''],
    ['the key __proto__', `{"__proto__":{"Data":1},${JSON.stringify(asking()).slice(1)}`, format, ''],
    ['a constructor with a prototype', { ...asking(), constructor: { prototype: {} } }, format, ''],
    ['a member without a name', { ...asking(), '': 1 }, format, "['']"],
    ['a member of Data without a name', asking({ '': 1 }), format, "Data['']"],
    ['the unknown member toString', { ...asking(), toString: 1 }, format, 'toString'],
    ['no Data', { Risk: {} }, format, 'Data'],
    ['Data that is null', { Data: null, Risk: {} }, format, 'Data'],
    ['Data that is an array', { Data: [], Risk: {} }, format, 'Data'],
    ['no Risk', { Data: { Permissions: [accounts] } }, format, 'Risk'],
    ['Risk that is null', { ...asking(), Risk: null }, format, 'Risk'],
    ['an unknown member', { ...asking(), Links: {} }, format, 'Links'],
    ['an unknown member of Data', asking({ Extra: 1 }), format, 'Data.Extra'],
    ['an unknown member of Risk', { ...asking(), Risk: { PaymentContext: 'x' } }, format, 'Risk.PaymentContext'],
    ['no Permissions', { Data: {}, Risk: {} }, 'UK.OBIE.Field.Missing', 'Data.Permissions'],
    ['Permissions that are text', asking({ Permissions: accounts }), format, 'Data.Permissions'],
    ['a permission that is a number', asking({ Permissions: [accounts, 7] }), format, 'Data.Permissions[1]'],
    ['no permission', asking({ Permissions: [] }), field, 'Data.Permissions'],
    ['an unknown permission', asking({ Permissions: [accounts, 'ReadAll'] }), field, 'Data.Permissions[1]'],
    ['a permission in other letters', asking({ Permissions: ['readaccountsbasic'] }), field, 'Data.Permissions[0]'],
    ['a permission with a blank', asking({ Permissions: [`${accounts} `] }), field, 'Data.Permissions[0]'],
    ['an empty permission', asking({ Permissions: [accounts, ''] }), field, 'Data.Permissions[1]'],
    ['a name that every object has', asking({ Permissions: [accounts, 'constructor'] }), field, 'Data.Permissions[1]'],
    ['ReadPAN', asking({ Permissions: [accounts, 'ReadPAN'] }), field, 'Data.Permissions[1]'],
    [
      'several refused codes',
      asking({ Permissions: ['ReadPAN', accounts, 'ReadStatementsBasic', 'x'] }),
      field,
      'Data.Permissions[0]',
      field,
      'Data.Permissions[2]',
      field,
      'Data.Permissions[3]',
    ],
    ['neither accounts code', asking({ Permissions: ['ReadBalances'] }), field, 'Data.Permissions'],
    ...['ReadTransactionsBasic', 'ReadTransactionsDetail', 'ReadTransactionsCredits', 'ReadTransactionsDebits'].map(
      (code): [string, unknown, string, string] => [
        `${code} without its partner`,
        asking({ Permissions: [accounts, code] }),
        field,
        'Data.Permissions',
      ],
    ),
    ['a date that is a number', asking({ TransactionFromDateTime: noon }), format, 'Data.TransactionFromDateTime'],
    ...['ExpirationDateTime', 'TransactionFromDateTime', 'TransactionToDateTime'].flatMap((name) =>
      ['', 'soon', '2026-02-30T00:00:00Z', '2026-06-01', '2026-06-01T25:00:00Z', '2026-06-01T10:00:00+99:00'].map(
        (text): [string, unknown, string, string] => [
          `${name} "${text}"`,
          asking({ [name]: text }),
          date,
          `Data.${name}`,
        ],
      ),
    ),
    [
      'From after To',
      asking({ TransactionFromDateTime: iso(noon - dayMs + 1), TransactionToDateTime: iso(noon - dayMs) }),
      date,
      'Data.TransactionFromDateTime',
    ],
    [
      'From after To by their zones only',
      asking({
        TransactionFromDateTime: '2026-06-01T10:00:00-01:00',
        TransactionToDateTime: '2026-06-01T10:00:00+01:00',
      }),
      date,
      'Data.TransactionFromDateTime',
    ],
    [
      'From in the future',
      asking({ TransactionFromDateTime: iso(noon + minuteMs + 1) }),
      date,
      'Data.TransactionFromDateTime',
    ],
    [
      'To in the future',
      asking({ TransactionToDateTime: iso(noon + minuteMs + 1) }),
      date,
      'Data.TransactionToDateTime',
    ],
    ['an expiry that is now', asking({ ExpirationDateTime: iso(noon) }), date, 'Data.ExpirationDateTime'],
    ['an expiry in the past', asking({ ExpirationDateTime: iso(noon - dayMs) }), date, 'Data.ExpirationDateTime'],
  ])('refuses %s', async (_name, payload, ...errors) => {
    expect(told(await post(payload))).toEqual([400, invalid, ...errors]);
  });

  it('reports all faults of a request at once, in the order of the members, each with its Path and its page', async () => {
    const { status, json } = await post({
      Extra: 1,
      Data: {
        TransactionToDateTime: '2027-01-01T00:00:00Z',
        TransactionFromDateTime: 7,
        Other: 1,
        ExpirationDateTime: 'soon',
        Permissions: ['ReadAccontsBasic', 'ReadPAN', 3, 'ReadTransactionsBasic', '<script>'],
      },
    });
    expect([status, json.Errors.map(({ ErrorCode, Path }: Json) => [Path, ErrorCode])]).toEqual([
      400,
      [
        ['Data.Permissions[0]', field],
        ['Data.Permissions[1]', field],
        ['Data.Permissions[2]', format],
        ['Data.Permissions[4]', field],
        ['Data.Permissions', field],
        ['Data.ExpirationDateTime', date],
        ['Data.TransactionFromDateTime', format],
        ['Data.TransactionToDateTime', date],
        ['Data.Other', format],
        ['Risk', format],
        ['Extra', format],
      ],
    ]);
    expect(json.Message).toBe(json.Errors[0].Message);
    expect(json.Errors.map(({ Url }: Json) => Url)).toEqual(json.Errors.map(() => helpUrl));
    expect(json.Errors[5].Url).toMatch(/#field-date$/);
    expect(JSON.stringify(json)).not.toContain('<script>');
  });

  it('reports at most twenty faults of a body', async () => {
    const Permissions = Array.from({ length: 4_000 }, () => 'ReadAcount');
    expect((await post(asking({ Permissions }))).json.Errors).toHaveLength(20);
  });

  it.each([
    ['ReadAccontsBasic', 'ReadAccountsBasic'],
    ['readaccountsdetail', 'ReadAccountsDetail'],
    ['ReadBalance', 'ReadBalances'],
    ['ReadTransactionCredits', 'ReadTransactionsCredits'],
    ['ReadAccountDetails', 'ReadAccountsDetail'],
    ['ReadDirectDebit', 'ReadDirectDebits'],
    ['ReadStandingOrders', 'ReadStandingOrdersBasic'],
  ])('names the code that is nearest to %s', async (code, nearest) => {
    const { json } = await post(asking({ Permissions: [accounts, 'ReadTransactionsDetail', code] }));
    expect(json.Errors[0].Message).toBe(
      `${code} is not a permission code of the standard: ${nearest} is the nearest one.`,
    );
  });

  it.each(['ReadAll', 'ReadPANs', 'x', 'ReadStatementBasics', '"; DROP TABLE', 'a'.repeat(5_000)])(
    'suggests no code for the unrelated text %#, and no code that the bank refuses',
    async (code) => {
      const { json } = await post(asking({ Permissions: [accounts, code] }));
      expect(json.Errors).toHaveLength(1);
      expect(json.Errors[0].Message).toMatch(/^(This|\w{1,40}) is not a permission code of the standard\.$/);
    },
  );

  it.each(['TransactionFromDateTime', 'TransactionToDateTime'])(
    'reports that this bank forbids %s in the future, with the remedy',
    async (name) => {
      const { json } = await post(asking({ [name]: iso(noon + dayMs) }));
      expect(json.Errors[0].Message).toBe(
        `${name} is in the future, which a rule of this bank forbids: omit the member, and the history is open-ended.`,
      );
    },
  );

  it.each([
    ['From a minute ahead of our clock', { TransactionFromDateTime: iso(noon + minuteMs) }],
    ['To a minute ahead of our clock', { TransactionToDateTime: iso(noon + minuteMs) }],
    ['From equal to To', { TransactionFromDateTime: iso(noon), TransactionToDateTime: iso(noon) }],
    [
      'From equal to To in another zone',
      { TransactionFromDateTime: '2026-06-01T10:00:00Z', TransactionToDateTime: '2026-06-01T11:00:00+01:00' },
    ],
    ['From alone', { TransactionFromDateTime: iso(noon - dayMs) }],
    ['To alone', { TransactionToDateTime: iso(noon - dayMs) }],
    ['an expiry one millisecond ahead', { ExpirationDateTime: iso(noon + 1) }],
    ['an expiry in a hundred years', { ExpirationDateTime: '2126-01-01T00:00:00Z' }],
  ])('accepts %s', async (_name, data) => {
    expect((await post(asking(data))).json.Data).toMatchObject(data);
  });

  it('accepts a body of exactly 64 KiB, and refuses one byte more with 413', async () => {
    const padded = (bytes: number): string => JSON.stringify(asking()).padEnd(bytes);
    expect((await post(padded(65_536))).status).toBe(201);
    expect(told(await post(padded(65_537)))).toEqual([413, '413 PayloadTooLarge', format, '']);
  });

  it('is not idempotent, with any idempotency key', async () => {
    const create = async (): Promise<string> =>
      (
        await stack.ask(path, {
          method: 'POST',
          token,
          payload: asking(),
          headers: { 'x-idempotency-key': 'the-same', 'x-jws-signature': 'not..one' },
        })
      ).json.Data.ConsentId;
    expect(await create()).not.toBe(await create());
  });
});

describe.each([
  ['profile-1', ['ReadPAN']],
  ['profile-2', ['ReadPAN', 'ReadStatementsBasic', 'ReadStatementsDetail']],
])('the permission codes in %s', (profile, refused) => {
  it('are all accepted, except those that the specification names, also for an absent endpoint', async () => {
    const stack = await Stack.start({ profile });
    try {
      const token = await stack.clientToken();
      const partner: Record<string, string> = {
        ReadTransactionsBasic: 'ReadTransactionsCredits',
        ReadTransactionsDetail: 'ReadTransactionsDebits',
        ReadTransactionsCredits: 'ReadTransactionsBasic',
        ReadTransactionsDebits: 'ReadTransactionsDetail',
      };
      const answers = new Map<string, unknown>();
      for (const code of permissionCodes) {
        const Permissions = ['ReadAccountsBasic', code, partner[code] ?? code];
        const payload = { Data: { Permissions }, Risk: {} };
        answers.set(code, told(await stack.ask(path, { method: 'POST', token, payload })));
      }
      const refusal = [400, invalid, field, 'Data.Permissions[1]', field, 'Data.Permissions[2]'];
      expect(answers).toEqual(
        new Map(permissionCodes.map((code) => [code, refused.includes(code) ? refusal : [201, ...created]])),
      );
    } finally {
      await stack.close();
    }
  });
});

const created = ['ConsentId', 'CreationDateTime', 'Status', 'StatusUpdateDateTime', 'Permissions'];
