import { setTimeout as sleep } from 'node:timers/promises';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';
import { faultRecord } from '../observability/fault-record.js';
import type { SegmentWriter } from './segment-writer.js';
import type { TrailRoots } from './trail-roots.js';

/** Between attempts to root what waits, and looks for segments of dead processes. */
const everyMs = 60_000;
/** How long the end waits for a disk or a database that does not answer. The next start roots what is left. */
const patienceMs = 5_000;

/**
 * Writes the trail while the gateway runs, and puts closed segments under their roots. It ends in the last phase of a stop,
 * because the phase before it still records events; the database ends after it.
 */
export class TrailKeeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> | undefined;

  constructor(
    private readonly writer: SegmentWriter,
    private readonly roots: TrailRoots,
    private readonly log: FastifyBaseLogger,
  ) {
    writer.onClosed = (closed) => {
      roots.add(closed);
      void this.now();
    };
  }

  onApplicationBootstrap(): void {
    this.writer.start();
    this.timer = setInterval(() => void this.now(), everyMs).unref();
    void this.now();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await Promise.race([this.end(), sleep(patienceMs, undefined, { ref: false })]);
  }

  /** Roots what waits, also of dead processes; a failure is logged, and the next call tries again. */
  now(): Promise<void> {
    this.working ??= this.work().finally(() => (this.working = undefined));
    return this.working;
  }

  private async end(): Promise<void> {
    await this.writer.close();
    await this.working;
    await this.now();
  }

  private async work(): Promise<void> {
    try {
      await this.roots.rootAll();
    } catch (error) {
      this.warn(error, 'the roots of closed segments of the decision trail could not be stored');
      return;
    }
    try {
      await this.roots.recover(this.writer.left);
    } catch (error) {
      this.warn(
        error,
        'the segments that ended processes left in TRAIL_DIR could not be closed, or their roots could not be stored',
      );
    }
  }

  private warn(error: unknown, message: string): void {
    const record = { ...faultRecord(error), waiting: this.roots.waiting };
    this.log.warn(record, `${message}; the next attempt is in a minute`);
  }
}
