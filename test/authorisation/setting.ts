import { writeFile } from 'node:fs/promises';
import { Agent } from 'undici';
import { embeddedIssuer } from '../../src/open-banking/tpp-id.js';
import type { AuthorisationServerConfig, GatewayConfig } from '../../src/config/config.js';
import type { AuthorisationServer } from '../../src/authorisation-server/authorisation-server.js';
import type { CustomerAuthentication } from '../../packages/customer-authentication/customer-authentication.js';
import { temporaryFile } from '../support/temporary-file.js';
import { CertificateAuthority, type Certified } from '../support/certificates.js';
import { RunningClock } from '../support/running-clock.js';
import type { FakeClock } from '../support/fake-clock.js';
import { Stack, type StackOptions } from '../support/stack.js';
import { Browser, type Page } from './browser.js';
import { embeddedConfig } from './embedded-config.js';
import type { Ports } from './routed-agent.js';
import { FakeCustomers, type FakeCustomer } from './fake-customers.js';
import { TestTpp, type StartedRequest, type ServerUrls, type TppOptions } from './tpp.js';

export interface SettingOptions extends Pick<
  StackOptions,
  'adapter' | 'clock' | 'cores' | 'database' | 'persistence' | 'rules'
> {
  readonly config?: Partial<GatewayConfig>;
  /** Further settings of the authorization server. */
  readonly authorisationServer?: Partial<AuthorisationServerConfig>;
  /** Instead of {@link FakeCustomers}. */
  readonly signOn?: CustomerAuthentication;
  /** Certificates of further authorities for TPPs, PEM. */
  readonly authorities?: readonly string[];
  /** The listener of TPPs has a revocation list of the authority, which names no certificate at first. */
  readonly hasRevocationList?: true;
}

/** A gateway with the embedded authorization server, over real TLS on both of its listeners. */
export class AuthorisationSetting {
  readonly tpps: TestTpp[] = [];
  private readonly browsers: Browser[] = [];

  private constructor(
    readonly stack: Stack,
    readonly clock: FakeClock,
    readonly customers: FakeCustomers,
    readonly authority: CertificateAuthority,
    readonly places: ServerUrls,
  ) {}

  static start(options: SettingOptions = {}): Promise<AuthorisationSetting> {
    return AuthorisationSetting.startBeside(undefined, options);
  }

  /** One more process of the same gateway: same database, bank, customers, keys and public addresses. */
  another(): Promise<AuthorisationSetting> {
    return AuthorisationSetting.startBeside(this, {});
  }

  /** Where a balancer sends what is meant for the first process, for this one to have it. */
  get ports(): Ports {
    const { browser, tpp } = this.listeners;
    return new Map([
      [new URL(browser.url).port, String(browser.port)],
      [new URL(tpp.url).port, String(tpp.port)],
    ]);
  }

  get listeners(): AuthorisationServerConfig {
    const { authorisationServer } = this.stack.config;
    if (authorisationServer === undefined) throw new Error('the authorization server is off');
    return authorisationServer;
  }

  private static async startBeside(
    first: AuthorisationSetting | undefined,
    options: SettingOptions,
  ): Promise<AuthorisationSetting> {
    const authority = first?.authority ?? new CertificateAuthority();
    const server = authority.issue('gateway');
    const tls = {
      certFile: await temporaryFile('cert.pem', server.certificatePem),
      keyFile: await temporaryFile('key.pem', server.keyPem),
      clientCaFile: await temporaryFile(
        'ca.pem',
        [authority.certificatePem, ...(options.authorities ?? [])].join('\n'),
      ),
      ...(options.hasRevocationList && { clientCrlFile: await temporaryFile('crl.pem', authority.revocationList([])) }),
    };
    const own = await embeddedConfig(tls);
    const { browser, tpp } = first?.listeners ?? own;
    const clock = first?.clock ?? options.clock ?? new RunningClock();
    const people: FakeCustomer[] = [];
    const customers = first?.customers ?? new FakeCustomers(people, clock);
    const { authorisationServer, authorities: _inTheFile, hasRevocationList: _inAFile, signOn, ...rest } = options;
    const stack = await Stack.start({
      ...rest,
      clock,
      customers: signOn ?? customers,
      config: {
        baseUrl: tpp.url,
        authorisationServer: {
          ...own,
          browser: { ...own.browser, url: browser.url },
          tpp: {
            ...own.tpp,
            url: tpp.url,
            ...(options.config?.proxy && { tls: undefined, clientCaFile: tls.clientCaFile }),
          },
          ...authorisationServer,
        },
        ...(first && {
          database: first.stack.config.database,
          cores: first.stack.config.cores,
          issuers: first.stack.config.issuers,
        }),
        ...options.config,
      },
    });
    if (first === undefined)
      for (const { name: loginName, person, accounts } of stack.bank.personas)
        people.push({
          loginName,
          password: `${loginName}-password`,
          code: '246810',
          customerRef: person.key,
          displayName: person.name.trim(),
          accounts: accounts.map(({ acct }) => ({ ref: acct.key, name: acct.label.trim() })),
        });
    await stack.gateway.listen();
    const [ca, nowMs] = [authority.certificatePem, () => clock.nowMs()];
    const places = { issuer: `${browser.url}/as`, tppUrl: tpp.url, ca, nowMs };
    return new AuthorisationSetting(stack, clock, customers, authority, places);
  }

