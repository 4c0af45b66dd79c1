import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, fetch as fetchBy } from 'undici';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import type { Certified } from '../support/certificates.js';
import { administer, postgresUrl } from '../support/fresh-database.js';
import { rendered, settingsOf, workloads } from '../support/kubernetes.js';
import { profileFile } from '../support/profile-file.js';
import { rootRecords, trailEvents, trailFiles } from '../support/read-trail.js';
import { realNowMs } from '../support/real-time.js';
import { runRoles } from '../support/roles.js';
import { until } from '../support/until.js';
import { startBank } from './gateway-process.js';
import { Rehearsal, Service, type Pod } from './pods.js';

const api = v3_1.basePath;
const serverUrl = postgresUrl ?? '';

/** A TPP with a certificate, and the bank with its credential. */
class Caller {
  private readonly agent: Agent;
  readonly certified: Certified;

  constructor(
    readonly rehearsal: Rehearsal,
    private readonly bank: SandboxBank,
  ) {
    this.certified = rehearsal.authority.issue('tpp');
    const { certificatePem: cert, keyPem: key } = this.certified;
    this.agent = new Agent({ connect: { ca: rehearsal.authority.certificatePem, cert, key } });
  }

  token(consentId?: string): Promise<string> {
    const cnf = { 'x5t#S256': this.certified.thumbprint };
    return this.bank.mintToken({ clientId: 'tpp-one', cnf, ...(consentId !== undefined && { consentId }) });
  }

  async ask(
    port: number,
    path: string,
    token: string,
    body?: object,
  ): Promise<{ status: number; text: string; json: unknown }> {
    const answer = await fetchBy(`https://127.0.0.1:${port}${path}`, {
      dispatcher: this.agent,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, text, json: text.startsWith('{') ? JSON.parse(text) : undefined };
  }

  /** A consent that a customer with many transactions has given. */
  async consent(port: number, bankPort: number): Promise<string> {
    const Permissions = [
      'ReadAccountsBasic',
      'ReadTransactionsBasic',
      'ReadTransactionsCredits',
      'ReadTransactionsDebits',
    ];
    const created = await this.ask(port, `${api}/account-access-consents`, await this.token(), {
      Data: { Permissions },
      Risk: {},
    });
    const { ConsentId } = (created.json as { Data: { ConsentId: string } }).Data;
    const persona = this.bank.personas.find(({ name }) => name === 'complete');
    const given = await this.ask(
      bankPort,
      `/bank/v1/consents/${ConsentId}/authorise`,
      this.rehearsal.secrets['BANK_CREDENTIAL'] ?? '',
      {
        customerRef: persona?.person.key,
        accounts: persona?.accounts.map(({ acct }) => acct.key),
        authenticatedAt: new Date(realNowMs()).toISOString(),
      },
    );
    expect(given.status).toBe(200);
    return ConsentId;
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }
}

/** One database with the schemas and the roles of brands. */
class Database {
  readonly name = `test_${randomBytes(6).toString('hex')}`;
  private readonly password = randomBytes(16).toString('hex');
  private readonly brands: string[] = [];

  async add(brand: string): Promise<void> {
    const name = `${this.name}_${brand}`;
    if (this.brands.length === 0) await administer(serverUrl, `CREATE DATABASE ${this.name}`);
    this.brands.push(name);
    await runRoles(this.url(), { schema: name, prefix: name });
    const roles = ['owner', 'serving'].map((role) => `ALTER ROLE ${name}_${role} PASSWORD '${this.password}';`);
    await administer(serverUrl, roles.join(''));
  }

  /** As the superuser, or as a role of a brand. */
  url(brand?: string, role?: 'owner' | 'serving', schema = brand): string {
    const url = new URL(serverUrl);
    url.pathname = this.name;
    if (brand !== undefined) [url.username, url.password] = [`${this.name}_${brand}_${role}`, this.password];
    if (schema !== undefined) url.searchParams.set('schema', `${this.name}_${schema}`);
    return url.href;
  }

  async grant(brand: string): Promise<void> {
    const url = new URL(this.url(brand, 'owner'));
    url.search = '';
    await runRoles(url.href, { schema: `${this.name}_${brand}`, prefix: `${this.name}_${brand}` });
  }

