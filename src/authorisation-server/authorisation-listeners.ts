import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { listen } from '../server/listen.js';
import { DashboardRoutes } from './dashboard/dashboard.routes.js';
import { JourneyRoutes } from './journey/journey.routes.js';
import { ListenerFactory } from './listeners/listener-factory.js';
import { isOfAuthorisationServer, mountPath, registrationPath } from '../open-banking/authorisation-paths.js';
import { sendPage } from './listeners/page-answer.js';
import { AuthorisationSettings } from './listeners/settings.js';
import { tppServer } from './listeners/tpp-server.js';
import { OidcRoutes } from './oidc/oidc.routes.js';
import { PagesByLanguage } from './pages/pages.js';
import { RegistrationRoutes } from './tpps/registration.routes.js';
import { pathUnknown } from '../open-banking/common-errors.js';
import { declareRoutes } from '../server/routes.js';
import { assetPath, type PageAsset } from './pages/customer-pages.js';

/** The listener for customers' browsers, and the listener for TPPs with their certificates. */
@Injectable()
export class AuthorisationListeners implements OnApplicationBootstrap {
  private readonly browser: FastifyInstance;
  private readonly tpp: FastifyInstance;

  constructor(
    private readonly factory: ListenerFactory,
    private readonly pages: PagesByLanguage,
    private readonly settings: AuthorisationSettings,
    private readonly oidc: OidcRoutes,
    private readonly journeys: JourneyRoutes,
    private readonly dashboard: DashboardRoutes,
    private readonly registrations: RegistrationRoutes,
  ) {
    this.browser = this.browserListener();
    this.tpp = this.tppListener();
  }

  async onApplicationBootstrap(): Promise<void> {
    await Promise.all([this.browser.ready(), this.tpp.ready()]);
  }

  async listen(maxConnections: number): Promise<void> {
    const { browser, tpp } = this.settings.config;
    await listen(this.browser, { ...browser, maxConnections }, { host: 'HOST', port: 'BROWSER_PORT' });
    await listen(this.tpp, { ...tpp, maxConnections }, { host: 'HOST', port: 'MTLS_PORT' });
  }

  /** Never asks for a client certificate: a browser would show its owner a list to choose from. */
  private browserListener(): FastifyInstance {
    const { url } = this.settings.config.browser;
    const server = this.factory.create({
      url,
      tls: this.factory.tls.browser,
      hasBody: () => false,
      refuseSeveralHosts: (reply) =>
        sendPage(reply, 400, this.pages.for(reply.request).notice({ kind: 'bad-request' })),
      forBrowsers: true,
    });
    this.oidc.declareForBrowsers(server, url);
    this.journeys.declare(server, url);
    this.dashboard.declare(server);
    assetRoutes(server, this.pages.assets);
    return server;
  }

  private tppListener(): FastifyInstance {
    const { url } = this.settings.config.tpp;
    const { tls, serveApi } = this.factory;
    const server = this.factory.create({
      url,
      tls: tls.tpp,
      // A broken request for the API gets the answer of the API's own listener.
      hasBody: (request) => request === undefined || !isOfAuthorisationServer(request.originalUrl),
      refuseSeveralHosts,
      serverFactory: tppServer(tls.tpp, serveApi),
      forBrowsers: false,
    });
    this.oidc.declareForTpps(server, url);
    this.registrations.declare(server, `${mountPath}${registrationPath}`);
    return server;
  }
}

/** In the form of RFC 6749, section 5.2. */
function refuseSeveralHosts(reply: FastifyReply): void {
  void reply
    .code(400)
    .header('connection', 'close')
    .send({ error: 'invalid_request', error_description: 'the request has more than one Host header' });
}

/** Style sheets, the bank's logo and the like of its pages. */
function assetRoutes(server: FastifyInstance, assets: readonly PageAsset[]): void {
  declareRoutes(server, assetPath, (routes) => {
    routes.route<{ Params: { name: string } }>({
      method: ['GET', 'HEAD'],
      url: '/:name',
      handler: (request, reply) => {
        const { params } = request;
        const asset = assets.find(({ name }) => name === params.name);
        if (asset === undefined) return server.respond(pathUnknown(), request, reply);
        return reply
          .headers({
            'content-type': asset.contentType,
            'cache-control': 'public, max-age=31536000, immutable',
            'x-content-type-options': 'nosniff',
            'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
          })
          .send(asset.body);
      },
    });
  });
}
