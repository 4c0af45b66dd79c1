import { Inject, Injectable } from '@nestjs/common';
import type { AuthorisationServer } from '../authorisation-server/authorisation-server.js';
import { AUTHORISATION_SERVER } from '../authorisation-server/embedded-authorisation-server.module.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { usedConsent } from '../consents/last-use.store.js';
import { LiveConsentCheck } from '../consents/live-consent.check.js';
import { Metrics } from '../observability/metrics.js';
import { RateLimitCheck } from '../quotas/rate-limit.check.js';
import { TppStandingCheck } from '../security/tpp-standing.check.js';
import { TppCheck } from '../security/tpp.check.js';
import { RequestEntry } from '../server/request-entry.js';
import { ServiceWatch } from './service-watch.js';

/** Puts together the checks of each request to the TPPs' API before Nest, in their order. */
@Injectable()
export class RequestChecks {
  readonly entry: RequestEntry;

  constructor(
    @Inject(GATEWAY_CONFIG) config: GatewayConfig,
    tpp: TppCheck,
    standing: TppStandingCheck,
    rateLimit: RateLimitCheck,
    liveConsent: LiveConsentCheck,
    metrics: Metrics,
    service: ServiceWatch,
    @Inject(AUTHORISATION_SERVER) authorisationServer: AuthorisationServer | undefined,
  ) {
    const standings = [standing, ...(authorisationServer ? [authorisationServer.check] : [])];
    this.entry = new RequestEntry(config, {
      tpp: [tpp, ...standings],
      afterBody: [tpp.afterBody, ...standings],
      rateLimit,
      consent: liveConsent,
      observe: [
        (_request, event) => metrics.request(event),
        (_request, event) => service.observe(event),
        (request, { status }) => request.context.unattended?.end(usedConsent(request, status) !== undefined),
        ...(authorisationServer ? [authorisationServer.observe] : []),
      ],
    });
  }
}
