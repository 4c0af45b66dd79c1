import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DynamicModule } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { kitServices } from '../../packages/adapter-kit/kit-services.js';
import { createGateway, type Gateway } from '../../src/boot/gateway.js';
import type { GatewayConfig, TokenBinding } from '../../src/config/config.js';
import type { CoreConfig } from '../../src/config/core-config.js';
import type { DatabaseConfig } from '../../src/config/database-config.js';
import { simpleIssuer } from '../../src/config/issuer-settings.js';
import { createAdapter, type LedgerAdapter } from '../../src/core-banking/adapters/ledger/ledger.adapter.js';
import type { CustomerAuthentication } from '../../packages/customer-authentication/customer-authentication.js';
import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import { permissionCodes } from '../../src/open-banking/permissions.js';
import type { Tracing } from '../../src/observability/tracing.js';
import { PersistenceModule } from '../../src/persistence/persistence.module.js';
import type { PrismaService } from '../../src/persistence/prisma.service.js';
import { loadProfile } from '../../src/profiles/load-profile.js';
import { profileOf, type ProfileData } from '../../src/profiles/profile.js';
import type { ServiceRules } from '../../src/profiles/service-rules.js';
import { SigningKeyStore, type StoredSigningKey } from '../../src/security/signing-key.store.js';
import { SigningKeys } from '../../src/security/signing-keys.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { makeIssuerKeys, type IssuerKeys } from '../../sandbox/bank/issuer.js';
import type { Persona } from '../../sandbox/bank/personas/persona.js';
import { makePersonas } from '../../sandbox/bank/personas/personas.js';
import { productNames } from '../../sandbox/bank/ledger.records.js';
import { startSandboxBank, type SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import type { Clock } from '../../src/clock/clock.js';
import { FakeClock } from './fake-clock.js';
import { freshDatabase, postgresUrl, type FreshDatabase } from './fresh-database.js';
import { lentPglite, openDatabase } from './lent-pglite.js';
import { trailKeys } from './trail-keys.js';
import { checkTrail } from './event-schema.js';
import { checkAgainstDocument, checkOfNoVersion, pathOf } from './own-openapi.js';
import { checkSecrecy } from './secrecy.js';
import { documentIn } from '../../src/openapi/documentation-pages.js';
import { trailText } from './read-trail.js';
import { versionAt } from '../../src/versions/versions.js';
import { checkAgainstStandard } from './official-openapi.js';

/** Noon on a day in British Summer Time, so that a zone mistake shows. */
export const noon = Date.parse('2026-06-15T12:00:00.000Z');
export const minuteMs = 60_000;
export const dayMs = 86_400_000;
export const base = v3_1.basePath;

export const bankCredential = 'test-bank-credential-0123456789abcdef';
/** The document itself, its page, and the authorization server, which has its own standard. */
const undocumented = /^\/(openapi\.json|docs|as)(?![^/?])/;
/** Headers that only the gateway reads. */
const unwritten = /^(x-(?!fapi-interaction-id)|user-agent|cookie)/i;
const idKey = 'test-id-key-0123456789abcdef0123456789';

/** The same for every stack, because making them takes longer than the rest of its start. */
let issuerKeys: Promise<IssuerKeys> | undefined;

/** The same for every stack that starts in an hour: their histories have some ten thousand entries. */
const personasOfHours = new Map<number, Persona[]>();
function personasAt(nowMs: number): Persona[] {
  const hourMs = nowMs - (nowMs % (60 * minuteMs));
  const personas = personasOfHours.get(hourMs) ?? makePersonas(hourMs);
  personasOfHours.set(hourMs, personas);
  return personas;
}

/** The first keys of the embedded authorization servers, by the key that seals them, for the same reason. */
const signingKeys = new Map<string, readonly StoredSigningKey[]>();
async function giveSigningKeys(prisma: PrismaService, sealedBy: Buffer, clock: Clock): Promise<void> {
  const name = sealedBy.toString('hex');
  const signsFrom = new Date(clock.nowMs());
  const data = signingKeys.get(name)?.map((key) => ({ ...key, signsFrom }));
  if (data !== undefined) return void (await prisma.signingKey.createMany({ data }));
  signingKeys.set(name, (await SigningKeys.open(new SigningKeyStore(prisma), sealedBy, clock)).published);
}

export interface StackOptions {
  readonly profile?: string;
  readonly config?: Partial<GatewayConfig>;
  /** With an `adapter`, the gateway itself creates it. */
  readonly core?: Partial<Pick<CoreConfig, 'adapter' | 'connections' | 'deadlineMs'>>;
  /** Several cores, which the gateway creates. The first is the sandbox bank's. */
  readonly cores?: (first: CoreConfig) => readonly CoreConfig[];
  readonly profileSettings?: Partial<ProfileData>;
  /** The rules in which the bank differs from the published ones. */
  readonly rules?: Partial<ServiceRules>;
  /** Wraps or replaces the gateway's access to the sandbox bank. */
  readonly adapter?: (ledger: LedgerAdapter) => CoreAdapter;
  readonly makePersonas?: (nowMs: number) => Persona[];
  /** The issuer's keys, where the test signs its own tokens. */
  readonly issuerKeys?: IssuerKeys;
  /** The required binding of the issuer's tokens. */
  readonly binding?: TokenBinding;
  /** File or URL of the issuer's public keys, where the sandbox bank does not serve them. */
  readonly jwks?: string;
  /** The test's clock, where other processes must agree with it. */
  readonly clock?: FakeClock;
  /** The clock of tokens and assertions, where `clock` is only the bank's time, as in the sandbox. */
  readonly systemClock?: Clock;
  /** The customers of the embedded authorization server. */
  readonly customers?: CustomerAuthentication;
  readonly tracing?: Tracing;
  /** As the sandbox's gateway has it. */
  readonly exampleAccount?: string;
  /** A database that outlives the stack, or that another process opens as well. */
  readonly database?: FreshDatabase;
  /** Replaces the database module. */
  readonly persistence?: (config: DatabaseConfig) => DynamicModule;
}

/** The settings of a core with the ledger's protocol. */
export function coreAt(url: string): CoreConfig {
  // So long that no answer is late because the machine is busy.
  return { adapter: 'ledger', url, variables: {}, deadlineMs: 20_000, connections: 16 };
}

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | number | undefined>;
  readonly body: string;
  /** The parsed body, which the assertion itself checks; `undefined` when it is absent. */
  readonly json: ReturnType<typeof JSON.parse>;
}