  async drop(): Promise<void> {
    await administer(serverUrl, `DROP DATABASE ${this.name} WITH (FORCE)`);
    const roles = this.brands.flatMap((name) => ['owner', 'serving', 'maintenance'].map((role) => `${name}_${role}`));
    await administer(serverUrl, `DROP ROLE ${roles.join(', ')}`);
  }
}

async function rehearse(
  overlay: string,
  namespace: string,
  database: Database,
  brand: string,
  changed: Readonly<Record<string, string>>,
): Promise<Rehearsal> {
  await database.add(brand);
  const rehearsal = await Rehearsal.of(rendered(overlay), namespace, database.url(brand, 'serving'), changed);
  expect(await rehearsal.migrated(database.url(brand, 'owner'))).toBe(0);
  await database.grant(brand);
  return rehearsal;
}

/** The bank's systems that run here, in the place of the example hosts. */
const ownIssuer = (bank: SandboxBank) => ({
  CORE_URL: bank.coreUrl,
  TOKEN_ISSUER: bank.issuer,
  TOKEN_AUDIENCE: bank.audience,
  TOKEN_JWKS: bank.jwksUrl,
});

describe('the StatefulSet of a bank with its own issuer', () => {
  const database = new Database();
  const pods: Pod[] = [];
  let bank: SandboxBank;
  let rehearsal: Rehearsal;
  beforeAll(async () => {
    bank = await startBank();
    rehearsal = await rehearse('own-issuer', 'account-information', database, 'bank', {
      ...ownIssuer(bank),
      // One TPP makes all the load, and a slow core on a busy machine is no fault here.
      TPP_REQUESTS_PER_SECOND: '0',
      CORE_DEADLINE_MS: '15000',
    });
  });
  afterAll(async () => {
    for (const pod of pods) await pod.kill();
    await rehearsal.remove();
    await database.drop();
    await bank.close();
  });

  const start = async (number: number): Promise<Pod> => {
    const pod = await rehearsal.pod(number);
    pods.push(pod);
    await pod.isReady();
    return pod;
  };

  it('is replaced pod by pod, the next once the new one is ready, and no request fails', async () => {
    const old = [await start(0), await start(1)];
    const service = await Service.before(pods);
    const tpps = [1, 2, 3, 4].map(() => new Caller(rehearsal, bank));
    const statuses: unknown[] = [];
    let over = false;
    const read = async (tpp: Caller): Promise<void> => {
      const consentId = await tpp.consent(service.port, old[0]?.bankPort ?? 0);
      const [client, token] = [await tpp.token(), await tpp.token(consentId)];
      for (let turn = 0; !over; turn++) {
        const answer =
          turn % 5 === 0
            ? tpp.ask(service.port, `${api}/account-access-consents`, client, {
                Data: { Permissions: ['ReadAccountsBasic'] },
                Risk: {},
              })
            : tpp.ask(service.port, `${api}/accounts`, token);
        statuses.push(
          await answer.then(
            ({ status }) => status,
            (error: unknown) => String((error as Error).cause ?? error),
          ),
        );
      }
    };
    const load = Promise.all(tpps.map(read));
    try {
      for (const [number, pod] of old.entries()) {
        expect(await pod.stop()).toBe(0);
        await start(number);
      }
    } finally {
      over = true;
      await load;
      await service.close();
      for (const tpp of tpps) await tpp.close();
    }
    expect(statuses.length).toBeGreaterThan(100);
    expect([...new Set(statuses)].sort()).toEqual([200, 201]);
  });

  it('gives each pod a separate folder in the trail, and the next pod of a name roots the segments of a killed one there', async () => {
    const folder = join(rehearsal.trail, 'gateway-2');
    const killed = await start(2);
    // A file without a whole line has no event, and is removed.
    await until(async () => (await trailEvents(folder)).length > 0);
    await killed.kill();
    const [left] = await trailFiles(folder);
    expect(left?.state).toBe('open');
    // Another pod never touches it.
    const other = await start(3);
    expect(await trailFiles(folder)).toEqual([left]);
    expect((await readdir(rehearsal.trail)).sort()).toEqual(expect.arrayContaining(['gateway-2', 'gateway-3']));
    const next = await start(2);
    await until(async () => (await rootRecords(folder)).length > 0);
    expect(await rootRecords(folder)).toMatchObject([{ segment: left?.segment, closed: 'recovered' }]);
    for (const pod of [other, next]) expect(await pod.stop()).toBe(0);
  });
});

describe('two brands on one PostgreSQL', () => {
  const database = new Database();
  const brands = ['a', 'b'] as const;
  const pods: Pod[] = [];
  const rehearsals: Rehearsal[] = [];
  const callers: Caller[] = [];
  let folder: string;
  let bank: SandboxBank;
  /** The profile of a brand’s files, with pages so small that a customer of the sandbox has several. */
  async function withSmallPages(namespace: string): Promise<string> {
    const resources = rendered('two-brands');
    const own = workloads(resources).find(
      ({ kind, metadata }) => kind === 'StatefulSet' && metadata.namespace === namespace,
    );
    return profileFile(folder, { pageSize: 25 }, own && settingsOf(resources, own)['PROFILE']);
  }
  beforeAll(async () => {
    bank = await startBank();
    folder = await mkdtemp(join(tmpdir(), 'brands-'));
    for (const brand of brands) {
      // One issuer and one core for both: schema, keys and credentials alone part them.
      const PROFILE = await withSmallPages(`brand-${brand}`);
      const changed = { ...ownIssuer(bank), AUTHORISATION_SERVER: 'none', PROFILE };
      const rehearsal = await rehearse('two-brands', `brand-${brand}`, database, brand, changed);
      rehearsals.push(rehearsal);
      callers.push(new Caller(rehearsal, bank));
      const pod = await rehearsal.pod(0);
      pods.push(pod);
      await pod.isReady();
    }
  });
  afterAll(async () => {
    for (const caller of callers) await caller.close();
    for (const pod of pods) await pod.kill();
    for (const rehearsal of rehearsals) await rehearsal.remove();
    await database.drop();
    await bank.close();
    await rm(folder, { recursive: true });
  });

  it('share no secret, and serve the profile that each has', async () => {
    const [first = {}, second = {}] = rehearsals.map(({ secrets }) => secrets);
    expect(Object.keys(first)).toEqual(Object.keys(second));
    for (const [name, secret] of Object.entries(first)) expect(second[name]).not.toBe(secret);
    const profiles = await Promise.all(
      pods.map(async ({ bankPort }, index) => (await callers[index]!.ask(bankPort, '/metrics', 'none')).text),
    );
    expect(profiles.map((text) => /gateway_build_info\{.*profile="([^"]+)"/.exec(text)?.[1])).toEqual([
      'profile-1',
      'profile-2',
    ]);
  });

  it.each([
    ['a', 'b'],
    ['b', 'a'],
  ] as const)(
    'brand %s’s token, consent, account, cursor and credential are worth nothing at brand %s',
    async (mine, other) => {
      const [home, away] = [brands.indexOf(mine), brands.indexOf(other)];
      const [atHome, atOther] = [pods[home]!, pods[away]!];
      const caller = callers[home]!;
      // The TPP's certificate is accepted at both: with the other brand's authority only TLS would refuse it.
      const visitor = new Caller(rehearsals[away]!, bank);
      callers.push(visitor);
      const consentId = await caller.consent(atHome.port, atHome.bankPort);
      const token = await caller.token(consentId);
      const first = await caller.ask(atHome.port, `${api}/accounts`, token);
      expect(first.status).toBe(200);
      const { AccountId } = (first.json as { Data: { Account: { AccountId: string }[] } }).Data.Account[0]!;
      const rows = await caller.ask(atHome.port, `${api}/accounts/${AccountId}/transactions`, token);
      const { Next = '' } = (rows.json as { Links: { Next?: string } }).Links;
      expect(Next).not.toBe('');
      const nextPage = new URL(Next);
      expect((await caller.ask(atHome.port, nextPage.pathname + nextPage.search, token)).status).toBe(200);

      // The other brand's TPP of the same name, with the token's consent bound to its certificate.
      const stolen = await visitor.token(consentId);
      for (const path of ['/accounts', `/accounts/${AccountId}`])
        expect([path, (await visitor.ask(atOther.port, api + path, stolen)).status]).toEqual([path, 401]);
      expect((await visitor.ask(atOther.port, `${api}/accounts`, token)).status).toBe(401);
      const client = await visitor.token();
      expect((await visitor.ask(atOther.port, `${api}/account-access-consents/${consentId}`, client)).status).toBe(400);

      // With a consent that the same customer gave at the other brand, for the same accounts of the same core.
      const theirs = await visitor.token(await visitor.consent(atOther.port, atOther.bankPort));
      const listed = await visitor.ask(atOther.port, `${api}/accounts`, theirs);
      const ids = (listed.json as { Data: { Account: { AccountId: string }[] } }).Data.Account.map(
        (account) => account.AccountId,
      );
      expect(ids).not.toContain(AccountId);
      expect((await visitor.ask(atOther.port, `${api}/accounts/${AccountId}`, theirs)).status).toBe(403);
      const cursor = `${api}/accounts/${ids[0]}/transactions${nextPage.search}`;
      expect((await visitor.ask(atOther.port, cursor, theirs)).status).toBe(400);

      const credential = rehearsals[home]!.secrets['BANK_CREDENTIAL'] ?? '';
      for (const path of [`/bank/v1/consents/${consentId}`, '/bank/v1/tpps'])
        expect([path, (await visitor.ask(atOther.bankPort, path, credential)).status]).toEqual([path, 401]);
      const own = rehearsals[away]!.secrets['BANK_CREDENTIAL'] ?? '';
      expect((await visitor.ask(atOther.bankPort, `/bank/v1/consents/${consentId}`, own)).status).toBe(400);
      // The serving role of one brand reads no table of the other.
      const stranger = database.url(mine, 'serving');
      await expect(administer(stranger, `SELECT FROM ${database.name}_${other}.consents`)).rejects.toThrow(
        /permission denied/,
      );
    },
  );
});
