import { Inject, Injectable } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../clock/monotonic.js';
import { faultRecord } from '../observability/fault-record.js';
import { LOG } from '../observability/log.js';
import { TppStandingStore } from '../security/tpp-standing.store.js';

const batchSize = 1_000;
/** So often each process looks whether another one has left something undone. */
const everyMs = 10_000;

/**
 * Makes the rows of consents say what the revocation of all consents of their TPP says already: in batches so small that
 * nobody waits long for one, and with as long a pause after each. A process that ends in the middle loses nothing: any
 * process goes on.
 */
@Injectable()
export class ConsentRewriting {
  private running: Promise<void> | undefined;
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly standings: TppStandingStore,
    @Inject(LOG) private readonly log: Pick<FastifyBaseLogger, 'warn'>,
  ) {}

  start(): void {
    this.timer = setInterval(() => this.begin(), everyMs).unref();
    this.begin();
  }

  /** Something is to be done, perhaps. */
  begin(): void {
    if (this.stopped) return;
    this.running ??= this.run()
      .catch((error: unknown) =>
        this.log.warn(faultRecord(error), 'consents could not be rewritten; it is tried again'),
      )
      .finally(() => (this.running = undefined));
  }

  /** Resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      const beganMs = monotonicMs();
      if ((await this.standings.rewriteSome(batchSize)) === undefined) return;
      await sleep(monotonicMs() - beganMs);
    }
  }
}
