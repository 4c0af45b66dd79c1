import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';
import { atMostEvery } from '../clock/at-most-every.js';
import { Clock } from '../clock/clock.js';
import { faultRecord } from '../observability/fault-record.js';
import { LOG } from '../observability/log.js';
import { OpenBankingError } from '../open-banking/errors.js';
import type { Actor } from '../trail/event-members.js';
import { Trail } from '../trail/trail.js';
import { faultOfOutage, type PlannedOutage } from './planned-outage.js';
import { PlannedOutagesStore } from './planned-outages.store.js';

/** So that an outage of the database itself is known when it begins. */
const readAgainMs = 60_000;
const keptMs = 1_000;

/** The planned outages: added and removed at the bank's port, and shown to TPPs. */
@Injectable()
export class PlannedOutages implements OnApplicationBootstrap, OnApplicationShutdown {
  private last: readonly PlannedOutage[] = [];
  private readonly readAtMostOften = atMostEvery(keptMs, () => this.read());
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: PlannedOutagesStore,
    private readonly clock: Clock,
    private readonly trail: Trail,
    @Inject(LOG) private readonly log: FastifyBaseLogger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.read();
    this.timer = setInterval(() => void this.read(), readAgainMs).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Those that have not ended, of a second ago at most; while the database is unreachable, those that were known. */
  async present(): Promise<readonly PlannedOutage[]> {
    await this.readAtMostOften();
    const nowMs = this.clock.nowMs();
    return this.last.filter(({ toMs }) => toMs > nowMs);
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
    await this.read();
  }

  /** A fault goes to the log alone. */
  private async read(): Promise<void> {
    try {
      this.last = await this.store.present(new Date(this.clock.nowMs()));
    } catch (error) {
      this.log.warn(
        faultRecord(error),
        'the planned outages cannot be read from the database: the gateway shows those that it read last',
      );
    }
  }
}
