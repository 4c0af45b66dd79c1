import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BankClock } from '../../clock/clock.js';
import type { Consent } from '../../consents/consent.js';
import { ConsentService } from '../../consents/consent.service.js';
import { embeddedIssuer, tppId } from '../../open-banking/tpp-id.js';
import { readCookie } from '../listeners/cookies.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { CurrentProvider } from '../oidc/current-provider.js';
import { intentClaim, readIntent } from '../oidc/intent.policy.js';
import type { Interaction } from '../oidc/provider-parts.js';
import type { AccessRequest } from '../pages/customer-pages.js';
import { GoodStanding } from '../tpps/good-standing.js';
import { TppStore, type Tpp } from '../tpps/tpp.store.js';
import { accessRequest, shownTpp } from './access-request.js';
import type { Profile } from '../../profiles/profile.js';
import { journeyCookie } from '../sign-in/journey-addresses.js';
import { JourneyStore, type StoredJourney } from '../sign-in/journey.store.js';

/** One request of a customer's browser on a journey, with the consent and the TPP. */
export interface JourneyContext {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The journey's name in its URL. */
  readonly id: string;
  readonly interaction: Interaction;
  readonly stored: StoredJourney;
  readonly consent: Consent;
  readonly tpp: AccessRequest['tpp'];
  /** Whether the TPP may act now. If not, the journey asks the customer nothing. */
  readonly tppMayAct: boolean;
  readonly redirectUri: string;
}

/** Finds the journey, the consent and the TPP of a browser's request. */
@Injectable()
export class JourneyContextReader {
  constructor(
    private readonly journeys: JourneyStore,
    private readonly provider: CurrentProvider,
    private readonly consents: ConsentService,
    private readonly tpps: TppStore,
    private readonly standing: GoodStanding,
    private readonly clock: BankClock,
    private readonly settings: AuthorisationSettings,
  ) {}

  /** The journey, for the browser that has its cookie. */
  async findJourney(request: FastifyRequest, id: string): Promise<StoredJourney | undefined> {
    const bearer = readCookie(request, journeyCookie(id, this.settings.secure));
    const stored = bearer && (await this.journeys.find(bearer, this.clock.nowMs()));
    return stored && stored.journey.request?.id === id ? stored : undefined;
  }

  /** `undefined` where the library no longer knows the TPP's request. */
  async read(
    request: FastifyRequest,
    reply: FastifyReply,
    id: string,
    stored: StoredJourney,
  ): Promise<JourneyContext | undefined> {
    const interaction = await this.interactionOf(stored);
    if (interaction === undefined) return undefined;
    const { claims, redirect_uri: redirectUri } = interaction.params;
    const asked = readIntent(JSON.parse(String(claims)));
    if ('error' in asked) throw new Error(`a request without ${intentClaim} reached the pages`);
    const [consent, { clientId, tpp, mayAct }] = await Promise.all([
      this.consents.find(asked.consentId),
      this.findTpp(interaction),
    ]);
    return {
      request,
      reply,
      id,
      interaction,
      stored,
      consent,
      tpp: shownTpp(tppId(embeddedIssuer, clientId), tpp),
      tppMayAct: mayAct,
      redirectUri: String(redirectUri),
    };
  }

  /** The journey's TPP, where it may no longer act. */
  async findBarredTpp(stored: StoredJourney): Promise<AccessRequest['tpp'] | undefined> {
    const interaction = await this.interactionOf(stored);
    if (interaction === undefined) return undefined;
    const { clientId, tpp, mayAct } = await this.findTpp(interaction);
    return mayAct ? undefined : shownTpp(tppId(embeddedIssuer, clientId), tpp);
  }

  private interactionOf({ journey }: StoredJourney): Promise<Interaction | undefined> {
    return this.provider.get().Interaction.find(journey.request?.uid ?? '');
  }

  private async findTpp({ params }: Interaction): Promise<{ clientId: string; tpp: Tpp | undefined; mayAct: boolean }> {
    const clientId = String(params['client_id']);
    const tpp = await this.tpps.find(clientId);
    return { clientId, tpp, mayAct: await this.standing.isOf(tpp) };
  }
}

/** The content that every page of a journey shows, whatever its step. */
export function requestView({ consent, tpp }: JourneyContext, profile: Profile) {
  return {
    again: consent.status !== 'awaiting',
    request: accessRequest(consent, tpp, profile),
    ...(consent.status === 'cancelled' && { withdrawnAt: consent.statusUpdatedAt }),
  };
}
