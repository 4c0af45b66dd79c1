import { once } from 'node:events';
import { hkdfSync, randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import type { Clock } from '../clock/clock.js';
import {
  defaultClaims,
  defaultSignIn,
  tokenAlgorithms,
  type AuthorisationServerConfig,
  type ProxyConfig,
} from '../config/config.js';
import type { ConsentService } from '../consents/consent.service.js';
import { LastUseStore } from '../consents/last-use.store.js';
import type { RevocationJournal } from '../consents/revocation-journal.js';
import type { CustomerAuthentication } from '../customer-authentication/customer-authentication.js';
import { asksForCertificate, isAskedForCertificate } from '../http/base-url.js';
import { brokenStatus, canAnswer, endWith } from '../http/broken-http.js';
import { usedConsent } from '../http/consent-use.js';
import { drainable, type Drain } from '../http/drain.js';
import { faultRecord } from '../http/fault-record.js';
import { hasSeveralHosts } from '../http/headers.js';
import { listenFault } from '../http/listen-fault.js';
import type { ChangeFeed } from '../persistence/change-feed.js';
import type { PrismaService } from '../persistence/prisma.service.js';
import { sweepAll } from '../persistence/sweep.js';
import type { Profile } from '../profiles/profile.js';
import { ClientCertificates } from '../security/client-certificate.js';
import { DirectoryClient } from '../security/directory.client.js';
import { issuerKeys } from '../security/issuer-keys.js';
import { JwtIssuer } from '../security/jwt-issuer.js';
import type { ListenerTls } from '../security/listener-tls.js';
import type { Metrics } from '../http/metrics.js';
import { PrismaProofStore } from '../security/prisma-proof.store.js';
import { maxAnswerBytes } from '../security/public-fetch.client.js';
import { StatedDocuments } from '../security/stated-document.client.js';
import type { TokenVerifier } from '../security/token-verifier.js';
import { unauthorised } from '../security/tpp.guard.js';
import type { TppStandingStore } from '../security/tpp-standing.store.js';
import { AccessRecords } from './listeners/access-record.js';
import { endpointPattern } from './endpoint-patterns.js';
import { ArtefactStore, NoSessions, sweepArtefacts } from './oidc/artefact.store.js';
import { ClientStore } from './oidc/client.store.js';
import { assetPath, logoPath, type CustomerPages } from './pages/customer-pages.js';
import { dashboardPath, DashboardController } from './dashboard/dashboard.controller.js';
import type { DashboardPages } from './pages/dashboard-views.js';
import { DashboardSessionStore } from './dashboard/dashboard-session.store.js';
import { EmbeddedIssuer } from './oidc/embedded-issuer.js';
import { JourneyController } from './journey/journey.controller.js';
import { JourneyStore, sweepJourneys } from './journey/journey.store.js';
import {
  createBrowserServer,
  createTppServer,
  ownHostOnly,
  readAuthorities,
  tellOwnName,
} from './listeners/listeners.js';
import { logoHeaders, pageHeaders, sendPage } from './listeners/page-answer.js';
import { LogoFetch } from './tpps/logo-fetch.js';
import { createProvider, mountPath, paths, registrationPath } from './oidc/provider.js';
import { RegistrationController } from './tpps/registration.controller.js';
import { Registration } from './tpps/registration.js';
import { ClientGone } from './listeners/request-body.js';
import { watchStatements } from './tpps/statement-watch.js';
import { SignInAttemptsStore, sweepSignInAttempts } from './journey/sign-in-attempts.store.js';
import { SignInLimits } from './journey/sign-in-limits.js';
import { SigningKeyStore } from './oidc/signing-key.store.js';
import { SigningKeys } from './oidc/signing-keys.js';
import { isLoopback } from './tpps/client-metadata.policy.js';
import { TppLogoStore } from './tpps/tpp-logo.store.js';
import { TppKeySets } from './tpps/tpp-key-sets.js';
import { TppRegistry } from './tpps/tpp.registry.js';
import { inGoodStanding } from './tpps/tpp.policy.js';
import { sweepDeletedTpps, TppStore, type Tpp } from './tpps/tpp.store.js';
import { registerTppsOfFile } from './tpps/tpps-file.js';

const everyMs = 60_000;
/** TPPs of which the directory is asked at a time. */
const statementsAtATime = 1_000;
/** How late a use of an access may be written, and seen at another process. */
const usesEveryMs = 5_000;
const keySetTerms = { accept: 'application/json', mostBytes: maxAnswerBytes, patienceMs: 2_500 };
const keysRotateAfterMs = 30 * 86_400_000;

export interface AuthorisationServerParts {
  readonly config: AuthorisationServerConfig;
  /** Of the listeners that end TLS themselves. */
  readonly tls: { readonly browser: ListenerTls | undefined; readonly tpp: ListenerTls | undefined };
  readonly proxy: ProxyConfig | undefined;
  readonly customers: CustomerAuthentication;
  readonly pages: CustomerPages;
  readonly dashboardPages: DashboardPages;
  readonly prisma: PrismaService;
  readonly changes: ChangeFeed;
  readonly consents: ConsentService;
  readonly journal: RevocationJournal;
  readonly standings: TppStandingStore;
  readonly profile: Profile;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  readonly metrics: Metrics;
  /** The TPPs' API, which the listener with mutual TLS serves as well. */
  readonly api: FastifyInstance;
  readonly tokens: TokenVerifier;
  readonly coreDeadlineMs: number;
}

/** The embedded authorization server: its two listeners, and what the API's guards ask of it. */
export interface AuthorisationServer {
  readonly tpps: TppStore;
  readonly registry: TppRegistry;
  readonly keys: SigningKeys;
  /** After a request's token was found good: whether its TPP is in good standing, and the token bound where it must be. */
  readonly check: (request: FastifyRequest) => void | Promise<void>;
  /** After each request of the API: remembers which access was used. */
  readonly observe: (request: FastifyRequest, reply: FastifyReply) => void;
  listen(): Promise<void>;
  /** Other authorities of TPPs' certificates, and another secret of the proxy. @returns what puts them to use @throws BootError */
  renew(proxy: ProxyConfig | undefined): () => void;
  /** Does now what is otherwise done every minute: keys, sweeps, and what the directory says of TPPs. */
  tend(): Promise<void>;
  /** How its listeners stop. */
  readonly drains: readonly Drain[];
  /** Does nothing any more of what is done from time to time. */
  rest(): void;
  /** Lets go of what it asks others by. Once it is drained. */
  close(): Promise<void>;
}

export async function createAuthorisationServer(parts: AuthorisationServerParts): Promise<AuthorisationServer> {
  const { config, prisma, changes, clock, consents, log } = parts;
  const issuer = `${config.browser.url}${mountPath}`;
  const onFault = (error: unknown): void => log.error(faultRecord(error), 'the authorization server failed a request');
  const records = new AccessRecords(endpointPattern, (access) => {
    log.info({ access });
    parts.metrics.authorisation(access.endpoint, access.method, access.status, access.durationMs);
  });
  const onClient = (request: IncomingMessage, clientId: string | undefined): void =>
    records.identify(request, clientId);
  const onSilence = (softwareId: string, error: unknown): void =>
    log.warn({ softwareId, ...faultRecord(error) }, 'the directory says nothing of a TPP; it stays as it is');
  const tpps = new TppStore(prisma, changes, clock, parts.journal);
  const keys = await SigningKeys.open(new SigningKeyStore(prisma), config.keyEncryptionKey, changes, clock);

  // A proxy speaks for TPPs where it ends their TLS, and for nobody on a listener that ends it itself.
  const certificates = new ClientCertificates(parts.proxy, readAuthorities(config.tpp));

  const directory = config.directory && new DirectoryClient(config.directory);
  const documents = new StatedDocuments(directory);
  const keySets = new TppKeySets((url) => documents.read(url, keySetTerms), clock);

  const logos = new TppLogoStore(prisma);
  const logoFetch = new LogoFetch({
    logos,
    documents,
    clock,
    onNone: (clientId, error) =>
      log.warn(
        { clientId, ...faultRecord(error) },
        'the logo of a TPP cannot be had; it is shown without, and tried again in an hour',
      ),
  });
  // Nobody waits for it: a logo that cannot be had hinders no registration.
  const onLogo = (): void =>
    void logoFetch
      .run()
      .catch((error: unknown) =>
        log.error(faultRecord(error), 'the logos of TPPs could not be fetched; it is tried again'),
      );

  const terms = {
    sandbox: isLoopback(config.browser.url),
    isDirectorys: (url: string) => directory?.isOwn(url) ?? false,
  };
  const artefacts = (model: string) => {
    if (model === 'Client') return new ClientStore(tpps, parts.standings, clock, terms);
    if (model === 'Session') return new NoSessions();
    return new ArtefactStore(model, prisma, clock, { authorisationEnded: (id) => consents.endAuthorisation(id) });
  };
  const make = (): { provider: Provider; callback: RequestListener } => {
    const provider = createProvider({
      issuer,
      tppUrl: config.tpp.url,
      jwks: keys.privateJwks(),
      adapter: artefacts,
      nowMs: () => clock.nowMs(),
      certificates,
      keySets,
      registration: directory !== undefined,
      findConsent: (consentId) => consents.known(consentId),
      beginAuthorisation: async (consentId, authorisationId) =>
        (await consents.beginAuthorisation(consentId, authorisationId)) !== undefined,
      beginJourney: (interaction) => journeys.begin(interaction),
      renderError: (ctx) => {
        ctx.set(pageHeaders());
        ctx.body = parts.pages.notice({ kind: 'bad-request' });
      },
      onClient,
      onFault,
    });
    const callback = provider.callback();
    // It answers its own failures: nothing is left to be waited for.
    return { provider, callback: (request, response) => void callback(request, response) };
  };
  // The library keeps the keys that it was made with: with other keys another is made, and what is under way at the
  // former ends there. All that either knows is in the database.
  let current = make();
  keys.onChange(() => {
    current = make();
  });

  const registry = new TppRegistry({
    tpps,
    validate: (metadata) => current.provider.Client.validate(metadata),
    terms,
    onLogo,
  });
  if (config.tppsFile !== undefined) await registerTppsOfFile(config.tppsFile, registry);

  const registration =
    config.directory &&
    directory &&
    new Registration({
      issuer: config.directory.issuer,
      keys: issuerKeys(
        { jwks: config.directory.jwks, ...(config.directory.caFile && { jwksCaFile: config.directory.caFile }) },
        clock,
      ),
      isDirectorys: terms.isDirectorys,
      onLogo,
      keySets,
      audience: [issuer, `${config.tpp.url}${mountPath}${registrationPath}`, ...[config.directory.bankId ?? []].flat()],
      registry,
      tpps,
      used: new PrismaProofStore(prisma),
      clock,
    });
  const registrations =
    registration &&
    new RegistrationController({ registration, certificates, tokens: parts.tokens, tpps, clock, onClient });

  const secure = config.browser.url.startsWith('https:');
  const signIn = config.signIn ?? defaultSignIn;
  // Of a proxy that ends TLS for browsers and that nobody has named, all browsers have the address.
  const knowsPeers = !secure || config.browser.tls !== undefined || signIn.proxies.length > 0;
  if (!knowsPeers) log.warn('sign-ins are not limited by source address: name the proxies in SIGN_IN_PROXIES');
  const lastUses = new LastUseStore(prisma);
  const common = {
    consents,
    customers: parts.customers,
    journeys: new JourneyStore(prisma, derivedKey(config.keyEncryptionKey, 'journeys')),
    secure,
    limits: new SignInLimits({
      attempts: new SignInAttemptsStore(prisma, derivedKey(config.keyEncryptionKey, 'sign-in attempts')),
      config: signIn,
      key: derivedKey(config.keyEncryptionKey, 'known browsers'),
      secure,
      knowsPeers,
    }),
    tpps,
    logos,
    clock,
    deadlineMs: parts.coreDeadlineMs,
    onFault,
  };
  const journeys = new JourneyController({
    ...common,
    provider: () => current.provider,
    pages: parts.pages,
    profile: parts.profile,
    tppUrl: config.tpp.url,
  });
  const dashboard = new DashboardController({
    ...common,
    pages: parts.dashboardPages,
    sessions: new DashboardSessionStore(prisma),
    lastUses,
  });
  parts.tokens.accept(
    issuer,
    new EmbeddedIssuer(
      new JwtIssuer(
        {
          issuer,
          audience: config.tpp.url,
          algorithms: tokenAlgorithms,
          typ: 'at+jwt',
          claims: defaultClaims,
          binding: 'mtls',
          subjectIsCustomer: false,
        },
        Object.assign(keys.find, { present: keys.present }),
        clock,
      ),
    ),
  );

  const provider = (request: IncomingMessage, response: ServerResponse): void => current.callback(request, response);
  const browserProvider = tellOwnName(config.browser.url, (request, response) => {
    delete request.headers.cookie;
    provider(request, response);
  });
  const toResume = tellOwnName(config.browser.url, provider);
  const tppProvider = tellOwnName(config.tpp.url, provider);
  const resumePath = `${mountPath}${paths.authorization}/`;
  const resume = async (request: IncomingMessage, response: ServerResponse, id: string): Promise<void> => {
    if (request.method !== 'GET') return void response.writeHead(405, { 'content-length': 0, allow: 'GET' }).end();
    const uid = await journeys.resume(request, response, id);
    if (uid === undefined) return;
    // In the library's own words: see `keepCookies`.
    request.headers.cookie = `${current.provider.cookieName('resume')}=${uid}`;
    toResume(mounted(request, `${paths.authorization}/${uid}`), response);
  };
  const browser = createBrowserServer(
    config.browser,
    parts.tls.browser,
    records.of(
      ownHostOnly(config.browser.url, (request, response) => {
        if (hasSeveralHosts(request)) return sendPage(response, 400, parts.pages.notice({ kind: 'bad-request' }));
        const pathname = pathOf(request);
        if (pathname.startsWith(`${mountPath}/interaction/`))
          journeys
            .handle(request, response, pathname.slice(`${mountPath}/interaction/`.length))
            .catch((error: unknown) => brokenOff(response, error, onFault));
        else if (pathname === dashboardPath || pathname.startsWith(`${dashboardPath}/`))
          dashboard
            .handle(request, response, pathname.slice(dashboardPath.length))
            .catch((error: unknown) => brokenOff(response, error, onFault));
        else if (pathname.startsWith(`${assetPath}/`)) sendAsset(parts.pages, pathname, response);
        else if (pathname.startsWith(resumePath))
          resume(request, response, pathname.slice(resumePath.length)).catch((error: unknown) =>
            brokenOff(response, error, onFault),
          );
        else if (pathname.startsWith(`${logoPath}/`))
          sendLogo(logos, pathname, response).catch((error: unknown) => brokenOff(response, error, onFault));
        else if (isBrowserPath(pathname)) browserProvider(mounted(request), response);
        // RFC 8414, section 3.1: the issuer's path comes after the well-known one.
        else if (pathname === `/.well-known/oauth-authorization-server${mountPath}`)
          browserProvider(mounted(request, '/.well-known/oauth-authorization-server'), response);
        else notFound(response);
      }),
    ),
  );
  const forUs = records.of(
    ownHostOnly(config.tpp.url, (request, response) => {
      if (hasSeveralHosts(request)) return refuseSeveralHosts(response);
      const pathname = pathOf(request);
      const clientId = registeredClientId(pathname);
      if (isTppPath(pathname)) tppProvider(mounted(request), response);
      else if (registrations !== undefined && clientId !== false)
        registrations
          .handle(request, response, clientId)
          .catch((error: unknown) => brokenOff(response, error, onFault));
      else notFound(response);
    }),
  );
  const forApi = ownHostOnly(config.tpp.url, (request, response) => parts.api.routing(request, response));
  const tpp = createTppServer(parts.tls.tpp, (request, response) =>
    (isMounted(pathOf(request)) ? forUs : forApi)(request, response),
  );
  browser.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!records.refuse(error, socket)) refuseUnread(error, socket, log);
  });
  // What is no HTTP is refused as the API's own listener refuses it, and what it lets pass passes.
  tpp.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!records.refuse(error, socket)) parts.api.server.emit('clientError', error, socket);
  });
  for (const listener of [browser, tpp])
    listener.on('checkExpectation', (request, response) => listener.emit('request', request, response));
  const drains = [drainable(browser), drainable(tpp)];
  for (const event of ['connection', 'secureConnection']) tpp.on(event, asksForCertificate);

  const tend = async (): Promise<void> => {
    try {
      await keys.load();
      await keys.rotateWhenOlderThan(keysRotateAfterMs);
      await keys.sweep();
      const nowMs = clock.nowMs();
      for (const sweep of [sweepArtefacts, sweepJourneys, sweepSignInAttempts, sweepDeletedTpps])
        await sweepAll(sweep, prisma, nowMs);
      if (registration !== undefined && directory !== undefined && config.directory?.statements !== undefined)
        await watchStatements({ tpps, directory, registration, onSilence }, nowMs, statementsAtATime);
      await logoFetch.run();
    } catch (error) {
      log.error(faultRecord(error), 'the periodic work of the authorization server failed; it is tried again');
    }
  };
  const writeUses = (): Promise<void> =>
    lastUses
      .flush()
      .catch((error: unknown) => log.error(faultRecord(error), 'when access was last used could not be written'));
  // Once nothing is under way any more, on whichever listener.
  parts.api.addHook('onClose', writeUses);
  const timers: NodeJS.Timeout[] = [];

  return {
    tpps,
    registry,
    keys,
    check(request) {
      const { token } = request;
      if (token === undefined) return;
      if (
        isAskedForCertificate(request) &&
        token.certificateThumbprint === undefined &&
        token.keyThumbprint === undefined
      )
        throw unauthorised('the token is bound to nothing');
      if (token.issuedHere !== true) return;
      const found = tpps.find(token.clientId);
      if (!(found instanceof Promise)) return mayAct(found, clock.nowMs());
      return found.then((known) => mayAct(known, clock.nowMs()));
    },
    observe(request, reply) {
      const consentId = usedConsent(request, reply);
      if (consentId !== undefined) lastUses.record(consentId, clock.nowMs());
    },
    async listen() {
      await listen(browser, config.browser.host, config.browser.port, 'BROWSER_PORT');
      await listen(tpp, config.tpp.host, config.tpp.port, 'MTLS_PORT');
      timers.push(setInterval(() => void tend(), everyMs).unref());
      timers.push(setInterval(() => void writeUses(), usesEveryMs).unref());
    },
    renew(proxy) {
      const authorities = readAuthorities(config.tpp);
      return () => certificates.replace(proxy, authorities);
    },
    tend,
    drains,
    rest() {
      timers.forEach(clearInterval);
    },
    async close() {
      await logoFetch.stop();
      await parts.customers.close();
      await directory?.close();
    },
  };
}

