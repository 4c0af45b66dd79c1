import type { FastifyInstance, FastifyReply } from 'fastify';
import type { VersionName } from '../../src/versions/versions.js';
import type { Clock } from '../../src/clock/clock.js';
import { type Choice, permissionsOf } from './asked-for.js';
import { type BankAccess, disconnect } from './bank-access.js';
import { faultOfBank } from '../clients/bank-fault.js';
import { fundsPath } from './layout.js';
import { type AuthorisationAttempt, type ConnectionName, consentKinds } from './sessions.js';
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

const said = {
  connection: {
    connected: 'You are connected.',
    disconnected: 'You are disconnected: Moneyview sees nothing any more.',
  },
  funds: {
    connected: 'Moneyview may now ask the bank whether you can spend an amount.',
    disconnected: 'Moneyview can no longer ask whether you can spend an amount.',
  },
} as const satisfies Record<ConnectionName, object>;

/** Connecting to the bank, authenticating there again, the way back from the bank, and disconnecting. */
export class ConnectionRoutes {
  constructor(
    private readonly siteRequests: SiteRequests,
    private readonly bank: BankAccess,
    private readonly settings: ConnectionSettings,
  ) {}

  declare(server: FastifyInstance): void {
    const { siteRequests } = this;
    siteRequests.post(server, '/connect', (site, form) => this.connect(site, form));
    siteRequests.post(server, '/reauthenticate', (site, form) => this.reauthenticate(site, form));
    siteRequests.post(server, '/disconnect', (site) => this.disconnect(site, 'connection', '/'));
    siteRequests.post(server, `${fundsPath}/disconnect`, (site) => this.disconnect(site, 'funds', fundsPath));
    server.get('/callback', (request, reply) => this.arrive(siteRequests.open(request, reply)));
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
    return sendToBank(site, this.bank, consentId, {
      asked: { name: 'connection', terms: { api, permissions } },
      returnTo: '/',
    });
  }

  private async reauthenticate(site: SiteRequest, form: URLSearchParams): Promise<FastifyReply> {
    const { connection } = site.session;
    if (connection === undefined) return site.leaveFor('/');
    const { access, api, permissions } = connection;
    const from = form.get('return') ?? '';
    const returnTo = /^\/accounts\/[\w%.~-]+\/[a-z-]+(\?|$)/.test(from) ? from : '/';
    const asked = { name: 'connection', terms: { api, permissions } } as const;
    return sendToBank(site, this.bank, access.consentId, { asked, returnTo });
  }

  private async disconnect(site: SiteRequest, name: ConnectionName, to: string): Promise<FastifyReply> {
    const connection = site.session[name];
    if (connection === undefined) return site.leaveFor(to);
    const { access, api } = connection;
    const exchange = await (await this.bank.client(api)).deleteConsent(access.consentId, consentKinds[name]);
    const { status } = exchange.response;
    if (status !== 204 && status !== 400)
      return site.goOn({ words: `The bank did not end the access: it answered ${status}. Try again.` }, to);
    disconnect(site.session, name);
    return site.goOn({ words: said[name].disconnected, exchanges: [exchange] }, to);
  }

  private async arrive(site: SiteRequest): Promise<FastifyReply> {
    const { session, request } = site;
    const { attempt } = session;
    if (attempt === undefined) return site.goOn({ words: 'This browser has not begun a connection to the bank.' });
    // An attempt counts once, however it ends.
    delete session.attempt;
    const { departure, asked, returnTo } = attempt;
    const again = session.connection?.access.consentId === departure.consentId;
    try {
      const { origin } = this.settings;
      const client = await this.bank.client();
      const access = await client.arrival(new URL(request.url, origin), departure);
      if (asked.name === 'funds') session.funds = { ...asked.terms, access };
      else session.connection = { ...asked.terms, access };
      return await site.goOn(
        { words: again ? 'You identified yourself again.' : said[asked.name].connected },
        returnTo,
      );
    } catch (error) {
      const fault = faultOfBank(error);
      if (fault === undefined) throw error;
      return site.goOn({ words: `${again ? 'Nothing has changed' : 'You were not connected'}: ${fault}.` }, returnTo);
    }
  }
}

/** Sends the customer to the bank, to authorise the consent. */
export async function sendToBank(
  site: SiteRequest,
  bank: BankAccess,
  consentId: string,
  attempt: Omit<AuthorisationAttempt, 'departure'>,
): Promise<FastifyReply> {
  const { url, departure } = await (await bank.client()).departure(consentId, consentKinds[attempt.asked.name]);
  site.session.attempt = { ...attempt, departure };
  return site.leaveFor(url.href);
}
