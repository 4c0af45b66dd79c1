import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { Metrics } from '../observability/metrics.js';
import { scrapeGauge } from '../observability/scraped-metrics.js';
import { JourneyStore } from './sign-in/journey.store.js';
import { SigningKeys } from '../security/signing-keys.js';

/** A scrape must not wait for a database that does not answer. */
const patienceMs = 500;

/** Shows in the metrics what operators must know of the authorization server before they restart it. */
@Injectable()
export class AuthorisationMetrics {
  constructor({ registry }: Metrics, journeys: JourneyStore, keys: SigningKeys, clock: Clock) {
    scrapeGauge(
      registry,
      'gateway_open_journeys',
      'Customers in the middle of an authorisation, at all gateways; absent while the database does not answer',
      [],
      async () => {
        const open = journeys.countOpen(clock.nowMs()).catch(() => undefined);
        const count = await Promise.race([open, sleep(patienceMs, undefined, { ref: false })]);
        return count === undefined ? [] : [[{}, count]];
      },
    );
    scrapeGauge(
      registry,
      'gateway_signing_key_age_days',
      'Days since the newest key of an algorithm signs, less than 0 while it is published and does not sign yet',
      ['algorithm'],
      () =>
        // Newest first: an older key of the same algorithm comes later, and is not shown.
        keys.published
          .filter(({ alg }, index, all) => all.findIndex((other) => other.alg === alg) === index)
          .map(({ alg, signsFrom }) => [{ algorithm: alg }, (clock.nowMs() - signsFrom.getTime()) / 86_400_000]),
    );
  }
}
