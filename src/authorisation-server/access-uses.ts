import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BankClock } from '../clock/clock.js';
import { usedConsent, LastUseStore } from '../consents/last-use.store.js';
import type { EndedRequest } from '../observability/ended-request.js';
import { AuthorisationLog } from './listeners/authorisation-log.js';

/** How late a use of an access may be written, and seen at another process. */
const writeEveryMs = 5_000;

/** Remembers when each access was last used, for the customer's overview. */
@Injectable()
export class AccessUses implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly lastUses: LastUseStore,
    private readonly clock: BankClock,
    private readonly log: AuthorisationLog,
  ) {}

  /** After each request of the API. */
  readonly observe = (request: FastifyRequest, { status }: EndedRequest): void => {
    const consentId = usedConsent(request, status);
    if (consentId !== undefined) this.lastUses.record(consentId, this.clock.nowMs());
  };

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.write(), writeEveryMs).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.write();
  }

  private write(): Promise<void> {
    return this.lastUses.flush().catch(this.log.unwrittenUses);
  }
}
