import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock/clock.js';

/** How often a repeated fault is written. A fault that did not come during this time is over. */
const repeatIntervalMs = 60_000;
const checkIntervalMs = 10_000;
/** The greatest number of faults with a count each. Beyond it, faults are counted by their message alone. */
const mostFaults = 200;
/** Members that differ from request to request. The access record has them. */
const ofOneRequest = new Set(['interactionId', 'errorId', 'softwareId']);

type Level = 'warn' | 'error';
type Fields = Readonly<Record<string, unknown>>;

interface Repeated {
  readonly level: Level;
  readonly fields: Fields;
  readonly message: string;
  toldAtMs: number;
  /** Since the last line of this fault. */
  count: number;
  times: number;
}

/**
 * The gateway's log, which writes a repeated warning or error once, then once a minute with the count `repeated`, and at
 * its end with the total `times`. So a core that is down for an hour does not fill the disk.
 */
export class RepeatedFaults {
  readonly log: FastifyBaseLogger;
  private readonly faults = new Map<string, Repeated>();
  private readonly timer = setInterval(() => this.tell(), checkIntervalMs).unref();

  constructor(
    private readonly out: FastifyBaseLogger,
    private readonly clock: Clock,
  ) {
    const counting =
      (level: Level) =>
      (first: unknown, message?: unknown): void =>
        this.write(
          level,
          typeof first === 'object' && first !== null ? (first as Fields) : {},
          String(message ?? first),
        );
    this.log = Object.assign(Object.create(out) as FastifyBaseLogger, {
      warn: counting('warn'),
      error: counting('error'),
    });
  }

  /** Writes the faults that continue, and those that are over. A timer calls it. */
  tell(): void {
    const nowMs = this.clock.nowMs();
    for (const [key, fault] of this.faults) {
      if (nowMs - fault.toldAtMs < repeatIntervalMs) continue;
      if (fault.count === 0) this.end(key, fault);
      else this.repeat(fault, nowMs);
    }
  }

  /** Writes every repetition that was not written yet. */
  close(): void {
    clearInterval(this.timer);
    for (const fault of this.faults.values()) if (fault.count > 0) this.repeat(fault, this.clock.nowMs());
    this.faults.clear();
  }

  private write(level: Level, all: Fields, message: string): void {
    const fields = Object.fromEntries(Object.entries(all).filter(([name]) => !ofOneRequest.has(name)));
    const exact = JSON.stringify([level, message, fields]);
    const known = this.faults.has(exact) || this.faults.size < mostFaults;
    const key = known ? exact : message;
    const fault = this.faults.get(key);
    if (fault !== undefined) {
      fault.count++;
      fault.times++;
      return;
    }
    this.out[level](all, message);
    const { stack: _once, ...told } = fields;
    this.faults.set(key, {
      level,
      fields: known ? told : {},
      message,
      toldAtMs: this.clock.nowMs(),
      count: 0,
      times: 1,
    });
  }

  private repeat(fault: Repeated, nowMs: number): void {
    this.out[fault.level]({ ...fault.fields, repeated: fault.count }, fault.message);
    fault.toldAtMs = nowMs;
    fault.count = 0;
  }

  private end(key: string, { fields, message, times }: Repeated): void {
    this.faults.delete(key);
    if (times > 1) this.out.info({ ...fields, times }, `over: ${message}`);
  }
}
