import { createHmac, hkdfSync } from 'node:crypto';
import type { PrismaService } from '../../persistence/prisma.service.js';
import type { JourneyStage } from '../../trail/event.js';
import { newBearer } from '../listeners/cookies.js';
import { keyOfArtefact } from '../oidc/artefact.store.js';
import type { Journey } from './journey.js';
import { settled, stageOf } from './journey.policy.js';
import type { JourneySubject } from './journey-trail.js';
import { hashed, keyOf, open, seal } from '../sealing.js';

const kind = 'CustomerJourney';

/** A journey as it was read. `version` guards the next step. */
export interface StoredJourney {
  /** The value of the journey's cookie. It finds the journey, and only it opens the sealed state. */
  readonly bearer: string;
  readonly journey: Journey;
  readonly version: number;
}

/** The journeys of all customers. Every step is one guarded statement, as with consents. */
export class JourneyStore {
  /** @param key of the marks, so that a reader of the database cannot find out a posted password by guessing */
  constructor(
    private readonly prisma: PrismaService,
    private readonly key: Buffer,
  ) {}

  async find(bearer: string, nowMs: number): Promise<StoredJourney | undefined> {
    const row = await this.prisma.customerJourney.findUnique({
      where: { key: hashed(kind, bearer), expiresAt: { gt: new Date(nowMs) } },
    });
    if (row === null) return undefined;
    return { bearer, journey: JSON.parse(open(keyOf(kind, bearer), kind, row.state)) as Journey, version: row.version };
  }

  /** How many journeys are not over, at all gateways of the database. */
  countOpen(nowMs: number): Promise<number> {
    return this.prisma.customerJourney.count({ where: { expiresAt: { gt: new Date(nowMs) } } });
  }

  /** Begins a journey without a TPP's request, unless a journey lives under this cookie or its cookie replaced this one. */
  async begin(bearer: string, journey: Journey, nowMs: number, expiresAt: Date): Promise<void> {
    await this.prisma.$executeRaw`
      INSERT INTO customer_journeys AS former (key, version, state, expires_at)
      SELECT ${hashed(kind, bearer)}, 1, ${sealed(bearer, journey)}, ${expiresAt}::timestamp(3)
      WHERE NOT EXISTS (SELECT FROM customer_journeys WHERE previous_key = ${hashed(kind, bearer)}
        AND expires_at > ${new Date(nowMs)}::timestamp(3))
      ON CONFLICT (key) DO UPDATE SET
        version = former.version + 1, state = EXCLUDED.state, expires_at = EXCLUDED.expires_at
      WHERE former.expires_at <= ${new Date(nowMs)}`;
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
      VALUES (${hashed(kind, bearer)}, 1, ${sealed(bearer, journey)}, ${expiresAt}, ${requestKey}, ${artefactKey},
        ${consentId}, ${tpp?.clientId}, ${stageOf(journey)})
      ON CONFLICT (request_key) DO UPDATE SET
        key = EXCLUDED.key, version = EXCLUDED.version, state = EXCLUDED.state, expires_at = EXCLUDED.expires_at,
        artefact_key = EXCLUDED.artefact_key, previous_key = NULL, handover = NULL, stage = EXCLUDED.stage`;
    return bearer;
  }

  /** Takes the step; `undefined` when another request took one since the journey was read. */
  async step({ bearer, version }: StoredJourney, journey: Journey): Promise<StoredJourney | undefined> {
    const { count } = await this.prisma.customerJourney.updateMany({
      where: { key: hashed(kind, bearer), version },
      data: { version: version + 1, state: sealed(bearer, journey), stage: stageOf(journey) ?? null },
    });
    return count === 1 ? { bearer, journey, version: version + 1 } : undefined;
  }

  /**
   * Takes a step that changes who is signed in: from now on a new value of the cookie opens the journey. The previous value
   * leads to the new one only together with the mark of the post: see {@link successor}.
   */
  async renew(
    { bearer: former, version }: StoredJourney,
    journey: Journey,
    mark: string,
  ): Promise<StoredJourney | undefined> {
    const bearer = newBearer();
    const { count } = await this.prisma.customerJourney.updateMany({
      where: { key: hashed(kind, former), version },
      data: {
        key: hashed(kind, bearer),
        version: version + 1,
        state: sealed(bearer, journey),
        stage: stageOf(journey) ?? null,
        previousKey: hashed(kind, former),
        handover: seal(handoverKey(former, mark), kind, bearer),
      },
    });
    return count === 1 ? { bearer, journey, version: version + 1 } : undefined;
  }

  /**
   * The value that replaced `former`, for a browser that posted the same again. When a customer clicks twice, the browser
   * drops the first answer and the cookie in it. A thief of the previous cookie does not know the password or the code.
   */
  async successor(former: string, mark: string): Promise<string | undefined> {
    const row = await this.prisma.customerJourney.findFirst({ where: { previousKey: hashed(kind, former) } });
    if (!row?.handover) return undefined;
    try {
      return open(handoverKey(former, mark), kind, row.handover);
    } catch {
      // The mark is of another post.
      return undefined;
    }
  }

  /**
   * From now on the previous value of the cookie leads nowhere, for the browser has shown the new one. A sign-in in the bank's
   * app needs it: its mark is no secret, because the customer posts nothing.
   */
  async settle({ bearer, journey, version }: StoredJourney): Promise<StoredJourney | undefined> {
    const next = settled(journey);
    const { count } = await this.prisma.customerJourney.updateMany({
      where: { key: hashed(kind, bearer), version },
      data: { version: version + 1, state: sealed(bearer, next), previousKey: null, handover: null },
    });
    return count === 1 ? { bearer, journey: next, version: version + 1 } : undefined;
  }

  /** Equal posts have equal marks. Nothing of the post can be read from its mark. */
  mark(posted: string): string {
    return createHmac('sha256', this.key).update(posted).digest('base64url');
  }

  /** Removes the journey. When several requests end it at the same moment, in any process, one of them gets true. */
  async end(bearer: string): Promise<boolean> {
    const { count } = await this.prisma.customerJourney.deleteMany({ where: { key: hashed(kind, bearer) } });
    return count === 1;
  }
}

function handoverKey(former: string, mark: string): Buffer {
  return Buffer.from(hkdfSync('sha256', former, mark, `sealed handover of ${kind}`, 32));
}

function sealed(bearer: string, journey: Journey): string {
  return seal(keyOf(kind, bearer), kind, JSON.stringify(journey));
}

/** A journey that lapsed without a decision. */
interface LapsedJourney {
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
): Promise<{ readonly removed: number; readonly lapsed: readonly LapsedJourney[] }> {
  const rows = await prisma.$queryRaw<
    { consentId: string | null; clientId: string | null; stage: JourneyStage | null }[]
  >`DELETE FROM customer_journeys WHERE key IN (
      SELECT key FROM customer_journeys WHERE expires_at < ${new Date(nowMs)} LIMIT ${limit})
    RETURNING consent_id AS "consentId", client_id AS "clientId", stage`;
  const lapsed = rows.flatMap(({ consentId, clientId, stage }) =>
    clientId === null || stage === null ? [] : [{ consentId, clientId, stage }],
  );
  return { removed: rows.length, lapsed };
}

const dayMs = 86_400_000;

/** Removes journeys that no gateway has removed within a day, because none runs. */
export async function sweepForgottenJourneys(prisma: PrismaService, nowMs: number, limit: number): Promise<number> {
  return (await removeExpiredJourneys(prisma, nowMs - dayMs, limit)).removed;
}
