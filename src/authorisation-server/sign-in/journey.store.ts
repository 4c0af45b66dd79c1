import { Injectable } from '@nestjs/common';
import { PrismaService } from '../../persistence/prisma.service.js';
import type { JourneyStage } from '../../trail/event.js';
import { newBearer } from '../listeners/cookies.js';
import { keyOfArtefact } from '../oidc/artefact.store.js';
import { SealedState } from '../sealed-state.js';
import { hashed } from '../sealing.js';
import { Journey, journeyVersion } from './journey.js';
import { stageOf } from './states.js';
import type { JourneySubject } from './journey-trail.js';

const sealed = new SealedState('CustomerJourney', journeyVersion, Journey);

/** A journey as it was read. */
export interface StoredJourney {
  /** The value of the journey's cookie. It finds the journey, and only it opens the sealed state. */
  readonly bearer: string;
  readonly journey: Journey;
  /** Guards the next step, and every form names it. 0: nothing is stored yet. */
  readonly version: number;
  /** The state as it is stored. It guards a change within the step. */
  readonly sealed: string;
}

/** The journeys of all customers. Every change is one guarded statement, as with consents. */
@Injectable()
export class JourneyStore {
  constructor(private readonly prisma: PrismaService) {}

  async find(bearer: string, nowMs: number): Promise<StoredJourney | undefined> {
    const row = await this.prisma.customerJourney.findUnique({
      where: { key: sealed.keyOf(bearer), expiresAt: { gt: new Date(nowMs) } },
    });
    const journey = row === null ? undefined : sealed.open(bearer, row.state);
    if (row === null || journey === undefined) return undefined;
    return { bearer, journey, version: row.version, sealed: row.state };
  }

  /** How many journeys are not over, at all gateways of the database. */
  countOpen(nowMs: number): Promise<number> {
    return this.prisma.customerJourney.count({ where: { expiresAt: { gt: new Date(nowMs) } } });
  }

  /** Begins a journey without a TPP's request; `undefined` where one lives under this cookie. */
  async begin(bearer: string, journey: Journey, nowMs: number): Promise<StoredJourney | undefined> {
    const [now, expiresAt, state] = [new Date(nowMs), new Date(journey.deadlineMs), sealed.seal(bearer, journey)];
    const rows = await this.prisma.$queryRaw<{ version: number }[]>`
      INSERT INTO customer_journeys AS former (key, version, state, expires_at)
      VALUES (${sealed.keyOf(bearer)}, 1, ${state}, ${expiresAt}::timestamp(3))
      ON CONFLICT (key) DO UPDATE SET
        version = former.version + 1, state = EXCLUDED.state, expires_at = EXCLUDED.expires_at
      WHERE former.expires_at <= ${now}::timestamp(3)
      RETURNING version`;
    return rows[0] && { bearer, journey, version: rows[0].version, sealed: state };
  }

  /**
   * Begins the journey of a TPP's request under a fresh value of the cookie, and gives this value. Each request has one
   * journey: an earlier journey ends, and the database removes the library's artefact of it (the trigger
   * `customer_journeys_remove_former_artefact`).
   */
  async beginOf(
    request: { id: string; uid: string },
    journey: Journey,
    { consentId, tpp }: JourneySubject,
    expiresAt: Date,
  ): Promise<string> {
    const bearer = newBearer();
    const requestKey = hashed('AuthorizationRequest', request.id);
    const artefactKey = keyOfArtefact('Interaction', request.uid);
    await this.prisma.$executeRaw`
      INSERT INTO customer_journeys
        (key, version, state, expires_at, request_key, artefact_key, consent_id, client_id, stage)
      VALUES (${sealed.keyOf(bearer)}, 1, ${sealed.seal(bearer, journey)}, ${expiresAt}, ${requestKey}, ${artefactKey},
        ${consentId}, ${tpp?.clientId}, ${stageOf(journey)})
      ON CONFLICT (request_key) DO UPDATE SET
        key = EXCLUDED.key, version = EXCLUDED.version, state = EXCLUDED.state, expires_at = EXCLUDED.expires_at,
        artefact_key = EXCLUDED.artefact_key, stage = EXCLUDED.stage`;
    return bearer;
  }

  /** Takes a step, which outdates every form of the one before; `undefined` where another request took a step first. */
  step(stored: StoredJourney, journey: Journey): Promise<StoredJourney | undefined> {
    return this.change(stored, journey, stored.bearer, stored.version + 1);
  }

  /** Takes back a step that failed: the forms before it are valid again. */
  async undo(claimed: StoredJourney): Promise<void> {
    await this.change(claimed, claimed.journey, claimed.bearer, claimed.version - 1);
  }

  /** Takes a step that changes who is signed in: from now on a new value of the cookie opens the journey. */
  renew(stored: StoredJourney, journey: Journey): Promise<StoredJourney | undefined> {
    return this.change(stored, journey, newBearer(), stored.version + 1);
  }

  /** Changes what the page of the step shows. Its forms stay valid; `undefined` where another request changed it first. */
  note(stored: StoredJourney, journey: Journey): Promise<StoredJourney | undefined> {
    return this.change(stored, journey, stored.bearer, stored.version, { state: stored.sealed });
  }

  /** Removes the journey. When several requests end it at the same moment, in any process, one of them gets true. */
  async end(bearer: string): Promise<boolean> {
    const { count } = await this.prisma.customerJourney.deleteMany({ where: { key: sealed.keyOf(bearer) } });
    return count === 1;
  }

  private async change(
    stored: StoredJourney,
    journey: Journey,
    bearer: string,
    version: number,
    unchanged: { readonly state?: string } = {},
  ): Promise<StoredJourney | undefined> {
    const state = sealed.seal(bearer, journey);
    const { count } = await this.prisma.customerJourney.updateMany({
      where: { key: sealed.keyOf(stored.bearer), version: stored.version, ...unchanged },
      data: { key: sealed.keyOf(bearer), version, state, stage: stageOf(journey) ?? null },
    });
    return count === 1 ? { bearer, journey, version, sealed: state } : undefined;
  }
}

/** A journey that expired without a decision. */
interface ExpiredJourney {
  readonly consentId: string | null;
  readonly clientId: string;
  readonly stage: JourneyStage;
}

/**
 * Removes at most `limit` expired journeys. Processes that remove the same journeys at the same moment each get other ones.
 * @returns their number, and those of a TPP's request that ended without a decision
 */
export async function removeExpiredJourneys(
  prisma: PrismaService,
  nowMs: number,
  limit: number,
): Promise<{ readonly removed: number; readonly undecided: readonly ExpiredJourney[] }> {
  const rows = await prisma.$queryRaw<
    { consentId: string | null; clientId: string | null; stage: JourneyStage | null }[]
  >`DELETE FROM customer_journeys WHERE key IN (
      SELECT key FROM customer_journeys WHERE expires_at < ${new Date(nowMs)} LIMIT ${limit})
    RETURNING consent_id AS "consentId", client_id AS "clientId", stage`;
  const undecided = rows.flatMap(({ consentId, clientId, stage }) =>
    clientId === null || stage === null ? [] : [{ consentId, clientId, stage }],
  );
  return { removed: rows.length, undecided };
}

const dayMs = 86_400_000;

/** Removes journeys that no gateway has removed within a day, because none runs. */
export async function sweepForgottenJourneys(prisma: PrismaService, nowMs: number, limit: number): Promise<number> {
  return (await removeExpiredJourneys(prisma, nowMs - dayMs, limit)).removed;
}
