import type { PrismaService } from './prisma.service.js';
import { sweepAll, type Sweep } from './sweep.js';

const everyMs = 60_000;

export interface PeriodicSweepParts {
  readonly sweep: Sweep;
  readonly prisma: PrismaService;
  readonly nowMs: () => number;
  readonly onFault: (error: unknown) => void;
}

/** Sweeps once a minute from its start on; one that takes longer is left to end. */
export class PeriodicSweep {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(private readonly parts: PeriodicSweepParts) {}

  start(): void {
    this.timer = setInterval(() => void this.now(), everyMs).unref();
  }

  /** Does now what is otherwise done once a minute. */
  now(): Promise<void> {
    this.running ??= this.run().finally(() => (this.running = undefined));
    return this.running;
  }

  /** Resolves when nothing is swept any more; what is left to remove then is for the next start. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await this.running;
  }

  private async run(): Promise<void> {
    const { sweep, prisma, nowMs, onFault } = this.parts;
    const { timer } = this;
    try {
      await sweepAll(sweep, prisma, nowMs(), () => this.timer === timer);
    } catch (error) {
      onFault(error);
    }
  }
}
