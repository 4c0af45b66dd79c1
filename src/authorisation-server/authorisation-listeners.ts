import { mountPath, registrationPath } from '../open-banking/authorisation-paths.js';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply } from 'fastify';
import type { ErrorNamesOf } from '../server/error-names.js';
import { drainable, type Drain } from '../server/drain.js';
import { listen } from '../server/listen.js';
import type { ListenersTls } from '../security/listeners-tls.js';
import { DashboardRoutes } from './dashboard/dashboard.routes.js';
import { JourneyRoutes } from './journey/journey.routes.js';
import { assetRoutes } from './listeners/assets.routes.js';
import { AuthorisationLog } from './listeners/authorisation-log.js';
import { createListener, type ListenerParts } from './listeners/listener.js';
import { isMounted } from './listeners/mount-path.js';
import { sendPage } from './listeners/page-answer.js';
import { RequestRecords } from './listeners/request-records.js';
import { AuthorisationSettings } from './listeners/settings.js';
import { tppServer } from './listeners/tpp-server.js';
import { OidcRoutes } from './oidc/oidc.routes.js';
import { BankPages } from './pages/bank-pages.js';
import { RegistrationRoutes } from './tpps/registration.routes.js';
import { tppLogoRoutes } from './tpps/tpp-logo.routes.js';
import { TppLogoStore } from './tpps/tpp-logo.store.js';

/** The token of the {@link ServerParts}. */
export const SERVER_PARTS = Symbol('SERVER_PARTS');

/** Parts that these listeners share with those of the gateway. */
export interface ServerParts {
  readonly log: FastifyBaseLogger;
  readonly errorNames: ErrorNamesOf;
  readonly tls: Pick<ListenersTls, 'browser' | 'tpp'>;
  /** The TPPs' API, which the TPPs' listener serves as well. */
  readonly api: FastifyInstance;
}

/** The listener that customers' browsers come to, and the one that TPPs come to with their certificates. */
@Injectable()
export class AuthorisationListeners {
  readonly drains: readonly Drain[];
  private readonly browser: FastifyInstance;
  private readonly tpp: FastifyInstance;

  constructor(
    @Inject(SERVER_PARTS) private readonly parts: ServerParts,
    private readonly pages: BankPages,
    private readonly settings: AuthorisationSettings,
    private readonly records: RequestRecords,
    private readonly log: AuthorisationLog,
    private readonly oidc: OidcRoutes,
    private readonly journeys: JourneyRoutes,
    private readonly dashboard: DashboardRoutes,
    private readonly registrations: RegistrationRoutes,
    private readonly logos: TppLogoStore,
  ) {
    this.browser = this.browserListener();
    this.tpp = this.tppListener();
    this.drains = [drainable(this.browser.server), drainable(this.tpp.server)];
  }

  async ready(): Promise<void> {
    await Promise.all([this.browser.ready(), this.tpp.ready()]);
  }

  async listen(maxConnections: number): Promise<void> {
    const { browser, tpp } = this.settings.config;
    await listen(this.browser, { ...browser, maxConnections }, { host: 'HOST', port: 'BROWSER_PORT' });
    await listen(this.tpp, { ...tpp, maxConnections }, { host: 'HOST', port: 'MTLS_PORT' });
  }

  /** Once they are drained. */
  async close(): Promise<void> {
    await Promise.all([this.browser.close(), this.tpp.close()]);
  }

  /** Never asks for a client certificate: a browser would show its owner a list to choose from. */
  private browserListener(): FastifyInstance {
    const { url } = this.settings.config.browser;
    const server = createListener({
      ...this.common(url),
      tls: this.parts.tls.browser,
      brokenHttp: { log: this.parts.log, errorNames: this.parts.errorNames, hasBody: () => false },
      refuseSeveralHosts: (reply) =>
        sendPage(reply, 400, this.pages.for(reply.request).journey.notice({ kind: 'bad-request' })),
      forBrowsers: true,
    });
    this.oidc.declareForBrowsers(server, url);
    this.journeys.declare(server, url);
    this.dashboard.declare(server);
    assetRoutes(server, this.pages.assets);
    tppLogoRoutes(server, this.logos);
    return server;
  }

  private tppListener(): FastifyInstance {
    const { url } = this.settings.config.tpp;
    const { api, tls } = this.parts;
    const server = createListener({
      ...this.common(url),
      tls: tls.tpp,
      // A broken request for the API gets the answer of the API's own listener.
      brokenHttp: {
        log: this.parts.log,
        errorNames: this.parts.errorNames,
        hasBody: (request) => request === undefined || !isMounted(request.originalUrl),
      },
      refuseSeveralHosts,
      serverFactory: tppServer(tls.tpp, (request, response) => api.routing(request, response)),
      forBrowsers: false,
    });
    this.oidc.declareForTpps(server, url);
    this.registrations.declare(server, `${mountPath}${registrationPath}`);
    return server;
  }

  private common(url: string): Pick<ListenerParts, 'url' | 'records' | 'onFault'> {
    return { url, records: this.records, onFault: this.log.fault };
  }
}

/** In the form of RFC 6749, section 5.2. */
function refuseSeveralHosts(reply: FastifyReply): void {
  void reply
    .code(400)
    .header('connection', 'close')
    .send({ error: 'invalid_request', error_description: 'the request has more than one Host header' });
}
