import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InteractionResults, Provider } from 'oidc-provider';
import type { Consent } from '../../consents/consent.js';
import type { ConsentService } from '../../consents/consent.service.js';
import { toOpenBankingError } from '../../http/error-responder.js';
import type { Profile } from '../../profiles/profile.js';
import { equalSecrets } from '../../security/client-certificate.js';
import { accessRequest, shownTpp } from './access-request.js';
import { cookieLine, hostCookie, readCookie, setCookie, type Cookie } from '../listeners/cookies.js';
import {
  fields,
  type AccessRequest,
  type CustomerPages,
  type Decision,
  type NoticeKind,
  type NoticeView,
  type PageForm,
} from '../pages/customer-pages.js';
import { readForm } from '../listeners/form-body.js';
import { intentClaim, readIntent, strongAuthentication } from '../oidc/intent.policy.js';
import {
  accountsToOffer,
  beginJourney,
  busyWith,
  ended,
  idle,
  journeyId,
  readChoice,
  signedIn,
  withMessage,
  type Journey,
  type Offer,
  type SignedInCustomer,
} from './journey.policy.js';
import type { KeptJourney } from './journey.store.js';
import { seeOther, sendPage } from '../listeners/page-answer.js';
import { accountsScope, interactionSeconds, mountPath, paths, type Interaction } from '../oidc/provider.js';
import { ClientGone } from '../listeners/request-body.js';
import { formToken } from '../sealing.js';
import {
  followEveryMs,
  followMs,
  provedBy,
  SignInSteps,
  type SignInOutcome,
  type SignInParts,
} from './sign-in-steps.js';
import type { TppLogoStore } from '../tpps/tpp-logo.store.js';
import type { TppStore } from '../tpps/tpp.store.js';

type Step = 'sign-in' | 'code' | 'decision' | 'cancel';

const steps: readonly string[] = ['sign-in', 'code', 'decision', 'cancel'] satisfies Step[];
/** What a post that ends the journey must prove beside the cookie: nothing, for it follows whatever ended it. */
const anyPost = '';
/** An open-ended consent's authorisation must have some end. */
const openEndedSeconds = 100 * 365 * 86_400;

export interface JourneyParts extends SignInParts {
  /** The library as it is now: it is made anew when the keys change. */
  readonly provider: () => Provider;
  readonly consents: ConsentService;
  readonly pages: CustomerPages;
  readonly tpps: TppStore;
  readonly logos: TppLogoStore;
  readonly profile: Profile;
  readonly tppUrl: string;
  /** Browsers come over TLS. */
  readonly secure: boolean;
}

/** One request of a customer's browser, with all that it is about. */
interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The journey's name in its URL. */
  readonly id: string;
  readonly interaction: Interaction;
  readonly kept: KeptJourney;
  readonly consent: Consent;
  readonly tpp: AccessRequest['tpp'];
  readonly redirectUri: string;
}

/**
 * The customer's way through the pages, over HTTP: `<mountPath>/interaction/<id>[/<step>]`. The id is no secret: all that is
 * shown or done needs the journey's cookie, which is another one after each step that changes who is signed in.
 */
export class JourneyController {
  private readonly steps: SignInSteps;

  constructor(private readonly parts: JourneyParts) {
    this.steps = new SignInSteps(parts);
  }

  /** Begins the journey of a request; gives where the browser goes, and the `Set-Cookie` line that it needs there. */
  async begin(interaction: Interaction): Promise<{ readonly location: string; readonly cookie: string }> {
    const { params, uid, parJti } = interaction as Interaction & { parJti?: string };
    const request = { id: journeyId(params, parJti), uid };
    const nowMs = this.parts.clock.nowMs();
    const expiresAt = new Date(nowMs + interactionSeconds * 1_000);
    const bearer = await this.parts.journeys.beginOf(request, beginJourney(nowMs, request), expiresAt);
    return { location: pageOf(request.id), cookie: cookieLine(this.cookie(request.id), bearer) };
  }

