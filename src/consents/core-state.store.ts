import { Injectable } from '@nestjs/common';
import { PrismaService } from '../persistence/prisma.service.js';
import type { Sweep } from '../persistence/sweep.js';
import { givesAccess } from './consent-conditions.store.js';

/** Each core of a consent has a text. */
export interface StatePlace {
  readonly consentId: string;
  /** As consents record it; empty for a single core. */
  readonly core: string;
}

/** The turn of one read, which alone may replace the text of its consent. */
export interface Turn extends StatePlace {
  readonly holder: string;
}

/** Keeps the sealed texts of the cores, one for each consent and core. */
@Injectable()
export class CoreStateStore {
  constructor(private readonly prisma: PrismaService) {}

  async find({ consentId, core }: StatePlace): Promise<string | undefined> {
    const where = { consentId_core: { consentId, core } };
    const row = await this.prisma.coreState.findUnique({ where, select: { sealed: true } });
    return row?.sealed ?? undefined;
  }

  /**
   * Takes the turn until a time, unless another read has it. The lock on the consent's row makes its end wait, so that the
   * end's trigger finds the row.
   *
   * @returns the present text with the turn; `held` while another read has the turn; `ended` where the consent is over
   */
  async take(
    { consentId, core, holder }: Turn,
    now: Date,
    until: Date,
  ): Promise<{ sealed?: string } | 'held' | 'ended'> {
    const [row] = await this.prisma.$queryRaw<{ sealed: string | null }[]>`
      INSERT INTO core_states AS kept (consent_id, core, held_by, held_until, expires_at_ms)
      SELECT consent_id, ${core}, ${holder}, ${until}::timestamp, expires_at_ms FROM consents
      WHERE consent_id = ${consentId} AND ${givesAccess(now)}
      FOR SHARE
      ON CONFLICT (consent_id, core) DO UPDATE SET held_by = excluded.held_by, held_until = excluded.held_until
        WHERE kept.held_until IS NULL OR kept.held_until <= ${now}
      RETURNING sealed`;
    if (row !== undefined) return row.sealed === null ? {} : { sealed: row.sealed };
    return (await this.prisma.coreState.count({ where: { consentId, core } })) === 0 ? 'ended' : 'held';
  }

  /** Ends the turn with a new text, or without one. @returns false where the turn, or the consent, was over before */
  async end({ consentId, core, holder }: Turn, sealed?: string): Promise<boolean> {
    const { count } = await this.prisma.coreState.updateMany({
      where: { consentId, core, heldBy: holder },
      data: { heldBy: null, heldUntil: null, ...(sealed !== undefined && { sealed }) },
    });
    return count === 1;
  }
}

/** Removes at most `limit` texts of consents that have expired. @returns how many it removed */
export const sweepExpiredCoreStates: Sweep = (prisma, nowMs, limit) => prisma.$executeRaw`
  DELETE FROM core_states WHERE (consent_id, core) IN (
    SELECT consent_id, core FROM core_states WHERE expires_at_ms <= ${nowMs} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
