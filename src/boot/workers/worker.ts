import cluster from 'node:cluster';
import type { Registry } from 'prom-client';
import type { PrimaryMessage, WorkerMessage } from './worker-messages.js';

/** This process as one of several gateway processes, which workers.ts started. */
export class Worker {
  private registry: Registry | undefined;
  private retire: (() => void) | undefined;
  private readonly scrapes = new Map<number, (text: string) => void>();
  private lastScrape = 0;

  private constructor() {
    process.on('message', (message: PrimaryMessage) => this.take(message));
  }

  /** `undefined` where this process is the only one. */
  static ofThisProcess(): Worker | undefined {
    return cluster.isWorker ? new Worker() : undefined;
  }

  /** @param retire is called once another worker has replaced this one */
  ready(registry: Registry, retire: () => void): void {
    this.registry = registry;
    this.retire = retire;
    say({ kind: 'ready' });
  }

  /** The metrics of all workers, as Prometheus reads them. */
  scrape(): Promise<string> {
    const id = ++this.lastScrape;
    return new Promise((resolve) => {
      this.scrapes.set(id, resolve);
      say({ kind: 'scrape', id });
    });
  }

  private take(message: PrimaryMessage): void {
    switch (message.kind) {
      case 'retire':
        this.retire?.();
        break;
      case 'collect':
        void this.registry?.getMetricsAsJSON().then((metrics) => say({ kind: 'collected', id: message.id, metrics }));
        break;
      case 'scraped':
        this.scrapes.get(message.id)?.(message.text);
        this.scrapes.delete(message.id);
    }
  }
}

function say(message: WorkerMessage): void {
  process.send?.(message);
}
