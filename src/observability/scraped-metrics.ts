import { Counter, Gauge, type Registry } from 'prom-client';

/** A value of a metric, with its labels. */
export type Series = readonly [labels: Readonly<Record<string, string>>, value: number];

/** A gauge that is read at each scrape: it costs requests nothing. */
export function scrapeGauge(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
  read: () => readonly Series[] | Promise<readonly Series[]>,
): void {
  new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    async collect() {
      const series = await read();
      this.reset();
      for (const [labels, value] of series) this.set(labels, value);
    },
  });
}

/** A counter that takes over a count at each scrape. */
export function scrapeCounter(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}
