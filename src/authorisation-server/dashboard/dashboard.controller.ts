import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthenticatedCustomer } from '../../customer-authentication/customer-authentication.js';
import { equalSecrets } from '../../security/client-certificate.js';
import { hostCookie, newBearer, readCookie, setCookie, type Cookie } from '../listeners/cookies.js';
import { CustomerAccess, type CustomerAccessParts } from './customer-access.js';
import { fields, type PageForm } from '../pages/customer-pages.js';
import type { DashboardNoticeView, DashboardPages, DashboardSignInView } from '../pages/dashboard-views.js';
import type { DashboardSessionStore } from './dashboard-session.store.js';
import { readForm } from '../listeners/form-body.js';
import { beginJourney, journeyMs } from '../journey/journey.policy.js';
import { seeOther, sendPage } from '../listeners/page-answer.js';
import { mountPath } from '../oidc/provider.js';
import { ClientGone } from '../listeners/request-body.js';
import { formToken } from '../sealing.js';
import {
  provedBy,
  readCredentials,
  SignInSteps,
  type Exchange,
  type SignInOutcome,
  type SignInParts,
} from '../journey/sign-in-steps.js';

/** Where the access dashboard is, on the browsers' listener. */
export const dashboardPath = `${mountPath}/dashboard`;

export interface DashboardParts extends SignInParts, CustomerAccessParts {
  readonly pages: DashboardPages;
  readonly sessions: DashboardSessionStore;
  /** Browsers come over TLS. */
  readonly secure: boolean;
}

/** A request of a customer who is signed in. */
interface Visit extends Exchange {
  readonly bearer: string;
  readonly customer: AuthenticatedCustomer;
}

/** The customer's access dashboard, over HTTP: `<dashboardPath>[/<step>]`. */
export class DashboardController {
  private readonly steps: SignInSteps;
  private readonly access: CustomerAccess;
  private readonly sessionCookie: Cookie;
  /**
   * Another one than the session's, and replaced after the first factor: who plants a value before the sign-in has nothing
   * after it.
   */
  private readonly signInCookie: Cookie;

  constructor(private readonly parts: DashboardParts) {
    this.steps = new SignInSteps(parts);
    this.access = new CustomerAccess(parts);
    this.sessionCookie = hostCookie('dashboard_session', parts.secure);
    this.signInCookie = hostCookie('dashboard_sign_in', parts.secure);
  }