type Injected = Awaited<ReturnType<FastifyInstance['inject']>>;

/** A part of an answer's JSON, which the assertion itself checks. */
export type Json = Answer['json'];

export interface Request {
  readonly method?: string;
  readonly token?: string | undefined;
  readonly headers?: Record<string, string | string[]>;
  readonly payload?: unknown;
}

const openedDatabase = (config: DatabaseConfig): DynamicModule =>
  PersistenceModule.register(() => openDatabase(config));

/** A whole gateway over a real sandbox bank and a real database, called in process; the test sets the time. */
export class Stack {
  /** Values that must not stand in the log or the trail; a test adds its own. */
  readonly secrets = new Set<string>([bankCredential, idKey, ...Object.values(trailKeys)]);
  private strangers = 0;

  private constructor(
    readonly bank: SandboxBank,
    readonly gateway: Gateway,
    readonly clock: FakeClock,
    readonly config: GatewayConfig,
    readonly log: string[],
    private readonly everyLine: readonly string[],
    private readonly ownDatabase: FreshDatabase | undefined,
  ) {}

  static async start(options: StackOptions = {}): Promise<Stack> {
    const clock = options.clock ?? new FakeClock(noon);
    const bank = await startSandboxBank({
      port: 0,
      credential: bankCredential,
      issuerKeys: options.issuerKeys ?? (await (issuerKeys ??= makeIssuerKeys())),
      clock,
      makePersonas: options.makePersonas ?? personasAt,
    });
    const lends = postgresUrl === undefined && options.database === undefined;
    const sealedBy = options.config?.authorisationServer?.keyEncryptionKey;
    const tokenClock = options.systemClock ?? clock;
    const database = lends
      ? lentPglite(async (prisma) => sealedBy && giveSigningKeys(prisma, sealedBy, tokenClock))
      : (options.database ?? (await freshDatabase()));
    const config: GatewayConfig = {
      host: '127.0.0.1',
      port: 0,
      bankHost: '127.0.0.1',
      bankPort: 0,
      maxConnections: 2_000,
      baseUrl: 'https://gateway.example',
      profile: options.profile ?? 'profile-2',
      stopDelayMs: 0,
      logLevel: 'trace',
      database: database.config,
      trail: {
        directory: await mkdtemp(join(tmpdir(), 'trail-')),
        fault: 'count',
        key: trailKeys.TRAIL_KEY,
        pseudonymKeys: [trailKeys.PSEUDONYM_KEY],
      },
      cores: options.cores?.(coreAt(bank.coreUrl)) ?? [{ ...coreAt(bank.coreUrl), ...options.core }],
      issuers: [simpleIssuer(bank.issuer, bank.audience, options.jwks ?? bank.jwksUrl, options.binding)],
      bankCredentials: [bankCredential],
      idKey,
      // So high that no test reaches it by being fast.
      rateLimits: {
        requests: { perSecond: 1_000_000, burst: 1_000_000 },
        consents: { perSecond: 1_000_000, burst: 1_000_000 },
      },
      twoPersons: false,
      tracing: options.tracing !== undefined,
      ...options.config,
    };
    const log: string[] = [];
    const everyLine: string[] = [];
    const write = (line: string): void => [log, everyLine].forEach((lines) => lines.push(line));
    const isGiven = options.core?.adapter === undefined && options.cores === undefined;
    const ledger = isGiven ? createAdapter(coreAt(bank.coreUrl), kitServices) : undefined;
    const adapter = ledger && (options.adapter?.(ledger) ?? ledger);
    const gateway = await createGateway({
      config,
      profile: profileOf({
        ...(await loadProfile(config.profile)),
        ...options.profileSettings,
        ...(options.rules && { rules: options.rules }),
      }),
      adapter,
      clock: tokenClock,
      bankClock: clock,
      log: pino({ level: config.logLevel, base: null }, { write }),
      persistence: (options.persistence ?? openedDatabase)(config.database),
      ...(options.customers && { customers: options.customers }),
      exampleAccount: options.exampleAccount,
      tracing: options.tracing,
    });
    const ownDatabase = options.database === undefined ? database : undefined;
    return new Stack(bank, gateway, clock, config, log, everyLine, ownDatabase);
  }

