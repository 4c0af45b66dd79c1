import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import { allPermissions, base, minuteMs, noon, Stack, type StackOptions } from '../support/stack.js';
import { portOf, sendRaw, type RawAnswer } from '../support/raw-http.js';
import { privateJwk, TokenForge } from '../support/token-forge.js';
import { publicPart } from '../../sandbox/bank/issuer.js';
import { FakeClock } from '../support/fake-clock.js';
import { simpleIssuer } from '../../src/config/issuer-settings.js';
import type { GatewayConfig } from '../../src/config/config.js';
import { until } from '../support/until.js';
import { watched, type AskedRead } from '../support/wrapped-adapter.js';

const issuers = { one: 'https://one.bank.example', two: 'https://two.bank.example' } as const;
type IssuerOf = keyof typeof issuers;
const audience = 'account-information';

interface Given {
  readonly consentId: string;
  readonly token: string;
  /** The customer and the first account. */
  readonly balances: string;
}

/** A listening gateway that accepts the tokens of two issuers, both of which have a client of the same id. */
class TwoIssuers {
  private constructor(
    readonly stack: Stack,
    private readonly folder: string,
    private readonly forges: Readonly<Record<IssuerOf, TokenForge>>,
  ) {}

  static async start(config: Partial<GatewayConfig> = {}, options: StackOptions = {}): Promise<TwoIssuers> {
    const folder = await mkdtemp(join(tmpdir(), 'two-issuers-'));
    const clock = new FakeClock(noon);
    const make = async (of: IssuerOf) => {
      const key = await privateJwk('PS256', of);
      const file = join(folder, `${of}.json`);
      await writeFile(file, JSON.stringify({ keys: [publicPart(key)] }));
      const forge = new TokenForge([key], issuers[of], audience, () => clock.nowMs());
      return { forge, issuer: simpleIssuer(issuers[of], audience, file, 'none') };
    };
    const [one, two] = await Promise.all([make('one'), make('two')]);
    const stack = await Stack.start({ clock, ...options, config: { issuers: [one.issuer, two.issuer], ...config } });
    await stack.gateway.listen();
    return new TwoIssuers(stack, folder, { one: one.forge, two: two.forge });
  }

