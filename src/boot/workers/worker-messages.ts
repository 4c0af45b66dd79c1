import type { Worker } from 'node:cluster';
import type { Registry } from 'prom-client';

/** One process's metrics as prom-client passes them between processes. */
export type ProcessMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** From a worker to the process that started it. */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  /** A request for all metrics came to this worker. */
  | { readonly kind: 'scrape'; readonly id: number }
  | { readonly kind: 'collected'; readonly id: number; readonly metrics: ProcessMetrics };

/** From the process that started the workers to one of them. */
export type PrimaryMessage =
  /** Another worker has replaced it. */
  | { readonly kind: 'retire' }
  | { readonly kind: 'collect'; readonly id: number }
  | { readonly kind: 'scraped'; readonly id: number; readonly text: string };

/** Sends the message to a worker, unless the worker has just ended: its `exit` event reports that. */
export function say(worker: Worker, message: PrimaryMessage): void {
  worker.send(message, () => undefined);
}
