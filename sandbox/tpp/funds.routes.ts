import type { FastifyInstance, FastifyReply } from 'fastify';
import type { VersionName } from '../../src/versions/versions.js';
import { textAt } from '../clients/exchange.js';
import { type BankAccess, end, isRefusedToken } from './bank-access.js';
import { sendToBank } from './connection.routes.js';
import { checkPage, namePage } from './funds.views.js';
import { fundsPath } from './layout.js';
import type { SiteRequest, SiteRequests } from './site-request.js';

const title = 'Can I spend it?';

/** Asking the bank whether the customer can spend an amount. */
export class FundsRoutes {
  constructor(
    private readonly siteRequests: SiteRequests,
    private readonly bank: BankAccess,
    /** The names of the versions of the API, the newest first. */
    private readonly versions: readonly VersionName[],
  ) {}

  declare(server: FastifyInstance): void {
    const { siteRequests } = this;
    server.get(fundsPath, (request, reply) => {
      const site = siteRequests.open(request, reply);
      const { session } = site;
      return site.page(
        title,
        session.funds === undefined ? namePage(session, this.versions) : checkPage(session, session.funds),
      );
    });
    siteRequests.post(server, `${fundsPath}/connect`, (site, form) => this.connect(site, form));
    siteRequests.post(server, `${fundsPath}/check`, (site, form) => this.check(site, form));
  }

  private async connect(site: SiteRequest, form: URLSearchParams): Promise<FastifyReply> {
    const api = this.versions.find((name) => name === form.get('api'));
    if (api === undefined) return site.goOn({ words: 'Choose a version of the API that the bank serves.' }, fundsPath);
    const account = `${form.get('sort') ?? ''}${form.get('number') ?? ''}`.replace(/[\s-]/g, '');
    const exchange = await (await this.bank.client(api)).createFundsConsent(account);
    const consentId = textAt(exchange.json, 'Data', 'ConsentId');
    if (exchange.response.status !== 201 || consentId === undefined)
      return site.goOn({ words: 'The bank does not confirm funds of this account.', exchanges: [exchange] }, fundsPath);
    return sendToBank(site, this.bank, consentId, {
      asked: { name: 'funds', terms: { api, account } },
      returnTo: fundsPath,
    });
  }

  private async check(site: SiteRequest, form: URLSearchParams): Promise<FastifyReply> {
    const { session } = site;
    const funds = await this.bank.renewed(session, 'funds');
    if (funds === undefined) return site.leaveFor(fundsPath);
    const amount = (form.get('amount') ?? '').trim();
    const exchange = await (await this.bank.client(funds.api)).confirmFunds(funds.access, amount);
    if (isRefusedToken(exchange)) end(session, 'funds');
    else session.fundsCheck = exchange;
    return site.leaveFor(fundsPath);
  }
}
