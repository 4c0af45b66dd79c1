import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { FastifyBaseLogger } from 'fastify';
import { monotonicMs } from '../../clock/monotonic.js';
import { loadConfig } from '../../config/load-config.js';
import type { LogOutput } from '../../observability/log-output.js';
import { failOnUnhandledErrors } from '../process-end.js';
import { createLog, logPatienceMs } from '../process-log.js';
import { onStop } from '../stop-signals.js';
import { say, type WorkerMessage } from './worker-messages.js';
import { WorkersMetrics } from './workers-metrics.js';

/** A worker that ended sooner than this after its start gets its successor only after `pauseMs`. */
const settledAfterMs = 10_000;
const pauseMs = 1_000;

/**
 * Starts gateway processes that share the ports, by `node:cluster`, and stays above them: it starts another worker in the
 * place of one that ended, replaces all of them on SIGUSR2, passes signals on and collects the metrics.
 */
export function runWorkers(count: number): void {
  failOnUnhandledErrors();
  const { logLevel } = loadConfig();
  const { log, output } = createLog(logLevel);
  const workers = new Workers(log, output);
  process.on('SIGHUP', () => workers.renewCertificates());
  process.on('SIGUSR2', () => void workers.replaceAll());
  onStop(() => workers.stop());
  void workers.start(count);
}

/** One of the workers that the setting asks for, whichever process it is at present. */
interface WorkerSlot {
  readonly number: number;
  worker: Worker;
}

class Workers {
  private readonly slots: WorkerSlot[] = [];
  private readonly metrics = new WorkersMetrics(() => this.readySlots());
  private readonly startedMs = new Map<Worker, number>();
  private readonly ready = new Set<Worker>();
  private readonly retired = new Set<Worker>();
  /** SIGHUP came while they started. */
  private readonly toRenew = new Set<Worker>();
  private isReplacing = false;
  private isStopping = false;
  private exitCode = 0;

  constructor(
    private readonly log: FastifyBaseLogger,
    private readonly output: LogOutput,
  ) {
    // Each worker's log comes through a separate pipe, so that no two workers write into the same line.
    cluster.setupPrimary({ stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    cluster.on('message', (worker, message: WorkerMessage) => this.take(worker, message));
    cluster.on('exit', (worker, code, signal) => this.ended(worker, signal ?? code));
  }

  /** One worker first: it brings the database up to date, and says once why the gateway cannot start. */
  async start(count: number): Promise<void> {
    this.slots.push({ number: 1, worker: this.fork() });
    if (!(await this.becomesReady(this.worker(1))) || this.isStopping) return;
    for (let number = 2; number <= count; number++) this.slots.push({ number, worker: this.fork() });
    await Promise.all(this.slots.map(({ worker }) => this.becomesReady(worker)));
    if (!this.isStopping) this.log.info({ workers: this.readySlots().length }, 'the workers are ready');
  }

  /** Only those that are ready: a process that begins would end by the signal, and reads the present files anyway. */
  renewCertificates(): void {
    for (const worker of this.alive()) {
      if (this.ready.has(worker)) worker.process.kill('SIGHUP');
      else this.toRenew.add(worker);
    }
  }

  /** Each worker goes on until its successor is ready. Where a successor does not start, the other workers stay. */
  async replaceAll(): Promise<void> {
    if (this.isReplacing || this.isStopping) return;
    this.isReplacing = true;
    this.log.info({ workers: this.slots.length }, 'SIGUSR2: the workers are replaced, one after the other');
    const replaced = await this.replaceEach();
    this.isReplacing = false;
    if (replaced) this.log.info({ workers: this.slots.length }, 'the workers are replaced');
    else if (!this.isStopping) this.log.error('a new worker did not start: the other workers stay as they are');
  }

  stop(): void {
    this.isStopping = true;
    for (const worker of this.alive()) worker.process.kill('SIGTERM');
  }

  private async replaceEach(): Promise<boolean> {
    for (const slot of this.slots) {
      // A process that begins after the signal to stop would not get it.
      if (this.isStopping) return false;
      const successor = this.fork();
      if (!(await this.becomesReady(successor))) return false;
      const before = slot.worker;
      slot.worker = successor;
      if (before.isDead()) continue;
      this.retired.add(before);
      say(before, { kind: 'retire' });
      await once(before, 'exit');
    }
    return true;
  }

  private fork(): Worker {
    const worker = cluster.fork();
    this.startedMs.set(worker, monotonicMs());
    let rest = '';
    worker.process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.output.write(`${line}\n`);
    });
    return worker;
  }

  /** False where the worker ends before it is ready. */
  private async becomesReady(worker: Worker): Promise<boolean> {
    while (!this.ready.has(worker) && !worker.isDead())
      await Promise.race([once(worker, 'message'), once(worker, 'exit')]);
    return this.ready.has(worker) && !worker.isDead();
  }

  private take(worker: Worker, message: WorkerMessage): void {
    switch (message.kind) {
      case 'ready':
        this.ready.add(worker);
        if (this.toRenew.delete(worker)) worker.process.kill('SIGHUP');
        break;
      case 'scrape':
        void this.metrics.text().then((text) => say(worker, { kind: 'scraped', id: message.id, text }));
        break;
      case 'collected':
        this.metrics.collected(worker, message);
    }
  }

  private ended(worker: Worker, how: number | string): void {
    const wasReady = this.ready.delete(worker);
    const startedMs = this.startedMs.get(worker) ?? 0;
    this.startedMs.delete(worker);
    if (this.retired.delete(worker)) return;
    if (this.isStopping) return this.endedByStop(wasReady, how);
    const slot = this.slots.find((one) => one.worker === worker);
    // A successor that did not start; or the first worker, which has said why.
    if (slot === undefined) return;
    if (!wasReady && this.ready.size === 0) return this.exit(1);
    this.metrics.ended();
    this.log.error({ worker: slot.number, ended: how }, 'a worker ended by itself: a new process replaces it');
    const pause = monotonicMs() - startedMs < settledAfterMs ? pauseMs : 0;
    setTimeout(() => {
      if (slot.worker === worker && !this.isStopping) slot.worker = this.fork();
    }, pause);
  }

  private endedByStop(wasReady: boolean, how: number | string): void {
    if (wasReady && how !== 0) this.exitCode = 1;
    if (this.alive().length === 0) this.exit(this.exitCode);
  }

  private exit(code: number): void {
    void this.output.close(logPatienceMs).then(() => process.exit(code));
  }

  private worker(number: number): Worker {
    const slot = this.slots.find((one) => one.number === number);
    if (slot === undefined) throw new Error(`no worker ${number}`);
    return slot.worker;
  }

  private alive(): Worker[] {
    return Object.values(cluster.workers ?? {}).filter((worker): worker is Worker => worker?.isDead() === false);
  }

  private readySlots(): WorkerSlot[] {
    return this.slots.filter(({ worker }) => this.ready.has(worker));
  }
}
