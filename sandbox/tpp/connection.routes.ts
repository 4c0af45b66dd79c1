import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Clock } from '../../src/clock/clock.js';
import { sameSecret } from '../bank/bearer.js';
import { html } from '../web/html.js';
import { type Choice, permissionsOf } from './asked-for.js';
import { type BankAccess, disconnect } from './bank-access.js';
import { faultOfBank } from '../clients/bank-fault.js';
import type { AuthorisationAttempt } from './sessions.js';
import type { Visit, Visits } from './visit.js';

const dayMs = 86_400_000;

export interface ConnectionSettings {
  /** The origin under which browsers reach this server. */
  readonly origin: string;
  readonly choices: readonly Choice[];
  readonly clock: Clock;
}

/** Connecting to the bank, authenticating there again, the way back from the bank, and disconnecting. */
export class ConnectionRoutes {
  constructor(
    private readonly visits: Visits,
    private readonly bank: BankAccess,
    private readonly settings: ConnectionSettings,
  ) {}

  declare(server: FastifyInstance): void {
    // The plugin's type allows only plain objects, but fields of a form may come several times.
    void server.register(formbody, { parser: (text) => new URLSearchParams(text) as never });
    const post = (path: string, answer: (visit: Visit, form: URLSearchParams) => Promise<FastifyReply>): void => {
      server.post(path, (request, reply) => {
        const visit = this.visits.of(request, reply);
        const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
        if (sameSecret(form.get('csrf') ?? '', visit.session.csrf)) return answer(visit, form);
        return visit.page('That page has expired', html`<p>Go <a href="/">home</a> and try again.</p>`, 403);
      });
    };
    post('/connect', (visit, form) => this.connect(visit, form));
    post('/reauthenticate', (visit, form) => this.reauthenticate(visit, form));
    post('/disconnect', (visit) => this.disconnect(visit));
    server.get('/callback', (request, reply) => this.arrive(this.visits.of(request, reply)));
  }

  private async connect(visit: Visit, form: URLSearchParams): Promise<FastifyReply> {
    const { choices, clock } = this.settings;
    const permissions = permissionsOf(form.getAll('see'), choices);
    const [days, history] = [Number(form.get('days')), Number(form.get('history'))];
    const inDays = (count: number): string => new Date(clock.nowMs() + count * dayMs).toISOString();
    const client = await this.bank.client();
    const consentId = await client.createConsent({
      permissions,
      ...(days > 0 && { expires: inDays(days) }),
      ...(history > 0 && { from: inDays(-history) }),
    });
    return this.sendToBank(visit, consentId, { permissions, returnTo: '/' });
  }

  private async reauthenticate(visit: Visit, form: URLSearchParams): Promise<FastifyReply> {
    const { connection } = visit.session;
    if (connection === undefined) return visit.leaveFor('/');
    const { access, permissions } = connection;
    const asked = form.get('return') ?? '';
    const returnTo = /^\/accounts\/[\w%.~-]+\/[a-z-]+(\?|$)/.test(asked) ? asked : '/';
    return this.sendToBank(visit, access.consentId, { permissions, returnTo });
  }

  private async disconnect(visit: Visit): Promise<FastifyReply> {
    const { connection } = visit.session;
    if (connection === undefined) return visit.leaveFor('/');
    const exchange = await (await this.bank.client()).deleteConsent(connection.access.consentId);
    const { status } = exchange.response;
    if (status !== 204 && status !== 400)
      return visit.goOn({ words: `The bank did not end the access: it answered ${status}. Try again.` });
    disconnect(visit.session);
    const words = 'You are disconnected: Moneyview sees nothing any more.';
    return visit.goOn({ words, exchanges: [exchange] });
  }

  private async sendToBank(visit: Visit, consentId: string, attempt: Omit<AuthorisationAttempt, 'departure'>) {
    const { url, departure } = await (await this.bank.client()).departure(consentId);
    visit.session.attempt = { ...attempt, departure };
    return visit.leaveFor(url.href);
  }

  private async arrive(visit: Visit): Promise<FastifyReply> {
    const { session, request } = visit;
    const { attempt } = session;
    if (attempt === undefined) return visit.goOn({ words: 'Nothing was asked of the bank in this browser.' });
    // An attempt counts once, however it ends.
    delete session.attempt;
    const { departure, permissions, returnTo } = attempt;
    const again = session.connection?.access.consentId === departure.consentId;
    try {
      const { origin } = this.settings;
      const client = await this.bank.client();
      const access = await client.arrival(new URL(request.url, origin), departure);
      session.connection = { access, permissions };
      return await visit.goOn({ words: again ? 'You identified yourself again.' : 'You are connected.' }, returnTo);
    } catch (error) {
      const fault = faultOfBank(error);
      if (fault === undefined) throw error;
      const words = `${again ? 'Nothing has changed' : 'You were not connected'}: ${fault}.`;
      return visit.goOn({ words }, again ? returnTo : '/');
    }
  }
}