function mayAct(tpp: Tpp | undefined, nowMs: number): void {
  if (tpp === undefined || !inGoodStanding(tpp, nowMs)) throw unauthorised('the TPP is suspended or not registered');
}

function isMounted(pathname: string): boolean {
  return pathname === mountPath || pathname.startsWith(`${mountPath}/`);
}

function isBrowserPath(pathname: string): boolean {
  const { authorization, jwks } = paths;
  return isWellKnown(pathname) || pathname === `${mountPath}${jwks}` || pathname === `${mountPath}${authorization}`;
}

function isTppPath(pathname: string): boolean {
  const { token, pushed_authorization_request: par, introspection, revocation, jwks } = paths;
  return (
    isWellKnown(pathname) ||
    [token, par, introspection, revocation, jwks].some((path) => pathname === `${mountPath}${path}`)
  );
}

/** The client of a path of the registration endpoint, `undefined` for the endpoint itself; false for any other path. */
function registeredClientId(pathname: string): string | undefined | false {
  const endpoint = `${mountPath}${registrationPath}`;
  if (pathname === endpoint) return undefined;
  return pathname.startsWith(`${endpoint}/`) && pathname.slice(endpoint.length + 1);
}

function isWellKnown(pathname: string): boolean {
  return ['openid-configuration', 'oauth-authorization-server'].some(
    (name) => pathname === `${mountPath}/.well-known/${name}`,
  );
}

