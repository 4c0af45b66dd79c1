import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { drainable, type Drain } from './drain.js';

/** Every listener of this process. They stop together, in the first phase of a stop (docs/architecture.md). */
@Injectable()
export class Listeners implements OnModuleDestroy {
  private readonly drains = new Map<FastifyInstance, Drain>();
  private readonly stopped = new AbortController();
  private isStopping = false;
  private replaced = false;

  constructor(@Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'stopDelayMs'>) {}

  /** From the beginning of a stop, while every listener still answers; not where another process took over the ports. */
  get stopping(): boolean {
    return this.isStopping;
  }

  /** Aborted at the beginning of a stop: an answer that waits for something ends without it. */
  get stop(): AbortSignal {
    return this.stopped.signal;
  }

  /** To be called before a stop, where another process answers at the same ports from then on. */
  isReplaced(): void {
    this.replaced = true;
  }

  /** To be called before the server listens. */
  add(server: FastifyInstance): void {
    this.drains.set(server, drainable(server.server));
  }

  async onModuleDestroy(): Promise<void> {
    // Readiness asks for it: balancers have the delay to notice, and every request that they still send is answered.
    this.isStopping = !this.replaced;
    this.stopped.abort();
    const drains = [...this.drains.values()];
    for (const drain of drains) drain.announce();
    await sleep(this.config.stopDelayMs);
    // All at once: while one listener answers its last requests, no other may take new ones.
    await Promise.all(drains.map((drain) => drain.finish()));
    await Promise.all([...this.drains.keys()].map((server) => server.close()));
  }
}
