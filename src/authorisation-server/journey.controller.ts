import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { errors as providerErrors, type InteractionResults, type Provider } from 'oidc-provider';
import type { Consent } from '../consents/consent.js';
import type { ConsentService } from '../consents/consent.service.js';
import { toOpenBankingError } from '../http/error-responder.js';
import type { Profile } from '../profiles/profile.js';
import { equalSecrets } from '../security/client-certificate.js';
import { accessRequest, shownTpp } from './access-request.js';
import {
  fields,
  type AccessRequest,
  type CustomerPages,
  type Decision,
  type NoticeKind,
  type NoticeView,
  type PageForm,
} from './customer-pages.js';
import { readForm } from './form-body.js';
import { intentClaim, readIntent, strongAuthentication } from './intent.policy.js';
import {
  accountsToOffer,
  beginJourney,
  readChoice,
  signedIn,
  withMessage,
  type Journey,
  type Offer,
  type SignedInCustomer,
} from './journey.policy.js';
import type { KeptJourney } from './journey.store.js';
import { seeOther, sendPage } from './page-answer.js';
import { accountsScope, interactionSeconds, mountPath } from './provider.js';
import { ClientGone } from './request-body.js';
import { SignInSteps, type SignInOutcome, type SignInParts } from './sign-in-steps.js';
import type { TppStore } from './tpp.store.js';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;
type Step = 'sign-in' | 'code' | 'decision' | 'cancel';

const steps: readonly string[] = ['sign-in', 'code', 'decision', 'cancel'] satisfies Step[];
/** How long the second of two equal posts waits for what the first one decides. */
const followMs = 2_000;
const followEveryMs = 50;
/** An open-ended consent's authorisation must have some end. */
const openEndedSeconds = 100 * 365 * 86_400;

export interface JourneyParts extends SignInParts {
  /** The library as it is now: it is made anew when the keys change. */
  readonly provider: () => Provider;
  readonly consents: ConsentService;
  readonly pages: CustomerPages;
  readonly tpps: TppStore;
  readonly profile: Profile;
  readonly tppUrl: string;
}

/** One request of a customer's browser, with all that it is about. */
interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly uid: string;
  readonly interaction: Interaction;
  readonly kept: KeptJourney;
  readonly consent: Consent;
  readonly tpp: AccessRequest['tpp'];
  readonly redirectUri: string;
}

/** The customer's way through the pages, over HTTP: `<mountPath>/interaction/<uid>[/<step>]`. */
export class JourneyController {
  private readonly steps: SignInSteps;

  constructor(private readonly parts: JourneyParts) {
    this.steps = new SignInSteps(parts);
  }

