import type { SandboxClock } from './clock/sandbox-clock.js';

/** A request to a process of the stack, and its answer, as they went over the line. */
export interface WatchedRequest {
  readonly atMs: number;
  readonly interactionId: string;
  /** The port of the listener. */
  readonly port: number;
  readonly method: string;
  readonly url: string;
  /** `undefined` where no answer went out. */
  readonly status: number | undefined;
  readonly durationMs: number;
  /** Headers that give the reason of a refusal, or the remedy. */
  readonly headers: Readonly<Record<string, string>>;
  /** The beginning of the answer. */
  readonly body: string;
}

/** The reports of a process of the stack to the process that started it. */
export type StackReport =
  | { readonly exchange: WatchedRequest }
  /** A record of the gateway's log, as it is in the log. */
  | { readonly record: string }
  /** The time of the process was moved so far. */
  | { readonly movedToMs: number };

/** The only order: move the bank's time to this far ahead of the machine's. */
export interface TimeOrder {
  readonly aheadMs: number;
}

/** Informs the process that started this one. */
export function report(message: StackReport): void {
  process.send?.(message);
}

/** Moves the clock when the parent process says so. No port offers this, so no other process can. */
export function obeyTimeOrders(clock: SandboxClock, moved: () => void = () => undefined): void {
  process.on('message', (message: Partial<TimeOrder>) => {
    if (typeof message.aheadMs !== 'number') return;
    clock.moveTo(message.aheadMs);
    moved();
    report({ movedToMs: clock.aheadMs });
  });
}
