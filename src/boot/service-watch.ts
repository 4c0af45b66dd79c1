import { Injectable } from '@nestjs/common';
import { Readiness } from '../bank-facing/readiness.js';
import { atMostEvery } from '../clock/at-most-every.js';
import { Clock } from '../clock/clock.js';
import type { ShownService } from '../openapi/published-facts.js';
import type { EndedRequest } from '../observability/ended-request.js';
import { PlannedOutages } from '../outages/planned-outages.js';
import { shownState, stateOf, type ServiceState } from '../outages/service-status.js';

const cachedMs = 1_000;

/** The state of the service that TPPs see. However many ask, the parts are asked once a second. */
@Injectable()
export class ServiceWatch {
  private last: { readonly state: ServiceState; readonly sinceMs: number } | undefined;
  /** When the first request came that failed since the last one of a TPP that succeeded. */
  private failingSinceMs: number | undefined;
  private readonly read = atMostEvery(cachedMs, () => this.readNow());

  constructor(
    private readonly readiness: Readiness,
    private readonly outages: PlannedOutages,
    private readonly clock: Clock,
  ) {}

  async now(): Promise<ShownService> {
    const [last, outages] = await Promise.all([this.read(), this.outages.present()]);
    return { ...shownState(last, outages, this.clock.nowMs()), outages };
  }

  /** Sees each request to the API that has ended. */
  readonly observe = ({ at, status = 0, tpp }: EndedRequest & { readonly at: string }): void => {
    if (status >= 500) this.failingSinceMs ??= Date.parse(at);
    // Pages without a token are also answered while nothing else is.
    else if (status < 300 && tpp !== undefined) this.failingSinceMs = undefined;
  };

  private async readNow(): Promise<{ readonly state: ServiceState; readonly sinceMs: number }> {
    const [{ database, cores, others }, isDatabaseUnreachable] = await Promise.all([
      this.readiness.parts(),
      this.readiness.isDatabaseUnreachable(),
    ]);
    const state = stateOf({
      isDatabaseUnreachable,
      isLimited: database.length + others.length > 0,
      cores: cores.length,
      unreachableCores: cores.filter(({ faults }) => faults.length > 0).length,
    });
    const beganMs = state === 'OK' ? undefined : this.failingSinceMs;
    if (state !== this.last?.state) this.last = { state, sinceMs: beganMs ?? this.clock.nowMs() };
    if (state === 'OK') this.failingSinceMs = undefined;
    return this.last;
  }
}
