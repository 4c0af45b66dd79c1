import { Injectable } from '@nestjs/common';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AuthorisationLog } from '../listeners/authorisation-log.js';
import { declareRoutes } from '../../server/routes.js';
import { seeOther, sendPage } from '../listeners/page-answer.js';
import { acceptForms, formTooLarge } from '../listeners/posted-form.js';
import { hasGone } from '../listeners/fault-answers.js';
import { returnedStep } from '../sign-in/journey-addresses.js';
import type { Exchange } from '../sign-in/exchange.js';
import { PagesByLanguage } from '../pages/pages.js';
import { dashboardPath, type PageForm } from '../pages/customer-pages.js';
import { CustomerAccess } from './customer-access.js';
import { DashboardSessions, type SignedInExchange } from './dashboard-sessions.js';
import { DashboardSignIn } from './dashboard-sign-in.js';
import { formToken } from '../sealing.js';

/** The customer's access dashboard, over HTTP. */
@Injectable()
export class DashboardRoutes {
  constructor(
    private readonly sessions: DashboardSessions,
    private readonly signIn: DashboardSignIn,
    private readonly access: CustomerAccess,
    private readonly pages: PagesByLanguage,
    private readonly log: AuthorisationLog,
  ) {}

  declare(server: FastifyInstance): void {
    // A customer who types the bank's address alone.
    declareRoutes(server, '', (routes) => {
      routes.get('/', (_request, reply) => reply.redirect(dashboardPath, 303));
    });
    declareRoutes(server, dashboardPath, (routes) => {
      acceptForms(routes);
      routes.setErrorHandler((error: FastifyError, request, reply) => this.failed(error, request, reply));
      routes.get(
        '/',
        answering((exchange) => this.open(exchange)),
      );
      this.declareSignIn(routes);
      routes.post(
        '/sign-out',
        answering((exchange) => this.signOut(exchange)),
      );
      routes.get(
        '/withdraw/:consentId',
        answering((exchange) => this.confirmWithdrawal(exchange, consentIdOf(exchange))),
      );
      routes.post(
        '/withdraw/:consentId',
        answering((exchange) => this.withdraw(exchange, consentIdOf(exchange))),
      );
    });
  }

  private declareSignIn(routes: FastifyInstance): void {
    for (const step of ['sign-in', 'code', 'customer'] as const)
      routes.post(
        `/${step}`,
        answering((exchange) => this.signIn.post(exchange, step)),
      );
    routes.get(
      `/${returnedStep}`,
      answering((exchange) => this.signIn.returned(exchange)),
    );
  }

  private async open(exchange: Exchange): Promise<void> {
    const signedIn = await this.sessions.signedIn(exchange);
    return signedIn === undefined ? this.signIn.show(exchange) : this.showOverview(signedIn);
  }

  private async signOut(exchange: Exchange): Promise<void> {
    const { request, reply } = exchange;
    if (this.sessions.readForm(exchange, this.sessions.bearerOf(request)) === undefined) return;
    await this.sessions.end(exchange);
    seeOther(reply, `${dashboardPath}?signed-out`);
  }

  private async showOverview({ request, reply, bearer, customer }: SignedInExchange): Promise<void> {
    const { customerRef } = customer;
    const [currentFrom, pastFrom, withdrawnId] = ['current', 'past', 'withdrawn'].map((name) => queryOf(request, name));
    const [current, past, withdrawn] = await Promise.all([
      this.access.page(customer, 'current', currentFrom),
      this.access.page(customer, 'past', pastFrom),
      withdrawnId === undefined ? undefined : this.access.withdrawnFrom(customerRef, withdrawnId),
    ]);
    const page = this.pages
      .for(request)
      .overview({
        customerName: customer.displayName,
        signOut: formFor('sign-out', bearer),
        continued: currentFrom !== undefined || pastFrom !== undefined,
        current: current.items
          .map(({ consentId, ...access }) => ({ ...access, withdraw: `${dashboardPath}/${withdrawalStep(consentId)}` }))
          .sort((one, other) => other.givenAt.getTime() - one.givenAt.getTime()),
        past: past.items
          .flatMap(({ consentId: _, end, ...access }) => (end ? [{ ...access, endedAt: end.at, how: end.how }] : []))
          .sort((one, other) => other.endedAt.getTime() - one.endedAt.getTime()),
        ...(current.next !== undefined && { moreCurrent: overviewOf({ current: current.next, past: pastFrom }) }),
        ...(past.next !== undefined && { morePast: overviewOf({ current: currentFrom, past: past.next }) }),
        ...(withdrawn && { withdrawn }),
      });
    sendPage(reply, 200, page);
  }

  private async confirmWithdrawal(exchange: Exchange, consentId: string): Promise<void> {
    const { request, reply } = exchange;
    const signedIn = await this.sessions.signedIn(exchange);
    if (signedIn === undefined) return seeOther(reply, dashboardPath);
    const access = await this.access.current(signedIn.customer, consentId);
    if (access === undefined) return this.noAccess(reply);
    const page = this.pages
      .for(request)
      .confirmWithdrawal({
        access,
        form: formFor(withdrawalStep(consentId), signedIn.bearer),
        keep: dashboardPath,
        signOut: formFor('sign-out', signedIn.bearer),
      });
    sendPage(reply, 200, page);
  }

  private async withdraw(exchange: Exchange, consentId: string): Promise<void> {
    const { request, reply } = exchange;
    if (this.sessions.readForm(exchange, this.sessions.bearerOf(request)) === undefined) return;
    const signedIn = await this.sessions.signedIn(exchange);
    if (signedIn === undefined) return seeOther(reply, dashboardPath);
    if (!(await this.access.withdraw(signedIn.customer.customerRef, consentId))) return this.noAccess(reply);
    seeOther(reply, `${dashboardPath}?withdrawn=${encodeURIComponent(consentId)}`);
  }

  private noAccess(reply: FastifyReply): void {
    this.sessions.notice(reply, 404, { kind: 'no-access', resume: dashboardPath });
  }

  private failed(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
    if (hasGone(request, reply)) return;
    if (error.code === formTooLarge)
      return this.sessions.notice(reply, 403, { kind: 'form-expired', resume: dashboardPath });
    this.log.fault(error);
    this.sessions.notice(reply, 503, { kind: 'outcome-unknown', resume: dashboardPath });
  }
}

function answering(act: (exchange: Exchange) => Promise<void>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    await act({ request, reply });
    return reply;
  };
}

function consentIdOf({ request }: Exchange): string {
  return (request.params as { consentId: string }).consentId;
}

/** The first of several. */
function queryOf({ query }: FastifyRequest, name: string): string | undefined {
  return [(query as Readonly<Record<string, string | string[] | undefined>>)[name] ?? []].flat()[0];
}

/** @param bearer the value of the cookie that the form is shown to */
function formFor(step: string, bearer: string): PageForm {
  return { action: `${dashboardPath}/${step}`, csrf: formToken(bearer) };
}

/** The overview whose lists begin after the cursors `current` and `past`. */
function overviewOf(parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return `${dashboardPath}?${new URLSearchParams(given).toString()}`;
}

function withdrawalStep(consentId: string): string {
  return `withdraw/${encodeURIComponent(consentId)}`;
}