  async handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const [uid = '', step, ...rest] = path.split('/');
    const known = rest.length === 0 && (step === undefined || steps.includes(step));
    const interaction = known ? await this.interactionOf(request, response, uid) : undefined;
    if (interaction === undefined) return this.notice(response, 400, { kind: 'ended' });
    // Approved or refused already: a second click, or a page that was gone back to.
    if (interaction.result !== undefined) return seeOther(response, interaction.returnTo);
    try {
      const visit = await this.visit(request, response, uid, interaction);
      if (this.parts.clock.nowMs() >= visit.kept.journey.deadlineMs)
        return await this.finishWithError(visit, 'the customer took too long');
      if (request.method === 'GET' && step === undefined) return this.show(visit);
      if (request.method === 'POST' && step !== undefined) return await this.post(visit, step as Step);
      response.writeHead(405, { allow: step === undefined ? 'GET' : 'POST' }).end();
    } catch (error) {
      this.fail(response, uid, error);
    }
  }

  private async interactionOf(
    request: IncomingMessage,
    response: ServerResponse,
    uid: string,
  ): Promise<Interaction | undefined> {
    try {
      const interaction = await this.parts.provider().interactionDetails(request, response);
      return interaction.uid === uid ? interaction : undefined;
    } catch (error) {
      if (error instanceof providerErrors.SessionNotFound) return undefined;
      throw error;
    }
  }

  private async visit(
    request: IncomingMessage,
    response: ServerResponse,
    uid: string,
    interaction: Interaction,
  ): Promise<Visit> {
    const { journeys, tpps, consents, clock } = this.parts;
    const { claims, client_id: clientId, redirect_uri: redirectUri } = interaction.params;
    const asked = readIntent(JSON.parse(String(claims)));
    if ('error' in asked) throw new Error(`a request without ${intentClaim} came as far as the pages`);
    const nowMs = clock.nowMs();
    const begun = beginJourney(randomBytes(32).toString('base64url'), nowMs);
    const [kept, consent, tpp] = await Promise.all([
      journeys.begin(uid, begun, new Date(nowMs + interactionSeconds * 1_000)),
      consents.find(asked.consentId),
      tpps.find(String(clientId)),
    ]);
    return {
      request,
      response,
      uid,
      interaction,
      kept,
      consent,
      tpp: shownTpp(String(clientId), tpp),
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
    if (posted === undefined || !equalSecrets(posted.get(fields.csrf) ?? undefined, visit.kept.journey.csrf))
      return this.noticeOf(visit, 'form-expired', 403);
    const decision = (posted.get(fields.decision) ?? 'continue') as Decision;
    if (step === 'cancel' || decision === 'cancel')
      return (await this.claim(visit)) ? this.finishWithError(visit, 'the customer went back') : this.follow(visit);
    switch (step) {
      case 'sign-in':
        return this.answer(visit, await this.steps.signIn(visit.uid, visit.kept, posted));
      case 'code':
        return this.code(visit, posted);
      case 'decision':
        return this.decide(visit, decision, posted.getAll(fields.account));
    }
  }

  private async code(visit: Visit, posted: URLSearchParams): Promise<void> {
    const { uid, consent, kept } = visit;
    const outcome = await this.steps.code(uid, kept, posted);
    if (outcome.kind !== 'signed-in') return this.answer(visit, outcome);
    const judged = { ...visit, kept: outcome.kept };
    const { customer } = outcome;
    const { authorisation } = consent;
    if (authorisation !== undefined && authorisation.customerRef !== customer.customerRef)
      return this.noticeOf(judged, 'another-customer', 403);
    try {
      const offered = await this.offers(customer.customerRef, consent);
      return await this.step(judged, signedIn(kept.journey, customer, offered));
    } catch (error) {
      this.answer(judged, await this.steps.unavailable(uid, outcome.kept, error));
    }
  }

  private answer(visit: Visit, outcome: SignInOutcome): void {
    if (outcome.kind === 'blocked') this.noticeOf(visit, 'blocked', 429, { until: outcome.until });
    else this.goOn(visit);
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
    if (decision === 'deny') {
      if ((await this.claim(visit)) === undefined) return this.follow(visit);
      // Refusing to authenticate again takes nothing away that was given before.
      if (!again) await this.parts.consents.reject(consent.consentId, journey.customer.customerRef);
      return this.finishWithError(visit, 'the customer refused');
    }
    // Neither: Enter was pressed on a check box. The browser stays where it is, with all that was chosen (RFC 9110, 15.3.5).
    if (decision !== 'approve') return void visit.response.writeHead(204).end();
    // A double click of which the first has given the access meanwhile: this one follows where that led.
    if (gaveAccess(journey.customer, consent)) return this.follow(visit);
    // Chosen on a page from before another window gave the access: its choice must not be passed over in silence.
    if (again && keys.length > 0) return this.noticeOf(visit, 'already-decided', 409);
    const refs = again ? [] : readChoice(journey.offered, keys);
    if (refs === undefined) return this.noticeOf(visit, 'form-expired', 400);
    if (!again && refs.length === 0) return this.step(visit, withMessage(journey, 'choose-an-account'));

    const deciding = await this.claim(visit);
    if (deciding === undefined) return this.follow(visit);
    const { customerRef, displayName, authenticatedAtMs } = journey.customer;
    const authenticatedAt = new Date(authenticatedAtMs);
    const grant = await this.grant(visit);
    try {
      if (again)
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
      await this.parts.journeys.step(visit.uid, deciding.version, journey);
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
   * The right to end the journey: of two clicks, or of what two windows answer at once, one has it, and the other
   * ({@link follow}) is led where that one leads. What the TPP is told is so what happened to the consent.
   */
  private async claim({ uid, kept: { journey, version } }: Visit): Promise<KeptJourney | undefined> {
    const { journeys, clock, deadlineMs } = this.parts;
    if (journey.step !== 'decide') return journeys.step(uid, version, journey);
    const nowMs = clock.nowMs();
    if (nowMs < (journey.decidingUntilMs ?? nowMs)) return undefined;
    return journeys.step(uid, version, { ...journey, decidingUntilMs: nowMs + deadlineMs + followMs });
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

  private async follow(visit: Visit): Promise<void> {
    for (let waitedMs = 0; waitedMs < followMs; waitedMs += followEveryMs) {
      const interaction = await this.interactionOf(visit.request, visit.response, visit.uid);
      if (interaction === undefined) return this.notice(visit.response, 400, { kind: 'ended' });
      if (interaction.result !== undefined) return seeOther(visit.response, interaction.returnTo);
      await sleep(followEveryMs);
    }
    this.goOn(visit);
  }

  /** Nothing was decided, or the customer refused: the TPP is told, and told no more than that. */
  private async finishWithError(visit: Visit, description: string): Promise<void> {
    await this.finish(visit, { error: 'access_denied', error_description: description });
  }

  private async finish({ request, response }: Visit, result: InteractionResults): Promise<void> {
    const terms = { mergeWithLastSubmission: false };
    seeOther(response, await this.parts.provider().interactionResult(request, response, result, terms));
  }

  private async step(visit: Visit, journey: Journey): Promise<void> {
    // Where another window took a step first, the customer sees where that led.
    await this.parts.journeys.step(visit.uid, visit.kept.version, journey);
    this.goOn(visit);
  }

  private goOn({ response, uid }: Pick<Visit, 'response' | 'uid'>): void {
    seeOther(response, `${mountPath}/interaction/${uid}`);
  }

  private fail(response: ServerResponse, uid: string, error: unknown): void {
    if (error instanceof ClientGone) throw error;
    if (error instanceof providerErrors.SessionNotFound) return this.notice(response, 400, { kind: 'ended' });
    const { kind, details } = toOpenBankingError(error);
    if (kind === 'field-invalid' && details[0]?.path === 'customerRef')
      return this.notice(response, 403, { kind: 'another-customer' });
    if (kind === 'consent-status' || kind === 'consent-not-found')
      return this.notice(response, 409, { kind: 'already-decided' });
    this.parts.onFault(error);
    this.notice(response, 503, { kind: 'unavailable', resume: `${mountPath}/interaction/${uid}` });
  }

  private page({ response, redirectUri, tpp }: Visit, html: string): void {
    sendPage(response, 200, html, { redirect: redirectUri, images: [tpp.logo] });
  }

  private noticeOf(visit: Visit, kind: NoticeKind, status = 200, more: Partial<NoticeView> = {}): void {
    const { response, tpp, uid, redirectUri } = visit;
    const view: NoticeView = {
      kind,
      tpp,
      ...more,
      ...(kind === 'form-expired' ? { resume: `${mountPath}/interaction/${uid}` } : { back: form(visit, 'cancel') }),
    };
    sendPage(response, status, this.parts.pages.notice(view), { redirect: redirectUri, images: [tpp.logo] });
  }

  private notice(response: ServerResponse, status: number, view: NoticeView): void {
    sendPage(response, status, this.parts.pages.notice(view));
  }

  private signal(): AbortSignal {
    return AbortSignal.timeout(this.parts.deadlineMs);
  }
}

function form({ uid, kept }: Visit, step: Step): PageForm {
  return { action: `${mountPath}/interaction/${uid}/${step}`, csrf: kept.journey.csrf };
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