  async close(): Promise<void> {
    await Promise.all([...this.tpps, ...this.browsers].map((client) => client.close()));
    const cookies = this.browsers.flatMap(({ cookieLines }) =>
      cookieLines.map((line) => /=([^;]{12,})/.exec(line)?.[1] ?? ''),
    );
    const people = this.customers.people.flatMap(({ password, code, displayName }) => [password, code, displayName]);
    for (const secret of [...cookies, ...people, ...this.tpps.flatMap((tpp) => tpp.secrets)])
      this.stack.secrets.add(secret);
    await this.stack.close();
  }

  /** Replaces the revocation list, and has the gateway read it. */
  async revoke(revoked: readonly Certified[], until?: string): Promise<void> {
    await writeFile(this.listeners.tpp.tls?.clientCrlFile ?? '', this.authority.revocationList(revoked, until));
    this.stack.gateway.renewCertificates();
  }

  get server(): AuthorisationServer {
    const { authorisationServer } = this.stack.gateway;
    if (authorisationServer === undefined) throw new Error('the authorization server is off');
    return authorisationServer;
  }

  /** As the bank, by its port. */
  async order(act: 'suspend' | 'reinstate', clientId: string): Promise<void> {
    const { status, body } = await this.stack.report(`/tpps/${clientId}/${act}?issuer=${embeddedIssuer}`, {});
    if (status !== 200) throw new Error(`the bank cannot ${act} ${clientId}: ${body}`);
  }

  async tpp(clientId: string, options: TppOptions & { certified?: Certified } = {}): Promise<TestTpp> {
    const tpp = await this.stranger(clientId, options);
    await this.server.tpps.save(tpp.registration);
    return tpp;
  }

  /** A TPP that is not registered. */
  async stranger(clientId: string, options: TppOptions & { certified?: Certified } = {}): Promise<TestTpp> {
    const certified = options.certified ?? this.authority.issue(clientId);
    const tpp = await TestTpp.make(clientId, this.places, certified, options);
    this.tpps.push(tpp);
    return tpp;
  }

  browser(): Browser {
    const browser = new Browser(new URL(this.places.issuer).origin, this.places.ca);
    this.browsers.push(browser);
    return browser;
  }

  /** The status of a GET that names another host than it goes to. */
  async rawRequest(url: string, host: string): Promise<number> {
    const agent = new Agent({ connect: { ca: this.places.ca, checkServerIdentity: () => undefined } });
    const { origin, pathname } = new URL(url);
    const answer = await agent.request({ origin, path: pathname, method: 'GET', headers: { host } });
    await answer.body.dump();
    await agent.destroy();
    return answer.statusCode;
  }

  person(loginName: string): FakeCustomer {
    const person = this.customers.people.find((known) => known.loginName === loginName);
    if (person === undefined) throw new Error(`no customer ${loginName}`);
    return person;
  }

  /** Both factors; gives the page that follows. */
  async signIn(browser: Browser, signInPage: Page, loginName: string, code?: string): Promise<Page> {
    const person = this.person(loginName);
    const codePage = await browser.submit(signInPage, { login_name: loginName, password: person.password });
    return browser.submit(codePage, { code: code ?? person.code });
  }

  /** The whole way of a customer who approves everything; gives the address at the TPP to which it led. */
  async approve(begun: Pick<StartedRequest, 'url'>, loginName: string, browser = this.browser()): Promise<URL> {
    const page = await this.signIn(browser, await browser.open(begun.url), loginName);
    return (await browser.submit(page, { account: offeredKeys(page), decision: 'approve' })).url;
  }

  /** A TPP's access to everything of a customer, given just now. */
  async access(tpp: TestTpp, loginName: string, permissions = defaultPermissions) {
    const consentId = await tpp.createConsent(permissions);
    const begun = await tpp.begin(consentId);
    const back = await this.approve(begun, loginName);
    const tokens = await tpp.finish(begun, back);
    return { consentId, begun, back, accessToken: tokens.access_token, refreshToken: tokens.refresh_token ?? '' };
  }
}

export type Access = Awaited<ReturnType<AuthorisationSetting['access']>>;

export const defaultPermissions = ['ReadAccountsDetail', 'ReadBalances', 'ReadParty'];

/** The values of the page's check boxes. */
export function offeredKeys({ html }: Page): string[] {
  return [...html.matchAll(/<input[^>]*name="account"[^>]*>/g)].map(
    ([input]) => /\bvalue="([^"]*)"/.exec(input)?.[1] ?? '',
  );
}