  async close(): Promise<void> {
    await this.stack.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  token(of: IssuerOf, clientId = 'tpp-x', consentId?: string): Promise<string> {
    const claims = { client_id: clientId, ...(consentId !== undefined && { openbanking_intent_id: consentId }) };
    return this.forges[of].sign({ claims });
  }

  /** Asks the TPPs' listener. */
  async ask(token: string, path: string, method = 'GET', payload?: unknown): Promise<RawAnswer> {
    const content = payload === undefined ? '' : JSON.stringify(payload);
    const head = [
      `${method} ${path.startsWith('/accounts') || path.startsWith('/account-') ? base : ''}${path} HTTP/1.1`,
      'Host: gateway.example',
      `Authorization: Bearer ${token}`,
      'Connection: close',
      ...(payload === undefined
        ? []
        : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`]),
    ];
    return sendRaw(portOf(this.stack.gateway.server), `${head.join('\r\n')}\r\n\r\n${content}`);
  }

  /** A consent of that issuer's TPP, which the customer has approved. */
  async consent(of: IssuerOf, persona = 'saver', clientId = 'tpp-x', agoMs = 0): Promise<Given> {
    const payload = { Data: { Permissions: allPermissions(this.stack.config.profile) }, Risk: {} };
    const created = await this.ask(await this.token(of, clientId), '/account-access-consents', 'POST', payload);
    const { ConsentId: consentId } = created.json.Data as { ConsentId: string };
    const { customerRef, accounts } = this.stack.persona(persona);
    const { json } = await this.stack.report(`/consents/${consentId}/authorise`, {
      customerRef,
      accounts: accounts.map(({ ref }) => ref),
      authenticatedAt: new Date(this.stack.clock.nowMs() - agoMs).toISOString(),
    });
    const token = await this.token(of, clientId, consentId);
    return { consentId, token, balances: `/accounts/${json.Accounts[0].AccountId}/balances` };
  }
}

const consents = '/account-access-consents';
const other: Readonly<Record<IssuerOf, IssuerOf>> = { one: 'two', two: 'one' };

describe('two issuers that gave two TPPs the client id tpp-x', () => {
  let setting: TwoIssuers;
  let given: Readonly<Record<IssuerOf, Given>>;
  beforeAll(async () => {
    setting = await TwoIssuers.start();
    given = { one: await setting.consent('one'), two: await setting.consent('two') };
  });
  afterAll(() => setting.close());

  /** The answer without the texts that differ from request to request. */
  const told = ({ status, json, headers }: RawAnswer): unknown => [
    status,
    JSON.stringify(json ?? null).replace(/"Id":"[^"]*"/, ''),
    headers['www-authenticate'],
  ];

  it('read accounts under their own consents', async () => {
    for (const issuer of ['one', 'two'] as const)
      expect((await setting.ask(given[issuer].token, given[issuer].balances)).status).toBe(200);
  });

  it.each<IssuerOf>(['one', 'two'])(
    'are refused accounts under the consent of the other TPP (%s), as under an unknown consent',
    async (of) => {
      const theirs = await setting.token(of, 'tpp-x', given[other[of]].consentId);
      const unknown = await setting.token(of, 'tpp-x', 'aac-00000000-0000-4000-8000-000000000000');
      for (const path of ['/accounts', given[of].balances]) {
        const answer = await setting.ask(theirs, path);
        expect(answer.status).toBe(401);
        expect(told(answer)).toEqual(told(await setting.ask(unknown, path)));
      }
    },
  );

  it.each(['GET', 'DELETE'])(
    'cannot %s the consent of the other TPP: the answer is that of a TPP with another client id',
    async (method) => {
      const { consentId } = given.one;
      const answer = await setting.ask(await setting.token('two'), `${consents}/${consentId}`, method);
      const stranger = await setting.ask(await setting.token('one', 'tpp-y'), `${consents}/${consentId}`, method);
      expect([answer.status, told(answer)]).toEqual([stranger.status, told(stranger)]);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect((await setting.ask(await setting.token('one'), `${consents}/${consentId}`)).status).toBe(200);
      expect((await setting.ask(given.one.token, '/accounts')).status).toBe(200);
    },
  );

  it('are distinguished in the bank’s lists and in the access records', async () => {
    const { customerRef } = setting.stack.persona('saver');
    const { json } = await setting.stack.report(`/customers/${customerRef}/consents`);
    const listed = json.Consents.map(({ TppId, TppIssuer }: Record<string, string>) => [TppId, TppIssuer]);
    for (const issuer of Object.values(issuers)) expect(listed).toContainEqual(['tpp-x', issuer]);
    const before = setting.stack.log.length;
    await setting.ask(given.two.token, given.two.balances);
    const record = (): string | undefined => setting.stack.log.slice(before).find((line) => line.includes('"access"'));
    await until(() => record() !== undefined);
    expect(JSON.parse(record() ?? '').access).toMatchObject({ tpp: 'tpp-x', issuer: issuers.two });
  });

  it('appear in the labels of the metrics of TPPs alone, each with its issuer', async () => {
    const { body } = await setting.stack.gateway.bankServer.inject({ url: '/metrics' });
    const lines = body.split('\n').filter((line) => line.includes('tpp-x'));
    for (const issuer of Object.values(issuers))
      expect(lines.filter((line) => line.includes(issuer)).join()).toContain('gateway_tpp_requests_total{');
    expect(lines.filter((line) => !/^gateway_(tpp|quota|events)_/.test(line))).toEqual([]);
  });

  describe('for the bank', () => {
    const measure = (verb: string, of?: IssuerOf, clientId = 'tpp-x') =>
      setting.stack.report(
        `/tpps/${clientId}/${verb}${of === undefined ? '' : `?issuer=${encodeURIComponent(issuers[of])}`}`,
        {},
      );
    const statuses = async (): Promise<number[]> => [
      (await setting.ask(given.one.token, '/accounts')).status,
      (await setting.ask(given.two.token, '/accounts')).status,
    ];

    it.each(['suspend', 'reinstate', 'revoke-consents'])(
      'are not changed where %s names the client id alone: the answer lists the configured issuers',
      async (verb) => {
        const { status, json } = await measure(verb);
        expect([status, json.Errors[0]]).toEqual([
          400,
          expect.objectContaining({ Path: 'issuer', ErrorCode: 'field-invalid' }),
        ]);
        expect(json.Errors[0].Message).toContain(`The configured issuers are: ${issuers.one}, ${issuers.two}.`);
        expect(json.Errors[0].Message).toContain('--issuer');
        expect(await statuses()).toEqual([200, 200]);
      },
    );

    it('are suspended and reinstated separately', async () => {
      expect((await measure('suspend', 'two')).json).toMatchObject({
        ClientId: 'tpp-x',
        Issuer: issuers.two,
        Status: 'suspended',
      });
      expect(await statuses()).toEqual([200, 401]);
      const { json } = await setting.stack.report('/tpps');
      const listed = json.Tpps.filter(({ ClientId }: Record<string, string>) => ClientId === 'tpp-x');
      expect(listed).toEqual([{ ClientId: 'tpp-x', Issuer: issuers.two, Status: 'suspended' }]);
      await measure('reinstate', 'two');
      expect(await statuses()).toEqual([200, 200]);
    });

    it('lose their consents separately', async () => {
      const mine = await setting.consent('one', 'saver', 'tpp-z');
      const theirs = await setting.consent('two', 'saver', 'tpp-z');
      await measure('revoke-consents', 'one', 'tpp-z');
      expect((await setting.ask(mine.token, '/accounts')).status).toBe(401);
      expect((await setting.ask(theirs.token, '/accounts')).status).toBe(200);
    });

    it('need their issuer also where only one of them is known', async () => {
      await setting.consent('two', 'saver', 'tpp-alone');
      expect((await measure('suspend', undefined, 'tpp-alone')).status).toBe(400);
      expect((await measure('suspend', 'two', 'tpp-alone')).json).toMatchObject({ Issuer: issuers.two });
    });

    it('may be suspended before they are known, by their issuer', async () => {
      expect((await measure('suspend', undefined, 'tpp-to-come')).status).toBe(400);
      expect((await measure('suspend', 'one', 'tpp-to-come')).status).toBe(200);
      expect((await setting.ask(await setting.token('one', 'tpp-to-come'), `${consents}/x`)).status).toBe(401);
      expect((await setting.ask(await setting.token('two', 'tpp-to-come'), `${consents}/x`)).status).toBe(400);
    });

    it.each(['?issuer=https://unknown.example', '?issuer=', '?issuer=embedded', '?issuer=a&issuer=b', '?isuer=a'])(
      'are not changed by a request with %s',
      async (query) => {
        const { status } = await setting.stack.report(`/tpps/tpp-x/suspend${query}`, {});
        expect(status).toBe(400);
        expect(await statuses()).toEqual([200, 200]);
      },
    );
  });
});

describe('two TPPs of one client id at two issuers', () => {
  let setting: TwoIssuers;
  afterEach(() => setting.close());

  it('have separate rate limits', async () => {
    setting = await TwoIssuers.start({ rateLimits: { requests: { perSecond: 0.001, burst: 2 } } });
    const ask = async (of: IssuerOf): Promise<number> =>
      (await setting.ask(await setting.token(of), `${consents}/aac-unknown`)).status;
    expect([await ask('one'), await ask('one'), await ask('one')]).toEqual([400, 400, 429]);
    expect([await ask('two'), await ask('two'), await ask('two')]).toEqual([400, 400, 429]);
  });

  it('have separate counts of reads without the customer', async () => {
    setting = await TwoIssuers.start({}, { rules: { unattendedAccess: { mode: 'enforce', limit: 1 } } });
    const [mine, theirs] = [
      await setting.consent('one', 'saver', 'tpp-x', 10 * minuteMs),
      await setting.consent('two', 'saver', 'tpp-x', 10 * minuteMs),
    ];
    const read = async ({ token, balances }: Given): Promise<number> => (await setting.ask(token, balances)).status;
    expect([await read(mine), await read(mine)]).toEqual([200, 429]);
    expect([await read(theirs), await read(theirs)]).toEqual([200, 429]);
  });

  describe('at the core', () => {
    let asked: AskedRead[];
    let before: (read: AskedRead) => unknown;
    const start = async (connections: number): Promise<void> => {
      asked = [];
      before = () => undefined;
      const adapter: NonNullable<Parameters<typeof TwoIssuers.start>[1]>['adapter'] = (ledger) =>
        watched(ledger, (read) => {
          asked.push(read);
          return before(read);
        });
      setting = await TwoIssuers.start({}, { adapter, core: { connections } });
    };
    const gate = (): { open: () => void; opened: Promise<void> } => {
      let open = (): void => undefined;
      const opened = new Promise<void>((resolve) => (open = resolve));
      return { open, opened };
    };
    const balances = (): number => asked.filter(({ read }) => read === 'balances').length;

    it('do not share a read that is under way, and each shares its own reads', async () => {
      await start(16);
      const [mine, theirs] = [await setting.consent('one'), await setting.consent('two')];
      expect(mine.balances).toBe(theirs.balances);
      const { open, opened } = gate();
      before = () => opened;
      const answers = [mine, mine, theirs].map(({ token, balances: path }) => setting.ask(token, path));
      await until(() => balances() === 2);
      open();
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(balances()).toBe(2);
    });

    it('wait in separate queues', async () => {
      // One reader may hold one of two connections.
      await start(2);
      const [mine, theirs] = [await setting.consent('one'), await setting.consent('two', 'complete')];
      const { open, opened } = gate();
      const { customerRef } = setting.stack.persona('saver');
      before = (read) => (read.customerRef === customerRef ? opened : undefined);
      const held = setting.ask(mine.token, mine.balances);
      await until(() => balances() === 1);
      const waiting = setting.ask(mine.token, '/accounts');
      expect((await setting.ask(theirs.token, theirs.balances)).status).toBe(200);
      expect(asked.filter(({ read, customerRef: of }) => read === 'accounts' && of === customerRef)).toHaveLength(1);
      open();
      expect([(await held).status, (await waiting).status]).toEqual([200, 200]);
    });

    it('have separate circuits', async () => {
      await start(16);
      const [mine, theirs] = [await setting.consent('one'), await setting.consent('two', 'complete')];
      const { customerRef } = setting.stack.persona('saver');
      before = (read) => {
        if (read.customerRef === customerRef) throw new CoreError('unavailable', 'away', 1);
      };
      for (let read = 0; read < 12; read++) expect((await setting.ask(mine.token, mine.balances)).status).toBe(503);
      const reached = balances();
      before = () => undefined;
      expect(reached).toBeLessThan(12);
      expect((await setting.ask(theirs.token, theirs.balances)).status).toBe(200);
    });
  });
});