  /** @param path what follows {@link dashboardPath}, without the query */
  async handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const exchange = { request, response };
    const [, step = '', consentId, ...rest] = path.split('/');
    const ways = consentId === undefined ? this.ways : this.waysOfConsent;
    const methods = rest.length === 0 ? ways.get(step) : undefined;
    if (methods === undefined) return void response.writeHead(404, { 'content-length': 0 }).end();
    const way = methods.get(request.method ?? '');
    if (way === undefined) {
      response.writeHead(405, { 'content-length': 0, allow: [...methods.keys()].join(', ') }).end();
      return;
    }
    try {
      await way(exchange, consentId ?? '');
    } catch (error) {
      if (error instanceof ClientGone) throw error;
      this.parts.onFault(error);
      this.notice(response, 503, { kind: 'unavailable', resume: dashboardPath });
    }
  }

  private readonly ways: Ways = new Map([
    ['', new Map([['GET', (exchange) => this.open(exchange)]])],
    ['sign-in', new Map([['POST', (exchange) => this.identify(exchange, 'signIn')]])],
    ['code', new Map([['POST', (exchange) => this.identify(exchange, 'code')]])],
    ['sign-out', new Map([['POST', (exchange) => this.signOut(exchange)]])],
  ]);

  private readonly waysOfConsent: Ways = new Map([
    [
      'withdraw',
      new Map([
        ['GET', (exchange, consentId) => this.confirmWithdrawal(exchange, consentId)],
        ['POST', (exchange, consentId) => this.withdraw(exchange, consentId)],
      ]),
    ],
  ]);

  private async open(exchange: Exchange): Promise<void> {
    const visit = await this.visit(exchange);
    return visit === undefined ? this.showSignIn(exchange) : this.showOverview(visit);
  }

  private async showSignIn({ request, response }: Exchange): Promise<void> {
    const { clock, journeys, pages } = this.parts;
    const known = readCookie(request, this.signInCookie);
    const nowMs = clock.nowMs();
    const kept = known && (await journeys.find(known, nowMs));
    const over = kept && nowMs >= kept.journey.deadlineMs;
    const uid = known === undefined || over ? newBearer() : known;
    if (uid !== known) setCookie(response, this.signInCookie, uid);
    const journey = kept && !over ? kept.journey : undefined;
    const message = journey?.message && { message: journey.message };
    if (journey?.step === 'code') {
      const { sentTo } = journey.challenge;
      return sendPage(response, 200, pages.oneTimeCode({ form: formFor('code', uid), sentTo, ...message }));
    }
    sendPage(response, 200, pages.signIn({ form: formFor('sign-in', uid), ...(message ?? this.whyHere(request)) }));
  }

  private whyHere(request: IncomingMessage): Pick<DashboardSignInView, 'ended' | 'message'> {
    if (queryOf(request).has('incomplete')) return { message: 'incomplete' };
    if (queryOf(request).has('signed-out')) return { ended: 'signed-out' };
    // Of a session that lasts no longer: signing out takes the cookie away.
    return readCookie(request, this.sessionCookie) === undefined ? {} : { ended: 'timed-out' };
  }

  /** Nothing is written before a whole form comes: who merely looks, or makes a cookie and its token, leaves no row. */
  private async identify(exchange: Exchange, step: 'signIn' | 'code'): Promise<void> {
    const { request, response } = exchange;
    const { clock, journeys } = this.parts;
    const uid = readCookie(request, this.signInCookie);
    const posted = await this.readOwnForm(exchange, uid);
    if (posted === undefined || uid === undefined) return;
    // Who begins to sign in, in a window from before, does not mean to see what another one sees.
    await this.endSession(exchange);
    const nowMs = clock.nowMs();
    const begun = await journeys.find(uid, nowMs);
    if (begun === undefined) {
      const bearer = await journeys.successor(uid, provedBy(posted));
      if (bearer !== undefined) return this.answer(exchange, { kind: 'go-on', bearer });
      if (step === 'code') return seeOther(response, dashboardPath);
      if (readCredentials(posted) === undefined) return seeOther(response, `${dashboardPath}?incomplete`);
      await journeys.begin(uid, beginJourney(nowMs), nowMs, new Date(nowMs + journeyMs));
    }
    const kept = begun ?? (await journeys.find(uid, nowMs));
    if (kept === undefined || nowMs >= kept.journey.deadlineMs) return seeOther(response, dashboardPath);
    await this.answer(exchange, await this.steps[step](exchange, kept, posted));
  }

  private async answer({ response }: Exchange, outcome: SignInOutcome): Promise<void> {
    if (outcome.kind === 'go-on' && outcome.bearer !== undefined)
      setCookie(response, this.signInCookie, outcome.bearer);
    if (outcome.kind === 'blocked') return this.notice(response, 429, { kind: 'blocked', resume: dashboardPath });
    if (outcome.kind === 'signed-in') {
      const { clock, journeys, sessions } = this.parts;
      const bearer = newBearer();
      await sessions.begin(bearer, outcome.customer, clock.nowMs());
      await journeys.end(outcome.kept.bearer);
      setCookie(response, this.sessionCookie, bearer);
      setCookie(response, this.signInCookie);
    }
    seeOther(response, dashboardPath);
  }

  private async signOut(exchange: Exchange): Promise<void> {
    if ((await this.readOwnForm(exchange, readCookie(exchange.request, this.sessionCookie))) === undefined) return;
    await this.endSession(exchange);
    seeOther(exchange.response, `${dashboardPath}?signed-out`);
  }

  private async endSession({ request, response }: Exchange): Promise<void> {
    const bearer = readCookie(request, this.sessionCookie);
    if (bearer === undefined) return;
    await this.parts.sessions.end(bearer);
    setCookie(response, this.sessionCookie);
  }

  private async showOverview({ request, response, bearer, customer }: Visit): Promise<void> {
    const { customerRef } = customer;
    const query = queryOf(request);
    const [currentFrom, pastFrom] = [query.get('current') ?? undefined, query.get('past') ?? undefined];
    const [current, past, withdrawn] = await Promise.all([
      this.access.page(customerRef, 'current', currentFrom),
      this.access.page(customerRef, 'past', pastFrom),
      this.access.withdrawnFrom(customerRef, query.get('withdrawn') ?? ''),
    ]);
    const page = this.parts.pages.overview({
      customerName: customer.displayName,
      signOut: formFor('sign-out', bearer),
      current: current.items.map(({ consentId, ...access }) => ({
        ...access,
        withdraw: `${dashboardPath}/${withdrawalStep(consentId)}`,
      })),
      past: past.items
        .flatMap(({ consentId: _, end, ...access }) => (end ? [{ ...access, endedAt: end.at, how: end.how }] : []))
        .sort((one, other) => other.endedAt.getTime() - one.endedAt.getTime()),
      ...(current.next !== undefined && { moreCurrent: overviewFrom({ current: current.next, past: pastFrom }) }),
      ...(past.next !== undefined && { morePast: overviewFrom({ current: currentFrom, past: past.next }) }),
      ...(withdrawn && { withdrawn: withdrawn.name }),
    });
    sendPage(response, 200, page);
  }

  private async confirmWithdrawal(exchange: Exchange, consentId: string): Promise<void> {
    const { response } = exchange;
    const visit = await this.visit(exchange);
    if (visit === undefined) return seeOther(response, dashboardPath);
    const access = await this.access.current(visit.customer.customerRef, consentId);
    if (access === undefined) return this.noAccess(response);
    const page = this.parts.pages.confirmWithdrawal({
      access,
      form: formFor(withdrawalStep(consentId), visit.bearer),
      keep: dashboardPath,
      signOut: formFor('sign-out', visit.bearer),
    });
    sendPage(response, 200, page);
  }

  private async withdraw(exchange: Exchange, consentId: string): Promise<void> {
    const { request, response } = exchange;
    if ((await this.readOwnForm(exchange, readCookie(request, this.sessionCookie))) === undefined) return;
    const visit = await this.visit(exchange);
    if (visit === undefined) return seeOther(response, dashboardPath);
    if (!(await this.access.withdraw(visit.customer.customerRef, consentId))) return this.noAccess(response);
    seeOther(response, `${dashboardPath}?withdrawn=${encodeURIComponent(consentId)}`);
  }

  private async visit(exchange: Exchange): Promise<Visit | undefined> {
    const bearer = readCookie(exchange.request, this.sessionCookie);
    const customer = bearer && (await this.parts.sessions.use(bearer, this.parts.clock.nowMs()));
    return bearer && customer ? { ...exchange, bearer, customer } : undefined;
  }

  /** The posted form, where it came from a page that we gave to this browser; else it is refused here. */
  private async readOwnForm(exchange: Exchange, bearer: string | undefined): Promise<URLSearchParams | undefined> {
    const posted = await readForm(exchange.request);
    if (bearer !== undefined && equalSecrets(posted?.get(fields.csrf) ?? undefined, formToken(bearer))) return posted;
    this.notice(exchange.response, 403, { kind: 'form-expired', resume: dashboardPath });
    return undefined;
  }

  private noAccess(response: ServerResponse): void {
    this.notice(response, 404, { kind: 'no-access', resume: dashboardPath });
  }

  private notice(response: ServerResponse, status: number, view: DashboardNoticeView): void {
    sendPage(response, status, this.parts.pages.notice(view));
  }
}

type Way = (exchange: Exchange, consentId: string) => Promise<void>;
/** By the step of the path, then by method. */
type Ways = ReadonlyMap<string, ReadonlyMap<string, Way>>;

function formFor(step: string, bearer: string): PageForm {
  return { action: `${dashboardPath}/${step}`, csrf: formToken(bearer) };
}

/** The overview whose lists begin after these. */
function overviewFrom(cursors: Readonly<Record<'current' | 'past', string | undefined>>): string {
  const given = Object.entries(cursors).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${dashboardPath}?${new URLSearchParams(given).toString()}`;
}

function withdrawalStep(consentId: string): string {
  return `withdraw/${encodeURIComponent(consentId)}`;
}

function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  return new URLSearchParams(url.split('?')[1]);
}
