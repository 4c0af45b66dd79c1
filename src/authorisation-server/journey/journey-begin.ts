import { Injectable } from '@nestjs/common';
import { BankClock, Clock } from '../../clock/clock.js';
import { ConsentService } from '../../consents/consent.service.js';
import { ProofStore } from '../../security/tokens/proof.store.js';
import { cookieLine } from '../listeners/cookies.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { embeddedIssuer, tppId } from '../../open-banking/tpp-id.js';
import { readIntent } from '../oidc/intent.policy.js';
import { pushedAs } from '../oidc/library-internals.js';
import { BeginsJourneys, interactionSeconds, type BegunJourney, type Interaction } from '../oidc/provider-parts.js';
import { journeyId } from './journey.policy.js';
import { hashed } from '../sealing.js';
import { journeyCookie, pageOf } from '../sign-in/journey-addresses.js';
import { JourneyTrail, type JourneySubject } from '../sign-in/journey-trail.js';
import { JourneyStore } from '../sign-in/journey.store.js';
import { beginJourney } from '../sign-in/states.js';

/** Begins the customer's way through the pages for a TPP's request. */
@Injectable()
export class JourneyBegin implements BeginsJourneys {
  constructor(
    private readonly consents: ConsentService,
    private readonly journeys: JourneyStore,
    private readonly used: ProofStore,
    private readonly clock: BankClock,
    private readonly systemClock: Clock,
    private readonly settings: AuthorisationSettings,
    private readonly trail: JourneyTrail,
  ) {}

  async begin(interaction: Interaction): Promise<BegunJourney> {
    const request = { id: journeyId(interaction.params, pushedAs(interaction)), uid: interaction.uid };
    const nowMs = this.clock.nowMs();
    const pushed = pushedAs(interaction);
    if (pushed !== undefined && !(await this.isFirst(pushed))) {
      // The browser that opened the request has the cookie and goes on. Any other browser gets a notice.
      await interaction.destroy();
      return { location: pageOf(request.id) };
    }
    const expiresAt = new Date(nowMs + interactionSeconds * 1_000);
    const subject = subjectOf(interaction);
    // First: a consent whose customer has seen a page must not wait for ever.
    if (subject.consentId !== undefined) await this.consents.begin(subject.consentId);
    const bearer = await this.journeys.beginOf(request, beginJourney(nowMs, request), subject, expiresAt);
    this.trail.step('begun', subject);
    return {
      location: pageOf(request.id),
      cookie: cookieLine(journeyCookie(request.id, this.settings.secure), bearer),
    };
  }

  /** Whether the pushed request is opened for the first time (FAPI 2.0 Security Profile, 5.3.2.2; RFC 9126, section 4). */
  private isFirst(pushed: string): Promise<boolean> {
    const expiresAt = new Date(this.systemClock.nowMs() + interactionSeconds * 1_000);
    return this.used.use(hashed('OpenedRequest', pushed), expiresAt);
  }
}

function subjectOf({ params }: Interaction): JourneySubject {
  const asked = readIntent(JSON.parse(String(params['claims'])));
  return {
    ...('consentId' in asked && { consentId: asked.consentId }),
    tpp: tppId(embeddedIssuer, String(params['client_id'])),
  };
}
