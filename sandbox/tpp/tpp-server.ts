import { type FastifyInstance, fastify } from 'fastify';
import { html } from '../web/html.js';
import { serveIcon } from '../web/icon.js';
import { refuseForeignPages } from '../web/own-pages-only.js';
import { showWindows } from '../web/time.js';
import { AccountsRoutes } from './accounts.routes.js';
import { BankAccess } from './bank-access.js';
import { BankEvents, reloadOnWithdrawal } from './bank-events.js';
import { faultOfBank } from '../clients/bank-fault.js';
import type { BankClient } from '../clients/bank.client.js';
import { ConnectionRoutes, type ConnectionSettings } from './connection.routes.js';
import { FundsRoutes } from './funds.routes.js';
import { style } from './style.js';
import type { HomeView } from './views.js';
import { type SiteSettings, SiteRequests } from './site-request.js';

export interface TppOptions extends SiteSettings, ConnectionSettings, Omit<HomeView, 'session'> {
  /** Called at the first use, and again after a failure: the bank may start later than the TPP. */
  readonly openBank: () => Promise<BankClient>;
}

/** The web site of the sandbox's TPP. */
export function createTppServer(options: TppOptions): FastifyInstance {
  const server = fastify({ forceCloseConnections: true, bodyLimit: 16 * 1024 });
  server.addHook('onRequest', refuseForeignPages);
  serveIcon(server, 'M', '#2b2256');
  const { clock, choices, versions, inboxUrl, customer, offersFunds } = options;
  const siteRequests = new SiteRequests(options);
  siteRequests.register(server);
  const bank = new BankAccess(options.openBank, versions);
  server.addHook('onClose', () => bank.close());
  new BankEvents(bank, options.sessions).declare(server, siteRequests);

  new AccountsRoutes(siteRequests, bank, { choices, versions, inboxUrl, customer }, clock).declare(server);
  new ConnectionRoutes(siteRequests, bank, options).declare(server);
  if (offersFunds) new FundsRoutes(siteRequests, bank, versions).declare(server);
  server.get('/tpp.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(style));
  server.get('/tpp.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(showWindows + reloadOnWithdrawal),
  );
  // The answer waits until the bank knows the TPP, so that the stack is not ready before the page works.
  server.get('/health', async () => ({ status: 'up', bank: await bank.client().then(() => 'knows us', reasonOf) }));

  server.setNotFoundHandler((request, reply) => siteRequests.open(request, reply).notFound());
  server.setErrorHandler((error, request, reply) => {
    const content = html`<p>${reasonOf(error)}</p>
      <p><a href="/">Home</a></p>`;
    return siteRequests.open(request, reply).page('That did not work', content, 502);
  });
  return server;
}

/** The part of a fault that a customer may read. */
function reasonOf(error: unknown): string {
  const fault = faultOfBank(error) ?? 'something in this sandbox is broken';
  return `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.`;
}