  /**
   * Compares every event that the gateway wrote with the schema of the trail’s events, and looks for secrets in all that it
   * wrote.
   */
  async close(): Promise<void> {
    await this.gateway.close();
    await this.bank.close();
    await this.ownDatabase?.drop();
    const { directory } = this.config.trail;
    const customers = this.bank.personas.flatMap(({ person, accounts }) => [
      person.name.trim(),
      person.key,
      ...accounts.flatMap(({ acct }) => [
        acct.key,
        acct.num,
        acct.iban,
        acct.card,
        // As a TPP names the account.
        `${acct.sort}${acct.num}`.replaceAll(/\D/g, ''),
      ]),
    ]);
    const secrets = [...this.secrets, ...customers];
    checkSecrecy('the log', this.everyLine.join(''), secrets);
    checkSecrecy('the trail', await trailText(directory), secrets);
    await checkTrail(directory);
  }

  /**
   * Asks the TPPs' API. Every answer is compared with the gateway's OpenAPI document and, where named, with the official
   * ones.
   */
  async ask(path: string, { method = 'GET', token, headers = {}, payload }: Request = {}): Promise<Answer> {
    if (token !== undefined && token.length > 20) this.secrets.add(token);
    for (const [name, value] of Object.entries(headers)) if (unwritten.test(name)) this.secrets.add(String(value));
    const url = path.startsWith('/open-banking') || path.startsWith('/!') ? path.replace('/!', '/') : `${base}${path}`;
    const answer = await this.gateway.server.inject({
      method: method as 'GET',
      url,
      headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
      ...(payload === undefined ? {} : { payload: payload as string }),
    });
    // Node's socket alone drops the body of an answer to HEAD, and an answer in process has no socket.
    const result = answerOf(answer, method === 'HEAD' ? '' : answer.body);
    if (!undocumented.test(url)) {
      const { versions } = this.gateway.server;
      const version = versionAt(url, versions) ?? versionAt(pathOf(url), versions);
      if (version === undefined) checkOfNoVersion(method, url, result);
      else checkAgainstDocument(documentIn(this.gateway.server, version), method, url, result);
      checkAgainstStandard(method, url, result);
    }
    return result;
  }

