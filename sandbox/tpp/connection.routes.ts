import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { VersionName } from '../../src/versions/versions.js';
import type { Clock } from '../../src/clock/clock.js';
import { sameSecret } from '../bank/bearer.js';
import { html } from '../web/html.js';
import { type Choice, permissionsOf } from './asked-for.js';
import { type BankAccess, disconnect } from './bank-access.js';
import { faultOfBank } from '../clients/bank-fault.js';
import type { AuthorisationAttempt } from './sessions.js';
import type { SiteRequest, SiteRequests } from './site-request.js';

const dayMs = 86_400_000;

export interface ConnectionSettings {
  /** The origin under which browsers reach this server. */
  readonly origin: string;
  readonly choices: readonly Choice[];
  /** The names of the versions of the API, the newest first. */
  readonly versions: readonly VersionName[];
  readonly clock: Clock;
}

/** Connecting to the bank, authenticating there again, the way back from the bank, and disconnecting. */
export class ConnectionRoutes {
  constructor(
    private readonly siteRequests: SiteRequests,
    private readonly bank: BankAccess,
    private readonly settings: ConnectionSettings,
  ) {}

  declare(server: FastifyInstance): void {
    // The plugin's type allows only plain objects, but fields of a form may come several times.
    void server.register(formbody, { parser: (text) => new URLSearchParams(text) as never });
    const post = (path: string, answer: (site: SiteRequest, form: URLSearchParams) => Promise<FastifyReply>): void => {
      server.post(path, (request, reply) => {
        const site = this.siteRequests.open(request, reply);
        const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
        if (sameSecret(form.get('csrf') ?? '', site.session.csrf)) return answer(site, form);
        return site.page('That page has expired', html`<p>Go <a href="/">home</a> and try again.</p>`, 403);
      });
    };
    post('/connect', (site, form) => this.connect(site, form));
    post('/reauthenticate', (site, form) => this.reauthenticate(site, form));
    post('/disconnect', (site) => this.disconnect(site));
    server.get('/callback', (request, reply) => this.arrive(this.siteRequests.open(request, reply)));
  }

  private async connect(site: SiteRequest, form: URLSearchParams): Promise<FastifyReply> {
    const { choices, versions, clock } = this.settings;
    const api = versions.find((name) => name === form.get('api'));
    if (api === undefined) return site.goOn({ words: 'Choose a version of the API that the bank serves.' });
    const permissions = permissionsOf(form.getAll('see'), choices);
    const [days, history] = [Number(form.get('days')), Number(form.get('history'))];
    const inDays = (count: number): string => new Date(clock.nowMs() + count * dayMs).toISOString();
    const client = await this.bank.client(api);
    const consentId = await client.createConsent({
      permissions,
      ...(days > 0 && { expires: inDays(days) }),
      ...(history > 0 && { from: inDays(-history) }),
    });
    return this.sendToBank(site, consentId, { api, permissions, returnTo: '/' });
  }

  private async reauthenticate(site: SiteRequest, form: URLSearchParams): Promise<FastifyReply> {
    const { connection } = site.session;
    if (connection === undefined) return site.leaveFor('/');
    const { access, api, permissions } = connection;
    const asked = form.get('return') ?? '';
    const returnTo = /^\/accounts\/[\w%.~-]+\/[a-z-]+(\?|$)/.test(asked) ? asked : '/';
    return this.sendToBank(site, access.consentId, { api, permissions, returnTo });
  }

  private async disconnect(site: SiteRequest): Promise<FastifyReply> {
    const { connection } = site.session;
    if (connection === undefined) return site.leaveFor('/');
    const { access, api } = connection;
    const exchange = await (await this.bank.client(api)).deleteConsent(access.consentId);
    const { status } = exchange.response;
    if (status !== 204 && status !== 400)
      return site.goOn({ words: `The bank did not end the access: it answered ${status}. Try again.` });
    disconnect(site.session);
    const words = 'You are disconnected: Moneyview sees nothing any more.';
    return site.goOn({ words, exchanges: [exchange] });
  }

  private async sendToBank(site: SiteRequest, consentId: string, attempt: Omit<AuthorisationAttempt, 'departure'>) {
    const { url, departure } = await (await this.bank.client()).departure(consentId);
    site.session.attempt = { ...attempt, departure };
    return site.leaveFor(url.href);
  }

  private async arrive(site: SiteRequest): Promise<FastifyReply> {
    const { session, request } = site;
    const { attempt } = session;
    if (attempt === undefined) return site.goOn({ words: 'Nothing was asked of the bank in this browser.' });
    // An attempt counts once, however it ends.
    delete session.attempt;
    const { departure, api, permissions, returnTo } = attempt;
    const again = session.connection?.access.consentId === departure.consentId;
    try {
      const { origin } = this.settings;
      const client = await this.bank.client();
      const access = await client.arrival(new URL(request.url, origin), departure);
      session.connection = { access, api, permissions };
      return await site.goOn({ words: again ? 'You identified yourself again.' : 'You are connected.' }, returnTo);
    } catch (error) {
      const fault = faultOfBank(error);
      if (fault === undefined) throw error;
      const words = `${again ? 'Nothing has changed' : 'You were not connected'}: ${fault}.`;
      return site.goOn({ words }, again ? returnTo : '/');
    }
  }
}
