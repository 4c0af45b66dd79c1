import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';
import { atMostEvery } from '../clock/at-most-every.js';
import { Clock } from '../clock/clock.js';
import { faultRecord } from '../observability/fault-record.js';
import { LOG } from '../observability/log.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { faultOfChange, shownAfterMs, type AnnouncedChange } from './announced-change.js';
import { AnnouncedChangesStore } from './announced-changes.store.js';

const keptMs = 1_000;

/** The changes of the interface that the bank announces at its port, and that TPPs see. */
@Injectable()
export class AnnouncedChanges implements OnApplicationBootstrap {
  private known: readonly AnnouncedChange[] = [];
  private readonly look = atMostEvery(keptMs, () => this.read());

  constructor(
    private readonly store: AnnouncedChangesStore,
    private readonly clock: Clock,
    @Inject(LOG) private readonly log: FastifyBaseLogger,
  ) {}

  onApplicationBootstrap(): Promise<void> {
    return this.read();
  }

  /** Those that TPPs see, of a second ago at most; while the database is away, those that were known. */
  async present(): Promise<readonly AnnouncedChange[]> {
    await this.look();
    const since = this.since();
    return this.known.filter(({ fromMs }) => fromMs > since);
  }

  latest(): Promise<readonly AnnouncedChange[]> {
    return this.store.latest();
  }

  /** @throws OpenBankingError for one that cannot be announced */
  async announce(change: Omit<AnnouncedChange, 'id'>): Promise<AnnouncedChange> {
    const nowMs = this.clock.nowMs();
    const fault = faultOfChange(change, nowMs);
    if (fault !== undefined) throw new OpenBankingError('field-invalid', { message: fault, path: 'from' });
    const announced = await this.store.add(change, new Date(nowMs));
    await this.read();
    return announced;
  }

  /** @throws OpenBankingError for one that is not known */
  async remove(id: string): Promise<AnnouncedChange> {
    const removed = await this.store.remove(id);
    if (removed === undefined)
      throw new OpenBankingError('field-invalid', { message: 'No announced change has this id.', path: 'changeId' });
    await this.read();
    return removed;
  }

  private since(): number {
    return this.clock.nowMs() - shownAfterMs;
  }

  private async read(): Promise<void> {
    try {
      this.known = await this.store.after(new Date(this.since()));
    } catch (error) {
      this.log.warn(faultRecord(error), 'the announced changes cannot be read; those that were known are shown');
    }
  }
}