  async handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const [id = '', step, ...rest] = path.split('/');
    const known = rest.length === 0 && (step === undefined || steps.includes(step));
    const kept = known ? await this.find(request, id) : undefined;
    if (kept === undefined) return this.follow(request, response, id, known ? step : undefined);
    if (kept.journey.step === 'ended') return seeOther(response, resumeOf(id));
    const interaction = await this.interactionOf(kept);
    if (interaction === undefined) return this.notice(response, 400, { kind: 'ended' });
    try {
      const visit = await this.visit(request, response, id, kept, interaction);
      // Approved or refused already: a second click, or a page that was gone back to.
      if (interaction.result !== undefined) return await this.leave(visit);
      if (this.parts.clock.nowMs() >= kept.journey.deadlineMs)
        return await this.finishWithError(visit, 'the customer took too long');
      if (request.method === 'GET' && step === undefined) return this.show(visit);
      if (request.method === 'POST' && step !== undefined) return await this.post(visit, step as Step);
      response.writeHead(405, { allow: step === undefined ? 'GET' : 'POST' }).end();
    } catch (error) {
      this.fail(response, id, error);
    }
  }

  /** The library's name of the journey that has ended, for it to send the browser to the TPP; else the answer is given. */
  async resume(request: IncomingMessage, response: ServerResponse, id: string): Promise<string | undefined> {
    const kept = await this.find(request, id);
    if (kept !== undefined && kept.journey.step !== 'ended') seeOther(response, pageOf(id));
    if (kept === undefined) this.notice(response, 400, { kind: 'ended' });
    if (kept?.journey.step !== 'ended') return undefined;
    await this.parts.journeys.end(kept.bearer);
    setCookie(response, this.cookie(id));
    return kept.journey.request?.uid;
  }

  private async find(request: IncomingMessage, id: string): Promise<KeptJourney | undefined> {
    const bearer = readCookie(request, this.cookie(id));
    const kept = bearer && (await this.parts.journeys.find(bearer, this.parts.clock.nowMs()));
    return kept && kept.journey.request?.id === id ? kept : undefined;
  }

  private interactionOf({ journey }: KeptJourney): Promise<Interaction | undefined> {
    return this.parts.provider().Interaction.find(journey.request?.uid ?? '');
  }

  /** Under a cookie that was replaced: only who posts the same once more is led on, and gets the present one. */
  private async follow(
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    step: string | undefined,
  ): Promise<void> {
    const former = readCookie(request, this.cookie(id));
    const posted = former && step && request.method === 'POST' ? await readForm(request) : undefined;
    const bearer =
      former && posted && equalSecrets(posted.get(fields.csrf) ?? undefined, formToken(former))
        ? await this.parts.journeys.successor(
            former,
            step === 'sign-in' || step === 'code' ? provedBy(posted) : anyPost,
          )
        : undefined;
    if (bearer === undefined) return this.notice(response, 400, { kind: 'ended' });
    this.goOn({ response, id }, bearer);
  }

  private async visit(
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    kept: KeptJourney,
    interaction: Interaction,
  ): Promise<Visit> {
    const { tpps, logos, consents } = this.parts;
    const { claims, client_id: clientId, redirect_uri: redirectUri } = interaction.params;
    const asked = readIntent(JSON.parse(String(claims)));
    if ('error' in asked) throw new Error(`a request without ${intentClaim} came as far as the pages`);
    const [consent, tpp] = await Promise.all([consents.find(asked.consentId), tpps.find(String(clientId))]);
    return {
      request,
      response,
      id,
      interaction,
      kept,
      consent,
      tpp: shownTpp(String(clientId), tpp, tpp && (await logos.shown([tpp]))),
      redirectUri: String(redirectUri),
    };
  }

  private show(visit: Visit): void {
    const { kept, consent, tpp } = visit;
    const { journey } = kept;
    const again = consent.status !== 'AwaitingAuthorisation';
    if (again && consent.status !== 'Authorised') return this.noticeOf(visit, 'already-decided');
    // Withdrawn since the customer signed in, in another window: only another sign-in can give it again.
    if (journey.step === 'decide' && consent.ended && consent.ended.at.getTime() >= journey.customer.authenticatedAtMs)
      return this.noticeOf(visit, 'already-decided');
    const common = {
      again,
      ...(consent.ended && { withdrawnAt: consent.ended.at }),
      request: accessRequest(consent, tpp),
      ...(journey.message && { message: journey.message }),
    };
    const { pages } = this.parts;
    switch (journey.step) {
      case 'ended':
        return seeOther(visit.response, resumeOf(visit.id));
      case 'sign-in':
        return this.page(visit, pages.signIn({ ...common, form: form(visit, 'sign-in') }));
      case 'code': {
        const { sentTo } = journey.challenge;
        return this.page(visit, pages.oneTimeCode({ ...common, form: form(visit, 'code'), sentTo }));
      }
      case 'decide': {
        const customerName = journey.customer.displayName;
        if (consent.authorisation === undefined) {
          if (journey.offered.length === 0) return this.noticeOf(visit, 'no-accounts');
          const accounts = journey.offered.map(shown);
          return this.page(
            visit,
            pages.authorise({ ...common, form: form(visit, 'decision'), customerName, accounts }),
          );
        }
        const selected = new Set(consent.authorisation.accounts.map(({ ref }) => ref));
        return this.page(
          visit,
          pages.reauthenticate({
            ...common,
            form: form(visit, 'decision'),
            customerName,
            accounts: journey.offered.filter(({ ref }) => selected.has(ref)).map(shown),
            givenAt: consent.statusUpdatedAt,
          }),
        );
      }
    }
  }

  private async post(visit: Visit, step: Step): Promise<void> {
    const posted = await readForm(visit.request);
    // A page of another site cannot know the token: whatever it posts changes nothing.
    if (posted === undefined || !equalSecrets(posted.get(fields.csrf) ?? undefined, formToken(visit.kept.bearer)))
      return this.noticeOf(visit, 'form-expired', 403);
    const decision = (posted.get(fields.decision) ?? 'continue') as Decision;
    if (step === 'cancel' || decision === 'cancel')
      return this.end(visit, (claimed) => this.finishWithError(claimed, 'the customer went back'));
    switch (step) {
      case 'sign-in':
        return this.answer(visit, await this.steps.signIn(visit, visit.kept, posted));
      case 'code':
        return this.code(visit, posted);
      case 'decision':
        return this.decide(visit, decision, posted.getAll(fields.account));
    }
  }

  private async code(visit: Visit, posted: URLSearchParams): Promise<void> {
    const { consent } = visit;
    const outcome = await this.steps.code(visit, visit.kept, posted);
    if (outcome.kind !== 'signed-in') return this.answer(visit, outcome);
    const { customer, kept } = outcome;
    const { authorisation } = consent;
    if (authorisation !== undefined && authorisation.customerRef !== customer.customerRef)
      return this.noticeOf({ ...visit, kept }, 'another-customer', 403);
    try {
      const offered = await this.offers(customer.customerRef, consent);
      const renewed = await this.parts.journeys.renew(kept, signedIn(kept.journey, customer, offered), outcome.posted);
      this.goOn(visit, renewed?.bearer);
    } catch (error) {
      this.answer(visit, await this.steps.unavailable(kept, error));
    }
  }

  private answer(visit: Visit, outcome: SignInOutcome): void {
    if (outcome.kind === 'blocked') this.noticeOf(visit, 'blocked', 429);
    else this.goOn(visit, outcome.kind === 'go-on' ? outcome.bearer : undefined);
  }

  private async offers(customerRef: string, consent: Consent): Promise<Offer[]> {
    const accounts = await this.parts.customers.accounts(customerRef, this.signal());
    return accountsToOffer(accounts, consent.permissions, this.parts.profile).map(
      ({ ref, product, name, endsWith }) => ({
        key: randomBytes(9).toString('base64url'),
        ref,
        product,
        name,
        endsWith,
      }),
    );
  }

  private async decide(visit: Visit, decision: Decision, keys: readonly string[]): Promise<void> {
    const { consent, kept } = visit;
    const { journey } = kept;
    if (journey.step !== 'decide') return this.goOn(visit);
    const again = consent.authorisation !== undefined;
    if (decision === 'deny')
      return this.end(visit, async (claimed) => {
        // Refusing to authenticate again takes nothing away that was given before.
        if (!again) await this.parts.consents.reject(consent.consentId, journey.customer.customerRef);
        await this.finishWithError(claimed, 'the customer refused');
      });
    // Neither: Enter was pressed on a check box. The browser stays where it is, with all that was chosen (RFC 9110, 15.3.5).
    if (decision !== 'approve') return void visit.response.writeHead(204).end();
    // A double click of which the first has given the access meanwhile: this one follows where that led.
    if (gaveAccess(journey.customer, consent)) return this.wait(visit);
    // Chosen on a page from before another window gave the access: its choice must not be passed over in silence.
    if (again && keys.length > 0) return this.noticeOf(visit, 'already-decided', 409);
    const refs = again ? [] : readChoice(journey.offered, keys);
    if (refs === undefined) return this.noticeOf(visit, 'form-expired', 400);
    if (!again && refs.length === 0) return this.step(visit, withMessage(journey, 'choose-an-account'));

    return this.end(visit, (claimed) => this.approve(claimed, journey.customer, refs));
  }

  /** @param refs the chosen accounts; none where the access was given before */
  private async approve(visit: Visit, customer: SignedInCustomer, refs: readonly string[]): Promise<void> {
    const { consent } = visit;
    const { customerRef, displayName, authenticatedAtMs } = customer;
    const authenticatedAt = new Date(authenticatedAtMs);
    const grant = await this.grant(visit);
    try {
      if (consent.authorisation !== undefined)
        await this.parts.consents.reauthenticate(
          consent.consentId,
          customerRef,
          authenticatedAt,
          grant.authorisationId,
        );
      else
        await this.parts.consents.authorise(
          consent.consentId,
          { customerRef, displayName, accounts: refs, authenticatedAt, authorisationId: grant.authorisationId },
          { interactionId: randomUUID(), signal: this.signal() },
        );
    } catch (error) {
      await grant.discard();
      await this.parts.journeys.step(visit.kept, idle(visit.kept.journey));
      throw error;
    }
    await this.finish(visit, {
      login: {
        accountId: consent.consentId,
        acr: strongAuthentication,
        ts: Math.floor(authenticatedAtMs / 1_000),
        remember: false,
      },
      consent: { grantId: grant.authorisationId },
    });
  }

  /**
   * Ends the journey by `act`. Of two clicks, or of what two windows answer at once, one has the right to, and the other is
   * led where that one leads. What the TPP is told is so what happened to the consent.
   */
  private async end(visit: Visit, act: (claimed: Visit) => Promise<void>): Promise<void> {
    const { journeys, clock, deadlineMs } = this.parts;
    const { journey } = visit.kept;
    const nowMs = clock.nowMs();
    const isDecided = journey.step === 'decide' && journey.busy !== undefined && nowMs < journey.busy.untilMs;
    const busy = { untilMs: nowMs + deadlineMs + followMs, post: anyPost };
    const kept = isDecided ? undefined : await journeys.step(visit.kept, busyWith(journey, busy));
    return kept === undefined ? this.wait(visit) : act({ ...visit, kept });
  }

  /** The library's side of the authorisation, kept before the consent names it: a named one must be there. */
  private async grant({ interaction, consent }: Visit): Promise<{ authorisationId: string; discard(): Promise<void> }> {
    const grant = new (this.parts.provider().Grant)({
      clientId: String(interaction.params['client_id']),
      accountId: consent.consentId,
    });
    const nowSeconds = Math.floor(this.parts.clock.nowMs() / 1_000);
    grant.jti = randomUUID();
    grant.exp = consent.expires ? Math.floor(consent.expires.atMs / 1_000) : nowSeconds + openEndedSeconds;
    grant.addOIDCScope('openid');
    grant.addOIDCClaims([intentClaim, 'acr', 'auth_time']);
    grant.addResourceScope(this.parts.tppUrl, accountsScope);
    const authorisationId = await grant.save();
    return { authorisationId, discard: () => grant.destroy() };
  }

  /** For the answer that another post is giving. */
  private async wait({ kept: { bearer }, response, id }: Visit): Promise<void> {
    const { journeys, clock } = this.parts;
    for (let waitedMs = 0; waitedMs < followMs; waitedMs += followEveryMs) {
      if ((await journeys.find(bearer, clock.nowMs())) === undefined) break;
      await sleep(followEveryMs);
    }
    this.goOn({ response, id }, await journeys.successor(bearer, anyPost));
  }

  /** Nothing was decided, or the customer refused: the TPP is told, and told no more than that. */
  private async finishWithError(visit: Visit, description: string): Promise<void> {
    await this.finish(visit, { error: 'access_denied', error_description: description });
  }

  private async finish(visit: Visit, result: InteractionResults): Promise<void> {
    visit.interaction.result = result;
    await visit.interaction.persist();
    await this.leave(visit);
  }

  /** To the TPP, under the last value of the cookie. */
  private async leave({ kept, response, id }: Visit): Promise<void> {
    const { journeys } = this.parts;
    const last = await journeys.renew(kept, ended(kept.journey), anyPost);
    const bearer = last?.bearer ?? (await journeys.successor(kept.bearer, anyPost));
    if (bearer !== undefined) setCookie(response, this.cookie(id), bearer);
    seeOther(response, resumeOf(id));
  }

  private async step(visit: Visit, journey: Journey): Promise<void> {
    // Where another window took a step first, the customer sees where that led.
    await this.parts.journeys.step(visit.kept, journey);
    this.goOn(visit);
  }

  /** @param bearer of the cookie, where that is another one now */
  private goOn({ response, id }: Pick<Visit, 'response' | 'id'>, bearer?: string): void {
    if (bearer !== undefined) setCookie(response, this.cookie(id), bearer);
    seeOther(response, pageOf(id));
  }

  /** Each journey of a browser has its own, so that two tabs do not meet. */
  private cookie(id: string): Cookie {
    return hostCookie(`journey_${id.slice(0, 12)}`, this.parts.secure, interactionSeconds);
  }

  private fail(response: ServerResponse, id: string, error: unknown): void {
    if (error instanceof ClientGone) throw error;
    const { kind, details } = toOpenBankingError(error);
    if (kind === 'field-invalid' && details[0]?.path === 'customerRef')
      return this.notice(response, 403, { kind: 'another-customer' });
    if (kind === 'consent-status' || kind === 'consent-not-found')
      return this.notice(response, 409, { kind: 'already-decided' });
    this.parts.onFault(error);
    this.notice(response, 503, { kind: 'unavailable', resume: pageOf(id) });
  }

  private page({ response, redirectUri }: Visit, html: string): void {
    sendPage(response, 200, html, { redirect: redirectUri });
  }

  private noticeOf(visit: Visit, kind: NoticeKind, status = 200, more: Partial<NoticeView> = {}): void {
    const { response, tpp, id, redirectUri } = visit;
    const view: NoticeView = {
      kind,
      tpp,
      ...more,
      ...(kind === 'form-expired' ? { resume: pageOf(id) } : { back: form(visit, 'cancel') }),
    };
    sendPage(response, status, this.parts.pages.notice(view), { redirect: redirectUri });
  }

  private notice(response: ServerResponse, status: number, view: NoticeView): void {
    sendPage(response, status, this.parts.pages.notice(view));
  }

  private signal(): AbortSignal {
    return AbortSignal.timeout(this.parts.deadlineMs);
  }
}

function pageOf(id: string): string {
  return `${mountPath}/interaction/${id}`;
}

function resumeOf(id: string): string {
  return `${mountPath}${paths.authorization}/${id}`;
}

function form({ id, kept }: Visit, step: Step): PageForm {
  return { action: `${pageOf(id)}/${step}`, csrf: formToken(kept.bearer) };
}

function shown({ key, name, endsWith, product }: Offer): Pick<Offer, 'key' | 'name' | 'endsWith' | 'product'> {
  return { key, name, endsWith, product };
}

/** Whether the access that the consent gives now was given by this very sign-in. */
function gaveAccess(customer: SignedInCustomer, { authorisation }: Consent): boolean {
  return (
    authorisation?.customerRef === customer.customerRef &&
    authorisation.lastAuthenticatedAt.getTime() === customer.authenticatedAtMs
  );
}