/** Without the query. Only a path in origin form (RFC 9112, section 3.2.1) is one of ours. */
function pathOf({ url = '' }: IncomingMessage): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

/** For the library, which knows nothing of where it is mounted but from `originalUrl`. */
function mounted(request: IncomingMessage, path = (request.url ?? '').slice(mountPath.length)): IncomingMessage {
  request.url = path;
  return Object.assign(request, { originalUrl: `${mountPath}${path}` });
}

function sendAsset(pages: CustomerPages, pathname: string, response: ServerResponse): void {
  const asset = pages.assets.find(({ name }) => pathname === `${assetPath}/${name}`);
  if (asset === undefined) return notFound(response);
  response
    .writeHead(200, {
      'content-type': asset.contentType,
      'content-length': Buffer.byteLength(asset.body),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    })
    .end(asset.body);
}

async function sendLogo(logos: TppLogoStore, pathname: string, response: ServerResponse): Promise<void> {
  const digest = pathname.slice(logoPath.length + 1);
  const logo = /^[0-9a-f]{64}$/.test(digest) ? await logos.find(digest) : undefined;
  if (logo === undefined) return notFound(response);
  response.writeHead(200, logoHeaders(logo.contentType, logo.body.length)).end(logo.body);
}

function notFound(response: ServerResponse): void {
  response.writeHead(404, { 'content-length': 0 }).end();
}

/** Of a request that never became one: only the answer, and the record of it. */
function refuseUnread(error: NodeJS.ErrnoException, socket: Duplex, log: FastifyBaseLogger): void {
  if (!canAnswer(error, socket)) return void socket.destroy();
  const access = { interactionId: randomUUID(), status: brokenStatus(error.code) };
  log.info({ access });
  endWith(socket, access.status, access.interactionId);
}

/** In the shape of RFC 6749, section 5.2. */
function refuseSeveralHosts(response: ServerResponse): void {
  const description = 'the request has more than one Host header';
  const body = JSON.stringify({ error: 'invalid_request', error_description: description });
  response
    .writeHead(400, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      connection: 'close',
    })
    .end(body);
}

function brokenOff(response: ServerResponse, error: unknown, onFault: (error: unknown) => void): void {
  if (error instanceof ClientGone) return;
  onFault(error);
  if (response.headersSent) response.destroy();
  else response.writeHead(500, { 'content-length': 0, 'cache-control': 'no-store' }).end();
}

function derivedKey(key: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', purpose, 32));
}

async function listen(server: Server, host: string, port: number, setting: string): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw listenFault(error, host, port, setting, 'HOST');
  }
}
