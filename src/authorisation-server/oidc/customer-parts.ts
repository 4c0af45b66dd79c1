import { Injectable } from '@nestjs/common';
import { BankClock } from '../../clock/clock.js';
import { ConsentService } from '../../consents/consent.service.js';
import { pageHeaders } from '../listeners/page-answer.js';
import { BankPages } from '../pages/bank-pages.js';
import { BeginsJourneys, type ProviderParts } from './provider-parts.js';

/** The parts by which the library meets customers: their consents, their journeys and their pages. */
@Injectable()
export class CustomerParts {
  readonly parts: Pick<
    ProviderParts,
    'bankNowMs' | 'findConsent' | 'beginAuthorisation' | 'beginJourney' | 'renderError'
  >;

  constructor(consents: ConsentService, journeys: BeginsJourneys, pages: BankPages, clock: BankClock) {
    this.parts = {
      bankNowMs: () => clock.nowMs(),
      findConsent: (consentId) => consents.known(consentId),
      beginAuthorisation: async (consentId, authorisationId) =>
        (await consents.beginAuthorisation(consentId, authorisationId)) !== undefined,
      beginJourney: (interaction) => journeys.begin(interaction),
      renderError: (ctx, kind = 'bad-request') => {
        const { locale, html } = pages.for(ctx.req).journey.notice({ kind });
        ctx.set(pageHeaders({ locale }));
        ctx.body = html;
      },
    };
  }
}
