import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';
import { Clock } from '../clock/clock.js';
import { LOG } from '../observability/log.js';
import { OpenBankingError } from '../open-banking/errors.js';
import type { Actor } from '../trail/event-members.js';
import { Trail } from '../trail/trail.js';
import { LastReadRows } from './last-read-rows.js';
import { faultOfOutage, type PlannedOutage } from './planned-outage.js';
import { PlannedOutagesStore } from './planned-outages.store.js';

/** So that an outage of the database itself is known when it begins. */
const readAgainMs = 60_000;

/** The planned outages: added and removed at the bank's port, and shown to TPPs. */
@Injectable()
export class PlannedOutages implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly rows: LastReadRows<PlannedOutage>;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: PlannedOutagesStore,
    private readonly clock: Clock,
    private readonly trail: Trail,
    @Inject(LOG) log: FastifyBaseLogger,
  ) {
    this.rows = new LastReadRows(() => this.store.present(new Date(this.clock.nowMs())), log, 'the planned outages');
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.rows.read();
    this.timer = setInterval(() => void this.rows.read(), readAgainMs).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Those that have not ended, of a second ago at most; while the database is unreachable, those that were known. */
  async present(): Promise<readonly PlannedOutage[]> {
    const outages = await this.rows.get();
    const nowMs = this.clock.nowMs();
    return outages.filter(({ toMs }) => toMs > nowMs);
  }

  latest(): Promise<readonly PlannedOutage[]> {
    return this.store.latest();
  }

  /** @throws OpenBankingError for one that cannot be planned */
  async plan(outage: Omit<PlannedOutage, 'id'>, by: Actor): Promise<PlannedOutage> {
    const nowMs = this.clock.nowMs();
    const fault = faultOfOutage(outage, nowMs);
    if (fault !== undefined) throw new OpenBankingError('field-invalid', fault);
    const planned = await this.store.add(outage, new Date(nowMs));
    if (planned === undefined)
      throw new OpenBankingError('field-invalid', {
        message: 'The outage overlaps another planned outage: see the list, and plan one that spans both.',
        path: 'from',
      });
    await this.changed('planned', planned, by);
    return planned;
  }

  /** @throws OpenBankingError for one that is not known, or has begun */
  async remove(id: string, by: Actor): Promise<PlannedOutage> {
    const found = await this.store.find(id);
    const isRemoved = found !== undefined && (await this.store.remove(id, new Date(this.clock.nowMs())));
    if (isRemoved) {
      await this.changed('removed', found, by);
      return found;
    }
    throw new OpenBankingError('field-invalid', {
      message:
        found === undefined
          ? 'No planned outage has this id.'
          : 'The outage has begun and can no longer be removed, or another operator removed it at this moment.',
      path: 'outageId',
    });
  }

  private async changed(event: 'planned' | 'removed', { id, fromMs, toMs }: PlannedOutage, by: Actor): Promise<void> {
    const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
    this.trail.happened({ kind: 'outage', event, outage: id, from, to, by });
    await this.rows.read();
  }
}
