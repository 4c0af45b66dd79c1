import type { BeforeApplicationShutdown, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';

const everyMs = 60_000;

/** Work that Nest starts once a minute, or later where it takes longer, and that ends after its present step when the process stops. */
export abstract class MinuteWork implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  /** Once it is aborted the work begins no further step. */
  protected readonly stop = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  /** Never throws. */
  protected abstract run(): Promise<void>;

  /** One after the other. A part that fails does not stop the others. */
  protected async inTurn(parts: readonly (() => Promise<unknown>)[], onFault: (error: unknown) => void): Promise<void> {
    for (const part of parts) if (!this.stop.signal.aborted) await part().catch(onFault);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.now(), everyMs).unref();
  }

  /** Works now, or joins the work that is under way. */
  now(): Promise<void> {
    this.running ??= this.run().finally(() => (this.running = undefined));
    return this.running;
  }

  onModuleDestroy(): void {
    this.stop.abort();
    clearInterval(this.timer);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.running;
  }
}
