import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter } from 'prom-client';
import { atMostEvery } from '../clock/at-most-every.js';
import { BankClock } from '../clock/clock.js';
import { Metrics } from '../observability/metrics.js';
import { scrapeGauge, type Series } from '../observability/scraped-metrics.js';
import { TppLabels } from '../observability/tpp-labels.js';
import { ConsentEventStore, type Backlog } from './consent-event.store.js';

/** A scrape must not wait for a database that does not answer. */
const patienceMs = 500;
/** Each process is scraped, and counts the events of all. */
const countEveryMs = 10_000;

/** Shows operators the events that wait, by TPP, and those that were dropped. */
@Injectable()
export class EventMetrics {
  private readonly labels = new TppLabels();
  private readonly droppedEvents: Counter;

  constructor({ registry }: Metrics, store: ConsentEventStore, clock: BankClock) {
    const backlogs = atMostEvery(countEveryMs, () => store.backlogs().catch(() => []));
    const read = async (valueOf: (backlog: Backlog) => number, join: (one: number, other: number) => number) =>
      this.series(
        (await Promise.race([backlogs(), sleep(patienceMs, undefined, { ref: false })])) ?? [],
        valueOf,
        join,
      );
    scrapeGauge(
      registry,
      'gateway_events_waiting',
      'Events that wait for a TPP, at all gateways; absent while the database does not answer',
      ['issuer', 'tpp'],
      () =>
        read(
          ({ events }) => events,
          (one, other) => one + other,
        ),
    );
    scrapeGauge(
      registry,
      'gateway_events_oldest_seconds',
      'Age of the oldest event that waits for a TPP',
      ['issuer', 'tpp'],
      () => read(({ oldestAt }) => Math.max(0, (clock.nowMs() - oldestAt.getTime()) / 1_000), Math.max),
    );
    this.droppedEvents = new Counter({
      name: 'gateway_events_dropped_total',
      help: 'Events that this process dropped, because no TPP acknowledged them within the days of the profile',
      registers: [registry],
    });
  }

  dropped(events: number): void {
    this.droppedEvents.inc(events);
  }

  /** TPPs beyond the bound share one series. */
  private series(
    backlogs: readonly Backlog[],
    valueOf: (backlog: Backlog) => number,
    join: (one: number, other: number) => number,
  ): Series[] {
    const values = new Map<object, number>();
    for (const backlog of backlogs) {
      const label = this.labels.labelOf(backlog.tpp.issuer, backlog.tpp.clientId);
      values.set(label, join(values.get(label) ?? 0, valueOf(backlog)));
    }
    return [...values].map(([label, value]) => [label as Series[0], value]);
  }
}
