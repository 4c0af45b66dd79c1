import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Clock } from '../../src/clock/clock.js';
import { type BankAccess, end, isRefusedToken } from './bank-access.js';
import { listIn, textAt } from '../clients/exchange.js';
import type { Connection } from './sessions.js';
import {
  type HomeView,
  type Resource,
  accountName,
  accounts,
  isResource,
  resourceName,
  resourcePage,
  resourcesFor,
  welcome,
} from './views.js';
import type { SiteRequest, SiteRequests } from './site-request.js';

const dayMs = 86_400_000;
/** A little less than the 90 days that may be read without a fresh authentication: the bank's clock decides. */
const recentDays = 89;

/** The pages with the customer's data. */
export class AccountsRoutes {
  constructor(
    private readonly siteRequests: SiteRequests,
    private readonly bank: BankAccess,
    private readonly home: Omit<HomeView, 'session'>,
    private readonly clock: Clock,
  ) {}

  declare(server: FastifyInstance): void {
    server.get('/', async (request, reply) => this.overview(this.siteRequests.open(request, reply)));
    server.get<{ Params: { id: string; resource: string } }>('/accounts/:id/:resource', async (request, reply) => {
      const site = this.siteRequests.open(request, reply);
      const { id, resource } = request.params;
      return isResource(resource) ? this.resource(site, id, resource) : site.notFound();
    });
  }

  private async overview(site: SiteRequest): Promise<FastifyReply> {
    const { session } = site;
    const connection = await this.bank.renewed(session, 'connection');
    if (connection === undefined) return site.page('See your bank accounts', welcome({ session, ...this.home }));
    const read = await (await this.bank.client(connection.api)).read('/accounts', connection.access);
    const ids = listIn(read.json, 'Account').map((account) => {
      const id = textAt(account, 'AccountId') ?? '';
      session.accountNames.set(id, accountName(account));
      return id;
    });
    const balances = await Promise.all(
      ids.map(async (id) => [id, await this.read(connection, id, 'balances', {})] as const),
    );
    if ([read, ...balances.map(([, exchange]) => exchange)].some(isRefusedToken)) return ended(site);
    const into = resourcesFor(connection.permissions).includes('transactions') ? 'transactions' : 'balances';
    return site.page('Your accounts', accounts(read, new Map(balances), into, session));
  }

  private async resource(site: SiteRequest, accountId: string, resource: Resource): Promise<FastifyReply> {
    const { session, request } = site;
    const connection = await this.bank.renewed(session, 'connection');
    if (connection === undefined) return site.leaveFor('/');
    const exchange = await this.read(connection, accountId, resource, request.query as Record<string, unknown>);
    if (isRefusedToken(exchange)) return ended(site);
    const title = session.accountNames.get(accountId) ?? resourceName(resource);
    return site.page(title, resourcePage({ accountId, resource, exchange, session, path: request.url }));
  }

  private async read(
    { access, api }: Connection,
    accountId: string,
    resource: Resource,
    query: Record<string, unknown>,
  ) {
    return (await this.bank.client(api)).read(pathOf(accountId, resource, query, this.clock.nowMs()), access);
  }
}

function ended(site: SiteRequest): FastifyReply {
  end(site.session, 'connection');
  return site.leaveFor('/');
}

/** The API's path. The query of a link to another page of an answer is passed on as it is. */
function pathOf(accountId: string, resource: Resource, given: Record<string, unknown>, nowMs: number): string {
  const query = new URLSearchParams();
  if (resource === 'transactions')
    query.set('fromBookingDateTime', new Date(nowMs - recentDays * dayMs).toISOString().slice(0, 10));
  for (const name of ['fromBookingDateTime', 'page']) {
    const value = given[name];
    if (typeof value === 'string') query.set(name, value);
  }
  const name = resource === 'all-transactions' ? 'transactions' : resource;
  return `/accounts/${encodeURIComponent(accountId)}/${name}${query.size > 0 ? `?${query.toString()}` : ''}`;
}
