import { hkdfSync, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type CoreState, mostStateBytes } from '../../packages/core-adapter/core.adapter.js';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import { BankClock } from '../clock/clock.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import type { CoreConfig } from '../config/core-config.js';
import { openBytes, sealBytes } from '../open-banking/sealed-bytes.js';
import { CoreStateStore, type StatePlace, type Turn } from './core-state.store.js';

/** How long a process that has died holds its turn beyond the core's deadline. */
const beyondDeadlineMs = 5_000;
const [leastPauseMs, mostPauseMs] = [20, 40] as const;

interface StateConfig extends Pick<GatewayConfig, 'idKey'> {
  readonly cores: readonly Pick<CoreConfig, 'deadlineMs'>[];
}

/** The texts that the core wants to see again under a consent, sealed by a key that only the gateway has. */
@Injectable()
export class CoreStates {
  private readonly key: Buffer;
  private readonly deadlineMs: number;

  constructor(
    private readonly store: CoreStateStore,
    private readonly clock: BankClock,
    @Inject(GATEWAY_CONFIG) { idKey, cores }: StateConfig,
  ) {
    this.key = Buffer.from(hkdfSync('sha256', idKey, '', 'core state', 32));
    this.deadlineMs = Math.max(...cores.map(({ deadlineMs }) => deadlineMs));
  }

  /** @param core as consents record it: see `CoreConfig.recordedAs`. No core sees the text of another. */
  of(consentId: string, core = ''): CoreState {
    const place = { consentId, core };
    return {
      read: async () => this.opened(place, await answered(this.store.find(place))),
      replace: (used, change, signal) => this.replace(place, used, change, signal),
    };
  }

  private async replace(
    place: StatePlace,
    used: string | undefined,
    change: (signal: AbortSignal) => Promise<string>,
    signal: AbortSignal,
  ): Promise<string> {
    const turn = { ...place, holder: randomUUID() };
    const { sealed } = await this.take(turn, signal);
    let next: string | undefined;
    try {
      const current = this.opened(place, sealed);
      if (current !== undefined && current !== used) return current;
      next = withinLimit(await change(AbortSignal.timeout(this.deadlineMs)));
    } finally {
      if (next === undefined) await answered(this.store.end(turn));
    }
    if (!(await answered(this.store.end(turn, this.sealed(place, next))))) throw ended();
    return next;
  }

  /** Waits for the turn. */
  private async take(turn: Turn, signal: AbortSignal): Promise<{ readonly sealed?: string }> {
    for (;;) {
      if (signal.aborted) throw new CoreError('timeout', 'another read replaces the core state of the consent');
      const nowMs = this.clock.nowMs();
      const until = new Date(nowMs + this.deadlineMs + beyondDeadlineMs);
      const taken = await answered(this.store.take(turn, new Date(nowMs), until));
      if (taken === 'ended') throw ended();
      if (taken !== 'held') return taken;
      await delay(leastPauseMs + Math.random() * (mostPauseMs - leastPauseMs), undefined, { signal }).catch(
        () => undefined,
      );
    }
  }

  private sealed({ consentId, core }: StatePlace, text: string): string {
    return sealBytes(this.key, `${consentId} ${core}`, text).toString('base64');
  }

  private opened({ consentId, core }: StatePlace, sealed: string | undefined): string | undefined {
    if (sealed === undefined) return undefined;
    return openBytes(this.key, `${consentId} ${core}`, Buffer.from(sealed, 'base64'));
  }
}

function withinLimit(text: string): string {
  if (Buffer.byteLength(text) <= mostStateBytes) return text;
  throw new CoreError('bad-record', `the adapter made a core state of more than ${mostStateBytes} bytes`);
}

function ended(): CoreError {
  return new CoreError('account-not-permitted', 'the consent ended while the core was asked');
}

/** The adapter, which asks, knows only its own errors. */
function answered<T>(operation: Promise<T>): Promise<T> {
  return operation.catch(() => {
    throw new CoreError('unavailable', "the gateway's database did not answer about the core state of a consent");
  });
}
