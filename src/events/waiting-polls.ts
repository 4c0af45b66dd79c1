import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TppId } from '../open-banking/tpp-id.js';
import { Listeners } from '../server/listeners.js';
import { ConsentEventStore } from './consent-event.store.js';

/** How long a poll waits for an event: less than the time after which usual proxies give a silent answer up. */
export const longPollSeconds = 20;
/** The polls of one TPP that wait at one process. A further one ends the oldest. */
export const waitingPollsOfTpp = 5;

/** So that the page of a TPP shows an event of any process within a second. */
const lookEveryMs = 250;

interface WaitingPoll {
  readonly tpp: TppId;
  readonly end: () => void;
}

/**
 * The polls that wait for an event. They hold no connection to the database: one statement looks for all of them, four
 * times in a second while any waits. So an event is found whichever process wrote it, also behind a pooler that passes no notification on.
 */
@Injectable()
export class WaitingPolls {
  /** In the order of their arrival. */
  private readonly polls = new Set<WaitingPoll>();
  private isLooking = false;

  constructor(
    private readonly store: ConsentEventStore,
    private readonly listeners: Listeners,
  ) {
    listeners.stop.addEventListener('abort', () => {
      for (const { end } of this.polls) end();
    });
  }

  /**
   * Resolves when an event waits for the TPP, or the poll ends without one: after its time, by a newer poll, or because the
   * process stops or the caller has gone.
   */
  async wait(tpp: TppId, gone: AbortSignal, forMs = longPollSeconds * 1_000): Promise<void> {
    if (gone.aborted || this.listeners.stop.aborted) return;
    const ended = new AbortController();
    const poll = { tpp, end: () => ended.abort() };
    gone.addEventListener('abort', poll.end);
    const ofTpp = [...this.polls].filter((other) => other.tpp.key === tpp.key);
    if (ofTpp.length >= waitingPollsOfTpp) ofTpp[0]?.end();
    this.polls.add(poll);
    if (!this.isLooking) void this.look();
    await sleep(forMs, undefined, { signal: ended.signal, ref: false }).catch(() => undefined);
    this.polls.delete(poll);
  }

  /** Never throws. */
  private async look(): Promise<void> {
    this.isLooking = true;
    while (this.polls.size > 0) {
      const tpps = new Map([...this.polls].map(({ tpp }) => [tpp.key, tpp]));
      // A poll that ends reads the database itself, and so says that it is unreachable.
      const found = new Set(await this.store.withEvents([...tpps.values()]).catch(() => []));
      for (const { tpp, end } of this.polls) if (found.has(tpp.key)) end();
      await sleep(lookEveryMs, undefined, { ref: false });
    }
    this.isLooking = false;
  }
}