  /** Asks the bank-facing API. */
  async report(path: string, payload?: unknown, credential = bankCredential): Promise<Answer> {
    const answered = await this.gateway.bankServer.inject({
      method: payload === undefined ? 'GET' : 'POST',
      url: `/bank/v1${path}`,
      headers: { authorization: `Bearer ${credential}` },
      ...(credential !== bankCredential && { remoteAddress: this.strangersAddress() }),
      ...(payload === undefined ? {} : { payload: payload as object }),
    });
    return answerOf(answered, answered.body);
  }

  /** Each unauthenticated caller has a different address, because wrong credentials are limited by address. */
  private strangersAddress(): string {
    this.strangers++;
    return `127.1.${Math.floor(this.strangers / 256)}.${this.strangers % 256}`;
  }

  persona(name: string): { customerRef: string; name: string; accounts: { ref: string; product: string }[] } {
    const persona = this.bank.personas.find((candidate) => candidate.name === name);
    if (persona === undefined) throw new Error(`no persona ${name}`);
    return {
      customerRef: persona.person.key,
      name: persona.person.name.trim(),
      accounts: persona.accounts.map(({ acct }) => ({ ref: acct.key, product: productNames[acct.prod] })),
    };
  }

  clientToken(clientId = 'tpp-one'): Promise<string> {
    return this.bank.mintToken({ clientId });
  }

  /** Creates and authorises a consent the way a TPP and the bank's authorisation service do. */
  async consent(options: ConsentOptions): Promise<ConsentedCustomer> {
    const persona = this.persona(options.persona);
    const clientId = options.clientId ?? 'tpp-one';
    const created = await this.ask('/account-access-consents', {
      method: 'POST',
      token: await this.clientToken(clientId),
      payload: {
        Data: { Permissions: options.permissions ?? allPermissions(this.config.profile), ...options.data },
        Risk: {},
      },
    });
    if (created.status !== 201) throw new Error(`no consent: ${created.body}`);
    const consentId = created.json.Data.ConsentId as string;
    const accounts = persona.accounts.filter(
      ({ ref, product }) =>
        options.accounts === undefined || options.accounts.some((wanted) => wanted === ref || wanted === product),
    );
    const authorised = await this.report(`/consents/${consentId}/authorise`, {
      customerRef: persona.customerRef,
      accounts: accounts.map(({ ref }) => ref),
      authenticatedAt: new Date(this.clock.nowMs() - (options.authenticatedAgoMs ?? 0)).toISOString(),
      displayName: options.displayName,
    });
    for (const { AccountId } of authorised.json.Accounts ?? []) this.secrets.add(AccountId);
    if (options.displayName !== undefined) this.secrets.add(options.displayName);
    if (authorised.status !== 200) throw new Error(`not authorised: ${authorised.body}`);
    const listed = authorised.json.Accounts as { ref: string; AccountId: string; Product: string }[];
    return {
      consentId,
      token: await this.bank.mintToken({ clientId, consentId }),
      customerRef: persona.customerRef,
      accounts: listed,
      accountId: (productOrRef) => {
        const found = listed.find(({ ref, Product }) => Product === productOrRef || ref === productOrRef);
        if (found === undefined) throw new Error(`${options.persona} has no ${productOrRef}`);
        return found.AccountId;
      },
    };
  }
}

export interface ConsentOptions {
  readonly persona: string;
  readonly permissions?: readonly string[];
  /** Products or core references. Where it is absent, all accounts. */
  readonly accounts?: readonly string[];
  readonly clientId?: string;
  readonly authenticatedAgoMs?: number;
  readonly displayName?: string;
  /** Further members of `Data`. */
  readonly data?: Record<string, unknown>;
}

export interface ConsentedCustomer {
  readonly consentId: string;
  readonly token: string;
  readonly customerRef: string;
  readonly accounts: readonly { ref: string; AccountId: string; Product: string }[];
  accountId(productOrRef: string): string;
}

/** Every code that the profile accepts. */
export function allPermissions(profile: string): string[] {
  return permissionCodes.filter((code) => code !== 'ReadPAN' && !refusedCodes[profile]?.test(code));
}

const refusedCodes: Readonly<Record<string, RegExp>> = {
  'profile-2': /^ReadStatements/,
  'profile-fineract': /^Read(Statements|Offers|DirectDebits|ScheduledPayments)/,
};

function answerOf({ statusCode: status, headers }: Injected, body: string): Answer {
  return { status, headers, body, json: parse(body) };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
