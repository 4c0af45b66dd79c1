import { Injectable } from '@nestjs/common';
import { Prisma } from '../../prisma/client/client.js';
import { BankClock } from '../clock/clock.js';
import type { ConsentChangeKind } from '../open-banking/event-types.js';
import { tppId, type TppId } from '../open-banking/tpp-id.js';
import { PrismaService } from '../persistence/prisma.service.js';
import type { Sweep } from '../persistence/sweep.js';

/** A change of which the TPP has not said yet that it knows it. */
export interface WaitingEvent {
  /** Never changes, however often the event is given. */
  readonly eventId: string;
  readonly consentId: string;
  /** The name of the version of the API in which the consent was created. */
  readonly createdIn: string;
  readonly kind: ConsentChangeKind;
  /** With `account-left`. */
  readonly account: { readonly ref: string; readonly core?: string } | null;
  readonly occurredAt: Date;
}

/** A TPP’s answer to the events that it was given. */
export interface SettledEvents {
  /** The ids of those that it knows now. */
  readonly acknowledged: readonly string[];
  /** The ids of those that it could not use. */
  readonly faulty: readonly string[];
}

/** How many events wait for a TPP, and since when. */
export interface Backlog {
  readonly tpp: TppId;
  readonly events: number;
  readonly oldestAt: Date;
}

/**
 * The events that wait for their TPPs. The database itself writes them, in the statement that changes a consent; those of a
 * withdrawal of all consents of a TPP are announced after it.
 */
@Injectable()
export class ConsentEventStore {
  constructor(
    private readonly prisma: PrismaService,
    private readonly clock: BankClock,
  ) {}

  /** Removes the known ones, and puts the faulty ones behind all others. The ids of another TPP's events change nothing. */
  async settle({ issuer, clientId }: TppId, { acknowledged, faulty }: SettledEvents): Promise<void> {
    if (acknowledged.length > 0)
      await this.prisma.consentEvent.deleteMany({
        where: { eventId: { in: storable(acknowledged) }, issuer, clientId },
      });
    if (faulty.length > 0)
      await this.prisma.consentEvent.updateMany({
        where: { eventId: { in: storable(faulty) }, issuer, clientId },
        data: { errors: { increment: 1 } },
      });
  }

  /** At most `limit` of them: those that the TPP reported least often as errors first, and of these the oldest. */
  async waiting({ issuer, clientId }: TppId, limit: number): Promise<readonly WaitingEvent[]> {
    const rows = await this.prisma.consentEvent.findMany({
      where: { clientId, issuer },
      orderBy: [{ errors: 'asc' }, { occurredAt: 'asc' }, { eventId: 'asc' }],
      take: limit,
    });
    return rows as unknown as readonly WaitingEvent[];
  }

  /** The keys of those of the TPPs for which an event waits, in one statement with one step in an index for each TPP. */
  async withEvents(tpps: readonly TppId[]): Promise<readonly string[]> {
    const rows = await this.prisma.$queryRaw<{ key: string }[]>`
      SELECT key FROM unnest(${tpps.map(({ key }) => key)}::text[], ${tpps.map(({ issuer }) => issuer)}::text[],
        ${tpps.map(({ clientId }) => clientId)}::text[]) AS tpp (key, issuer, client_id)
      WHERE EXISTS (SELECT FROM consent_events
        WHERE consent_events.client_id = tpp.client_id AND consent_events.issuer = tpp.issuer)`;
    return rows.map(({ key }) => key);
  }

  async backlogs(): Promise<readonly Backlog[]> {
    const groups = await this.prisma.consentEvent.groupBy({
      by: ['issuer', 'clientId'],
      _count: true,
      _min: { occurredAt: true },
    });
    return groups.map(({ issuer, clientId, _count, _min }) => ({
      tpp: tppId(issuer, clientId),
      events: _count,
      oldestAt: _min.occurredAt ?? new Date(this.clock.nowMs()),
    }));
  }
}

/**
 * Writes the events of the next consents of a withdrawal of all consents of a TPP: no transition of them is possible any more, so
 * each is still in the state in which the withdrawal found it.
 * @returns whether there was such a withdrawal
 */
export async function announceNext(prisma: PrismaService, limit: number): Promise<boolean> {
  const found = await prisma.$queryRaw<object[]>`
    WITH withdrawal AS (SELECT * FROM withdrawals_to_announce LIMIT 1 FOR UPDATE SKIP LOCKED),
    part AS (
      SELECT consents.*, withdrawal.withdrawn_at FROM withdrawal JOIN consents
        ON consents.client_id = withdrawal.client_id AND consents.issuer = withdrawal.issuer
        AND (consents.created_at, consents.consent_id) < (withdrawal.before_created_at, withdrawal.before_consent_id)
        AND consents.created_at > COALESCE(withdrawal.earlier_at, '-infinity')
      ORDER BY consents.created_at DESC, consents.consent_id DESC LIMIT ${limit}
    ),
    events AS (
      INSERT INTO consent_events (issuer, client_id, consent_id, created_in, kind, occurred_at)
      SELECT issuer, client_id, consent_id, created_in, CASE status WHEN 'authorised' THEN 'withdrawn' ELSE 'updated' END,
        withdrawn_at
      FROM part WHERE status IN ('awaiting', 'authorised') AND deleted_at IS NULL AND erased_at IS NULL
    ),
    last AS (SELECT created_at, consent_id FROM part ORDER BY created_at, consent_id LIMIT 1),
    continued AS (
      UPDATE withdrawals_to_announce AS noted SET before_created_at = last.created_at, before_consent_id = last.consent_id
      FROM withdrawal, last WHERE ${theWithdrawal} AND (SELECT count(*) FROM part) = ${limit}
    ),
    ended AS (
      DELETE FROM withdrawals_to_announce AS noted USING withdrawal
      WHERE ${theWithdrawal} AND (SELECT count(*) FROM part) < ${limit}
    )
    SELECT issuer FROM withdrawal`;
  return found.length > 0;
}

const theWithdrawal = Prisma.sql`noted.client_id = withdrawal.client_id AND noted.issuer = withdrawal.issuer
  AND noted.withdrawn_at = withdrawal.withdrawn_at`;

/** Removes the events that no TPP acknowledged in as many days. */
export function sweepOldEvents(days: number): Sweep {
  return async (prisma, nowMs, limit) => {
    const latest = new Date(nowMs - days * 86_400_000);
    return prisma.$executeRaw`DELETE FROM consent_events WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM consent_events WHERE occurred_at <= ${latest} LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
  };
}

/** PostgreSQL refuses a text with the character U+0000, so no id has one. */
function storable(ids: readonly string[]): string[] {
  return ids.filter((id) => !id.includes('\0'));
}
