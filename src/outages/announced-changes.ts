import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';
import { Clock } from '../clock/clock.js';
import { LOG } from '../observability/log.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { faultOfChange, shownAfterMs, type AnnouncedChange } from './announced-change.js';
import { AnnouncedChangesStore } from './announced-changes.store.js';
import { LastKnown } from './last-known.js';

/** The changes of the interface that the bank announces at its port, and that TPPs see. */
@Injectable()
export class AnnouncedChanges implements OnApplicationBootstrap {
  private readonly known: LastKnown<AnnouncedChange>;

  constructor(
    private readonly store: AnnouncedChangesStore,
    private readonly clock: Clock,
    @Inject(LOG) log: FastifyBaseLogger,
  ) {
    this.known = new LastKnown(() => this.store.after(new Date(this.since())), log, 'the announced changes');
  }

  onApplicationBootstrap(): Promise<void> {
    return this.known.read();
  }

  /** Those that TPPs see, of a second ago at most; while the database is away, those that were known. */
  async present(): Promise<readonly AnnouncedChange[]> {
    const known = await this.known.get();
    const since = this.since();
    return known.filter(({ fromMs }) => fromMs > since);
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
    await this.known.read();
    return announced;
  }

  /** @throws OpenBankingError for one that is not known */
  async remove(id: string): Promise<AnnouncedChange> {
    const removed = await this.store.remove(id);
    if (removed === undefined)
      throw new OpenBankingError('field-invalid', { message: 'No announced change has this id.', path: 'changeId' });
    await this.known.read();
    return removed;
  }

  private since(): number {
    return this.clock.nowMs() - shownAfterMs;
  }
}
