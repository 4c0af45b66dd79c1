import type { Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
import { say, type ProcessMetrics, type WorkerMessage } from './worker-messages.js';

/** A worker that is busy for longer is missing in the answer. */
const patienceMs = 2_000;

interface NumberedWorker {
  readonly number: number;
  readonly worker: Worker;
}

/**
 * The metrics of all workers. Each value of a worker has the label `worker`, its number, and none is added up: so Prometheus
 * can distinguish a counter that began again, because another process took the number, from one that fell.
 */
export class WorkersMetrics {
  private readonly own = new Registry();
  private readonly exits = new Counter({
    name: 'gateway_worker_exits_total',
    help: 'Workers that ended by themselves, and were started again',
    registers: [this.own],
  });
  private readonly waiting = new Map<number, (worker: Worker, metrics: ProcessMetrics) => void>();
  private lastId = 0;

  constructor(private readonly readyWorkers: () => readonly NumberedWorker[]) {
    new Gauge({
      name: 'gateway_workers',
      help: 'Workers that are ready',
      registers: [this.own],
      collect() {
        this.set(readyWorkers().length);
      },
    });
  }

  ended(): void {
    this.exits.inc();
  }

  collected(worker: Worker, { id, metrics }: Extract<WorkerMessage, { kind: 'collected' }>): void {
    this.waiting.get(id)?.(worker, metrics);
  }

  /** As Prometheus reads them. */
  async text(): Promise<string> {
    const numbered = await this.collect();
    const labelled = numbered.map(({ number, metrics }) => metrics.map((metric) => withWorker(metric, number)));
    return AggregatorRegistry.aggregate([...labelled, await this.own.getMetricsAsJSON()]).metrics();
  }

  private async collect(): Promise<{ number: number; metrics: ProcessMetrics }[]> {
    const asked = new Map(this.readyWorkers().map(({ number, worker }) => [worker, number]));
    const collected: { number: number; metrics: ProcessMetrics }[] = [];
    const id = ++this.lastId;
    const all = new Promise<void>((resolve) => {
      this.waiting.set(id, (worker, metrics) => {
        const number = asked.get(worker);
        if (number !== undefined) collected.push({ number, metrics });
        asked.delete(worker);
        if (asked.size === 0) resolve();
      });
      for (const worker of asked.keys()) say(worker, { kind: 'collect', id });
    });
    const late = new AbortController();
    await Promise.race([all, sleep(patienceMs, undefined, { signal: late.signal }).catch(() => undefined)]);
    late.abort();
    this.waiting.delete(id);
    return collected;
  }
}

function withWorker(metric: ProcessMetrics[number], number: number): ProcessMetrics[number] {
  const values = (metric as { values?: readonly { readonly labels: object }[] }).values ?? [];
  const labelled = values.map((value) => ({ ...value, labels: { ...value.labels, worker: String(number) } }));
  // No two values have the same labels, so no sum adds anything; prom-client would omit metrics of other aggregators.
  return Object.assign({}, metric, { aggregator: 'sum', values: labelled });
}
